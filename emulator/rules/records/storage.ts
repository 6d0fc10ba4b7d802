import { z } from "zod";
import { storageConfigResponse } from "../../../spec/operations/storage";
import { newStorageConfig } from "../../../spec/new-project";
import { mapOf, time } from "./fields";

const { features, capabilities, external } = storageConfigResponse.shape;

const bucketRecord = z.strictObject({
  name: z.string(),
  owner: z.string(),
  public: z.boolean(),
  createdAt: time,
  updatedAt: time,
});

export const storageRecord = z.strictObject({
  fileSizeLimit: z.number(),
  features,
  capabilities,
  upstreamTarget: external.shape.upstreamTarget,
  migrationVersion: z.string(),
  databasePoolMode: z.string(),
  /** By id. */
  buckets: mapOf(z.string(), bucketRecord),
});
export type StorageRecord = z.infer<typeof storageRecord>;

/** Storage as a project begins with it: on a paid plan with every feature (service, Defaults); the numbers are made up. */
export function newStorage(isPaid: boolean): StorageRecord {
  const config = isPaid ? newStorageConfig.paid : newStorageConfig.free;
  return {
    fileSizeLimit: config.fileSizeLimit,
    features: structuredClone(config.features),
    capabilities: { list_v2: true, iceberg_catalog: true },
    upstreamTarget: "main",
    migrationVersion: "iceberg-catalog-ids",
    databasePoolMode: "recycled",
    buckets: new Map(),
  };
}
