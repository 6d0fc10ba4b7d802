import { z } from "zod";
import { reservesPrefix } from "./names/marks";

/** Reference of a project or of a branch: twenty lower-case letters. */
export const projectRef = z
  .string()
  .length(20)
  .regex(/^[a-z]+$/);

/** Name of a function secret, of which the service keeps some for itself (service, Function secrets). */
export const secretName = <S extends z.ZodType>(schema: S): S => reservesPrefix("SVC_", schema);

/** ISO 8601 date and time. */
export const timestamp = z.iso.datetime({ offset: true });

/** States of a project (service, Projects). */
export const projectStatus = z.enum([
  "INACTIVE",
  "ACTIVE_HEALTHY",
  "ACTIVE_UNHEALTHY",
  "COMING_UP",
  "UNKNOWN",
  "GOING_DOWN",
  "INIT_FAILED",
  "REMOVED",
  "RESTORING",
  "UPGRADING",
  "PAUSING",
  "RESTORE_FAILED",
  "RESTARTING",
  "PAUSE_FAILED",
  "RESIZING",
  "PROMOTING",
]);

/** Compute sizes. */
export const instanceSize = z
  .enum([
    "pico",
    "nano",
    "micro",
    "small",
    "medium",
    "large",
    "xlarge",
    "2xlarge",
    "4xlarge",
    "8xlarge",
    "12xlarge",
    "16xlarge",
    "24xlarge",
    "24xlarge_optimized_memory",
    "24xlarge_optimized_cpu",
    "24xlarge_high_memory",
    "48xlarge",
    "48xlarge_optimized_memory",
    "48xlarge_optimized_cpu",
    "48xlarge_high_memory",
  ])
  .meta({ id: "InstanceSize", description: "Compute size of a database.", beforeDigits: "Size" });

/** Services whose health is reported. */
export const healthService = z
  .enum(["auth", "db", "db_postgres_user", "pooler", "realtime", "rest", "storage", "legacy_pooler"])
  .meta({ id: "HealthService", description: "A service of a project, whose health is reported." });

/** Postgres engines a project can be created with. */
export const postgresEngine = z.enum(["15", "17", "17-oriole"]).meta({
  id: "PostgresEngine",
  description: "A Postgres engine: the major version, and the kind where it is not the usual one.",
  beforeDigits: "V",
});

/** Release channels of the Postgres image. */
export const releaseChannel = z
  .enum(["internal", "alpha", "beta", "ga", "withdrawn", "preview"])
  .meta({ id: "ReleaseChannel", description: "Release channel of a Postgres image." });

/** Regions a project can run in. */
export const regionCode = z
  .enum([
    "us-east-1",
    "us-east-2",
    "us-west-1",
    "us-west-2",
    "ap-east-1",
    "ap-southeast-1",
    "ap-northeast-1",
    "ap-northeast-2",
    "ap-southeast-2",
    "eu-west-1",
    "eu-west-2",
    "eu-west-3",
    "eu-north-1",
    "eu-central-1",
    "eu-central-2",
    "ca-central-1",
    "ap-south-1",
    "sa-east-1",
  ])
  .meta({ id: "Region", description: "A region in which a project can run." });

/** Parts of the world for which regions are recommended. */
export const continent = z.enum(["NA", "SA", "EU", "AF", "AS", "OC", "AN"]).meta({
  id: "GetAvailableRegionsContinent",
  description: "A continent.",
  valueNames: {
    NA: "NorthAmerica",
    SA: "SouthAmerica",
    EU: "Europe",
    AF: "Africa",
    AS: "Asia",
    OC: "Oceania",
    AN: "Antarctica",
  },
});
