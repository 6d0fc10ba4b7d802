import type { z } from "zod";
import { updateStorageConfigBody } from "../../../../spec/operations/storage";
import { newStorageConfig } from "../../../../spec/new-project";
import { defineSettings } from "../../../settings/settings";
import type { ProjectConfig } from "../../../settings/settings-definition";
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

/** The same in the answer about the whole project, which has names of its own. */
function fromProjectConfig({ storage }: ProjectConfig): object | undefined {
  if (storage === undefined || storage === null) return undefined;
  const { image_transformation, s3_protocol, iceberg_catalog, vector_buckets } = storage.features ?? {};
  return fromWire({
    fileSizeLimit: storage.file_size_limit,
    features: {
      imageTransformation: image_transformation,
      s3Protocol: s3_protocol,
      icebergCatalog: {
        enabled: iceberg_catalog?.enabled,
        maxNamespaces: iceberg_catalog?.max_namespaces,
        maxTables: iceberg_catalog?.max_tables,
        maxCatalogs: iceberg_catalog?.max_catalogs,
      },
      vectorBuckets: {
        enabled: vector_buckets?.enabled,
        maxBuckets: vector_buckets?.max_buckets,
        maxIndexes: vector_buckets?.max_indexes,
      },
    },
    capabilities: storage.capabilities,
    external: { upstreamTarget: storage.upstream_target },
    migrationVersion: storage.migration_version,
  });
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
  newProject: [newStorageConfig.free, newStorageConfig.paid],
  services: ["storage"],
  get: async (ctx, ref) => fromWire(await ctx.api.getStorageConfig({ ref })),
  inProjectConfig: { pick: fromProjectConfig, keptOutputs: ["databasePoolMode"] },
  put: async (ctx, ref, body) => {
    await ctx.api.updateStorageConfig({ ref, body });
    return undefined;
  },
});
