import type { z } from "zod";
import { updateStorageConfigBody } from "../../../../spec/operations/storage";
import { newStorageConfig } from "../../../../spec/new-project";
import { defineSettings } from "../../../settings/settings";
import type { Api } from "../../../define/context";
import type { ShownOutputs } from "../../../define/resource";
import { storageOutputs, storageSettings } from "./fields";

type Answer = Awaited<ReturnType<Api["getStorageConfig"]>>;
type Capabilities = ShownOutputs<z.output<typeof storageOutputs.capabilities>>;

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
    "The storage configuration of a project. Only the settings you declare are managed, also inside `features`; the others are left alone. Deleting the resource restores the earlier values.",
  settings: storageSettings,
  options: {},
  outputs: storageOutputs,
  wireNames: "camelCase",
  body: updateStorageConfigBody,
  timeouts: { create: 600, update: 600, delete: 600 },
  mode: "merge",
  showsAll: true,
  newProject: [newStorageConfig.free, newStorageConfig.paid],
  services: ["storage"],
  get: async (ctx, ref) => fromWire(await ctx.api.getStorageConfig({ ref })),
  put: async (ctx, ref, body) => {
    await ctx.api.updateStorageConfig({ ref, body });
    return undefined;
  },
});
