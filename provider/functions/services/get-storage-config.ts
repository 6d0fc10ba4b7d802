import { z } from "zod";
import { defineFunction } from "../../define/function";
import { storageOutputs, storageSettings } from "../../resources/services/storage-config/fields";
import { storageConfig } from "../../resources/services/storage-config/storage-config";
import { ofProject } from "../../lookup/missing-errors";
import { toFoundShape, readConfiguration } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({ projectRef });

const { fileSizeLimit, features, external } = storageSettings;

const outputs = z.object({
  fileSizeLimit,
  features: features
    .unwrap()
    .describe("Features of storage, those that are switched off included.")
    .optional(),
  external,
  ...toFoundShape(storageOutputs),
});

/** What the storage of a project takes and offers. */
export const getStorageConfig = defineFunction({
  name: "getStorageConfig",
  description: "Reads the storage configuration of a project, and what its storage is able to do.",
  inputs,
  outputs,
  problems: ofProject,
  run: (ctx, { projectRef: ref }) => readConfiguration(ctx, ref, storageConfig, outputs),
});
