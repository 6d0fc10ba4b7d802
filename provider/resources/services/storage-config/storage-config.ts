import type { z } from "zod";
import { updateStorageConfigBody } from "../../../../spec/operations/storage";
import { defineSettings } from "../../../converge/settings";
import { startingCalls } from "../../../converge/starting-calls";
import type { Api } from "../../../define/context";
import type { Shown } from "../../../define/resource";
import { storageOutputs, storageSettings } from "./fields";

type Answer = Awaited<ReturnType<Api["getStorageConfig"]>>;
type Capabilities = Shown<z.output<typeof storageOutputs.capabilities>>;

function fromWire({ capabilities, ...config }: Answer): object {
  const shown: Capabilities = {
    listV2: capabilities?.list_v2 ?? undefined,
    icebergCatalog: capabilities?.iceberg_catalog ?? undefined,
  };
  return { ...config, capabilities: shown };
}

/** What the storage of a project takes and offers. */
export const storageConfig = defineSettings({
  type: "StorageConfig",
  description:
    "Storage configuration of a project. Only declared settings are managed, each field of `features` on its own; all others stay as they are. Deleting the resource restores the previous values.",
  settings: storageSettings,
  newProject: {
    values: {
      fileSizeLimit: [52_428_800],
      // The plan decides (service, Defaults).
      "features.imageTransformation.enabled": [false, true],
      "features.s3Protocol.enabled": [true],
      "features.icebergCatalog.enabled": [false, true],
      "features.icebergCatalog.maxNamespaces": [10, 5],
      "features.icebergCatalog.maxTables": [10],
      "features.icebergCatalog.maxCatalogs": [2],
      "features.vectorBuckets.enabled": [false, true],
      "features.vectorBuckets.maxBuckets": [10],
      "features.vectorBuckets.maxIndexes": [5],
      "external.upstreamTarget": ["main"],
    },
  },
  options: {},
  outputs: storageOutputs,
  wireNames: "camelCase",
  body: updateStorageConfigBody,
  timeouts: { create: 600, update: 600, delete: 600 },
  conditionalCalls: startingCalls("create", "update", "delete"),
  mode: "merge",
  services: ["storage"],
  get: async (ctx, ref) => fromWire(await ctx.api.getStorageConfig({ ref })),
  put: async (ctx, ref, body) => {
    await ctx.api.updateStorageConfig({ ref, body });
    return undefined;
  },
});
