import { z } from "zod";
import { defineFunction } from "../../define/function";
import { postgresConfig } from "../../resources/database/postgres-config/postgres-config";
import { postgresSettings } from "../../resources/database/postgres-config/settings";
import { ofProject } from "../../lookup/missing-errors";
import { readConfiguration } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({ projectRef });

const outputs = z.object(postgresSettings);

/** The Postgres settings of a project that differ from the defaults. */
export const getPostgresConfig = defineFunction({
  name: "getPostgresConfig",
  description:
    "Reads the overridden Postgres settings of a project. Settings with the default of the compute size are absent.",
  inputs,
  outputs,
  problems: ofProject,
  run: (ctx, { projectRef: ref }) => readConfiguration(ctx, ref, postgresConfig, outputs),
});
