import { z } from "zod";
import { openEnum, openRange } from "../../../define/open-values";
import { grouped } from "../../../define/markers";

const enabled = z.boolean().describe("Whether the feature is enabled.").optional();

const feature = z
  .strictObject({ enabled })
  .meta({ id: "StorageConfigFeature", description: "A feature of storage." });

function count(what: string) {
  return openRange({ least: 0 }).describe(`Maximum number of ${what}.`).optional();
}

const features = z
  .strictObject({
    imageTransformation: grouped(feature.describe("On-the-fly image transformation.")).optional(),
    s3Protocol: grouped(feature.describe("Access through the S3 protocol.")).optional(),
    icebergCatalog: grouped(
      z
        .strictObject({
          enabled,
          maxNamespaces: count("namespaces"),
          maxTables: count("tables"),
          maxCatalogs: count("catalogs"),
        })
        .meta({ id: "StorageConfigIcebergCatalog", description: "Iceberg catalogs." })
        .describe("Iceberg catalogs."),
    ).optional(),
    vectorBuckets: grouped(
      z
        .strictObject({ enabled, maxBuckets: count("buckets"), maxIndexes: count("indexes") })
        .meta({ id: "StorageConfigVectorBuckets", description: "Vector buckets." })
        .describe("Vector buckets."),
    ).optional(),
  })
  .meta({ id: "StorageConfigFeatures", description: "The features of storage." });

const external = z
  .strictObject({
    upstreamTarget: openEnum(
      z
        .enum(["main", "canary"])
        .meta({ id: "StorageConfigUpstreamTarget", description: "The release of storage." }),
    )
      .describe("Release of storage that serves the project: `main` or `canary`.")
      .optional(),
  })
  .meta({ id: "StorageConfigExternal", description: "Where storage is served from." });

/** The settings by their property names. */
export const storageSettings = {
  fileSizeLimit: openRange({ least: 0, most: 536_870_912_000 })
    .describe(
      "Maximum size of a file in bytes, from 0 to 536870912000. The service rejects values above the plan's limit.",
    )
    .optional(),
  features: grouped(
    features.describe("Features of storage. Fields that are not declared are left alone."),
  ).optional(),
  external: grouped(external.describe("Where storage is served from.")).optional(),
};

export const storageOutputs = {
  capabilities: z
    .object({
      listV2: z.boolean().describe("Whether version 2 of the object listing is available."),
      icebergCatalog: z.boolean().describe("Whether Iceberg catalogs are available."),
    })
    .meta({ id: "StorageConfigCapabilities", description: "Capabilities of the project's storage." })
    .describe("Capabilities of the project's storage."),
  migrationVersion: z.string().describe("The last migration of the storage schema."),
  databasePoolMode: z.string().describe("Mode of storage's database connection pool."),
};
