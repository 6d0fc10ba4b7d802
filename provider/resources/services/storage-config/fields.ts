import { z } from "zod";
import { grouped } from "../../../define/markers";

const enabled = z.boolean().describe("Whether the feature is switched on.").optional();

const feature = z
  .strictObject({ enabled })
  .meta({ id: "StorageConfigFeature", description: "A feature of storage." });

function count(what: string) {
  return z.int().min(0).describe(`Maximum number of ${what}.`).optional();
}

const features = z
  .strictObject({
    imageTransformation: grouped(
      feature.describe("Transformation of images while they are served."),
    ).optional(),
    s3Protocol: grouped(feature.describe("Access by the S3 protocol.")).optional(),
    icebergCatalog: grouped(
      z
        .strictObject({
          enabled,
          maxNamespaces: count("namespaces"),
          maxTables: count("tables"),
          maxCatalogs: count("catalogs"),
        })
        .meta({ id: "StorageConfigIcebergCatalog", description: "Catalogs of Iceberg tables." })
        .describe("Catalogs of Iceberg tables."),
    ).optional(),
    vectorBuckets: grouped(
      z
        .strictObject({ enabled, maxBuckets: count("buckets"), maxIndexes: count("indexes") })
        .meta({ id: "StorageConfigVectorBuckets", description: "Buckets of vectors." })
        .describe("Buckets of vectors."),
    ).optional(),
  })
  .meta({ id: "StorageConfigFeatures", description: "The features of storage." });

const external = z
  .strictObject({
    upstreamTarget: z
      .enum(["main", "canary"])
      .meta({ id: "StorageConfigUpstreamTarget", description: "The release of storage." })
      .describe("The release of storage that serves the project: `main` or `canary`.")
      .optional(),
  })
  .meta({ id: "StorageConfigExternal", description: "Where storage is served from." });

/** The settings by their property names. */
export const storageSettings = {
  fileSizeLimit: z
    .int()
    .min(0)
    .max(536_870_912_000)
    .describe(
      "Maximum size of a file in bytes, from 0 to 536870912000. The plan may allow less: the service refuses the rest.",
    )
    .optional(),
  features: grouped(
    features.describe("Features of storage; each field that is not declared stays as it is."),
  ).optional(),
  external: grouped(external.describe("Where storage is served from.")).optional(),
};

export const storageOutputs = {
  capabilities: z
    .object({
      listV2: z.boolean().describe("Whether objects can be listed by the second version."),
      icebergCatalog: z.boolean().describe("Whether it can have catalogs of Iceberg tables."),
    })
    .meta({ id: "StorageConfigCapabilities", description: "What the project's storage is able to do." })
    .describe("What the project's storage is able to do."),
  migrationVersion: z.string().describe("The last migration of the storage schema."),
  databasePoolMode: z.string().describe("How storage shares its connections to the database."),
};
