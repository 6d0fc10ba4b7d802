import { z } from "zod";
import { defineFunction } from "../../define/function";
import { postgresConfig } from "../../resources/database/postgres-config/postgres-config";
import { postgresSettings } from "../../resources/database/postgres-config/settings";
import { ofProject, orNoProject } from "../missing-errors";
import { projectRef } from "../shared-arguments";
import { presentFields } from "../present-fields";

const inputs = z.strictObject({ projectRef });

const outputs = z.object(postgresSettings);

/** The Postgres settings of a project that differ from the defaults. */
export const getPostgresConfig = defineFunction({
  name: "getPostgresConfig",
  description:
    "Reads the overridden Postgres settings of a project. Settings at the default of the compute size are absent.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const observed = await orNoProject(ref, postgresConfig.read(ctx, { id: ref, state: {} }));
    const seen = observed?.inputs ?? {};
    const set: z.output<typeof outputs> = presentFields(
      Object.fromEntries(Object.keys(postgresSettings).map((name) => [name, Reflect.get(seen, name)])),
    );
    return set;
  },
});
