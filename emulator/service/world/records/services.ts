import { z } from "zod";
import { newRealtimeConfig, newRestLayerConfig, newStorageConfig } from "../../../../spec/new-project";
import { realtimeConfigResponse } from "../../../../spec/operations/realtime";
import { storageConfigResponse } from "../../../../spec/operations/storage";
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

export const realtimeRecord = z.strictObject({
  config: realtimeConfigResponse,
  /** Clients that are connected. */
  connections: z.number(),
  /** When its connections were last shut down. */
  shutDownAt: time.nullable(),
});
type RealtimeRecord = z.infer<typeof realtimeRecord>;

/** Realtime as every project begins with it. */
export function newRealtime(): RealtimeRecord {
  return {
    config: { ...newRealtimeConfig },
    connections: 0,
    shutDownAt: null,
  };
}

export const restLayerRecord = z.strictObject({
  /** When empty, the REST service never becomes healthy. */
  dbSchema: z.string(),
  dbExtraSearchPath: z.string(),
  maxRows: z.number(),
  /** Null where the service decides. */
  dbPool: z.number().nullable(),
});
type RestLayerRecord = z.infer<typeof restLayerRecord>;

export function newRestLayer(): RestLayerRecord {
  return {
    dbSchema: newRestLayerConfig.db_schema,
    dbExtraSearchPath: newRestLayerConfig.db_extra_search_path,
    maxRows: newRestLayerConfig.max_rows,
    dbPool: null,
  };
}
