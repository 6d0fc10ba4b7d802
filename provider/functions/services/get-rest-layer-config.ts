import { z } from "zod";
import { defineFunction } from "../../define/function";
import { restLayerConfig } from "../../resources/services/rest-layer-config/rest-layer-config";
import { ofProject } from "../../lookup/missing-errors";
import { toFoundShape, readConfiguration } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({ projectRef });

const { dbSchema, dbExtraSearchPath, maxRows, dbPool } = restLayerConfig.inputs.shape;

const outputs = z.object({
  dbSchema,
  dbExtraSearchPath,
  maxRows,
  dbPool,
  ...toFoundShape(restLayerConfig.outputs.shape),
});

/** How the REST layer of a project serves its database. */
export const getRestLayerConfig = defineFunction({
  name: "getRestLayerConfig",
  description:
    "Reads the configuration of the REST layer of a project. The secret that verifies JSON web tokens is a Pulumi secret.",
  inputs,
  outputs,
  problems: ofProject,
  run: (ctx, { projectRef: ref }) => readConfiguration(ctx, ref, restLayerConfig, outputs),
});
