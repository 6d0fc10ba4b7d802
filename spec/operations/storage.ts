import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersEmpty, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const storageBucketResponse = z.object({
  id: identifier(z.string()),
  name: z.string(),
  owner: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  public: z.boolean(),
});

export const storageConfigResponse = z.object({
  fileSizeLimit: z.int(),
  features: z.object({
    imageTransformation: z.object({ enabled: z.boolean() }),
    s3Protocol: z.object({ enabled: z.boolean() }),
    icebergCatalog: z.object({
      enabled: z.boolean(),
      maxNamespaces: z.int().min(0),
      maxTables: z.int().min(0),
      maxCatalogs: z.int().min(0),
    }),
    vectorBuckets: z.object({ enabled: z.boolean(), maxBuckets: z.int().min(0), maxIndexes: z.int().min(0) }),
  }),
  capabilities: z.object({ list_v2: z.boolean(), iceberg_catalog: z.boolean() }),
  external: z.object({ upstreamTarget: z.enum(["main", "canary"]) }),
  migrationVersion: z.string(),
  databasePoolMode: z.string(),
});

export const updateStorageConfigBody = z.strictObject({
  fileSizeLimit: z.int().min(0).max(536870912000).optional(),
  features: z
    .object({
      imageTransformation: z.object({ enabled: z.boolean() }).optional(),
      s3Protocol: z.object({ enabled: z.boolean() }).optional(),
      icebergCatalog: z
        .object({
          enabled: z.boolean(),
          maxNamespaces: z.int().min(0),
          maxTables: z.int().min(0),
          maxCatalogs: z.int().min(0),
        })
        .optional(),
      vectorBuckets: z
        .object({ enabled: z.boolean(), maxBuckets: z.int().min(0), maxIndexes: z.int().min(0) })
        .optional(),
    })
    .optional(),
  external: z.object({ upstreamTarget: z.enum(["main", "canary"]) }).optional(),
});

/** `GET /v1/projects/{ref}/storage/buckets` */
export const listBuckets = operation({
  method: "GET",
  path: "/v1/projects/{ref}/storage/buckets",
  params: z.object({ ref: projectRef }),
  success: answers(200, z.array(storageBucketResponse)),
  errors: [401, 403, 429, 500],
  scope: "storage:read",
  permissions: [["storage_read"]],
});

/** `GET /v1/projects/{ref}/config/storage` */
export const getStorageConfig = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/storage",
  params: z.object({ ref: projectRef }),
  success: answers(200, storageConfigResponse),
  errors: [401, 403, 429, 500],
  permissions: [["storage_config_read"]],
});

/** `PATCH /v1/projects/{ref}/config/storage` */
export const updateStorageConfig = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/config/storage",
  params: z.object({ ref: projectRef }),
  body: json(updateStorageConfigBody),
  success: answersEmpty(200),
  errors: [401, 403, 429, 500],
  permissions: [["storage_config_write"]],
});

export const storageOperations = { listBuckets, getStorageConfig, updateStorageConfig };
