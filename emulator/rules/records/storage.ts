import type { z } from "zod";
import type { storageConfigResponse } from "../../../spec/operations/storage";

type Config = z.output<typeof storageConfigResponse>;

export interface BucketRecord {
  name: string;
  owner: string;
  public: boolean;
  createdAt: number;
  updatedAt: number;
}

export interface StorageRecord {
  fileSizeLimit: number;
  features: Config["features"];
  capabilities: Config["capabilities"];
  upstreamTarget: Config["external"]["upstreamTarget"];
  migrationVersion: string;
  databasePoolMode: string;
  /** By id. */
  readonly buckets: Map<string, BucketRecord>;
}

/** Storage as every project begins with it: made up, as the specification names no defaults. */
export function newStorage(): StorageRecord {
  return {
    fileSizeLimit: 50 * 2 ** 20,
    features: {
      imageTransformation: { enabled: false },
      s3Protocol: { enabled: true },
      icebergCatalog: { enabled: false, maxNamespaces: 10, maxTables: 10, maxCatalogs: 2 },
      vectorBuckets: { enabled: false, maxBuckets: 10, maxIndexes: 5 },
    },
    capabilities: { list_v2: true, iceberg_catalog: true },
    upstreamTarget: "main",
    migrationVersion: "iceberg-catalog-ids",
    databasePoolMode: "recycled",
    buckets: new Map(),
  };
}
