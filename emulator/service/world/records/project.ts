import { z } from "zod";
import { addonType, addonVariant, computeVariant } from "../../../../spec/operations/billing";
import { updatePostgresConfigBody } from "../../../../spec/operations/database";
import {
  databaseUpgradeStatusResponse,
  projectUpgradeEligibilityResponse,
} from "../../../../spec/operations/upgrades";
import { healthService, projectStatus, releaseChannel } from "../../../../spec/shared-fields";
import {
  authRecord,
  type AuthRecord,
  apiKeyRecord,
  signingKeyRecord,
  ssoProviderRecord,
  cryptoExtensionRecord,
} from "./auth";
import {
  backupsRecord,
  diskRecord,
  loginRoleRecord,
  readonlyRecord,
  jitRecord,
  poolerRecord,
  readReplicaRecord,
  sslEnforcementRecord,
} from "./database";
import { stepFailure } from "./branch";
import { mapOf, time } from "./fields";
import { invocationRecord, bundle, functionRecord, secretRecord } from "./functions";
import { networkRecord } from "./network";
import { newerRecord } from "./newer";
import { realtimeRecord, storageRecord, restLayerRecord } from "./services";
import { customHostnameRecord } from "./domains";
import { logDrainsRecord, newLogDrains } from "./log-drains";
import { webhooksRecord, newWebhooks } from "./webhooks";

const upgradeReport = databaseUpgradeStatusResponse.shape.databaseUpgradeStatus.unwrap();
const upgradeErrorCode = upgradeReport.shape.error.unwrap();
const postgresOverrides = updatePostgresConfigBody.omit({ restart_database: true });

export type UpgradeReport = z.infer<typeof upgradeReport>;
export type UpgradeErrorCode = z.infer<typeof upgradeErrorCode>;
export type ProjectStatus = z.infer<typeof projectStatus>;
export type HealthService = z.infer<typeof healthService>;
export type ReleaseChannel = z.infer<typeof releaseChannel>;
export type AddonType = z.infer<typeof addonType>;
export type AddonVariantId = z.infer<typeof addonVariant>["id"];
export type ComputeVariant = z.infer<typeof computeVariant>;
export type PostgresOverrides = z.infer<typeof postgresOverrides>;

/** What a project is going through: `rest` is over at once, the others pass through their states to `outcome`. */
const activity = z.strictObject({
  kind: z.enum(["rest", "create", "pause", "restore", "resize", "restart", "upgrade", "remove"]),
  since: time,
  outcome: projectStatus,
});
export type Activity = Readonly<z.infer<typeof activity>>;

const databaseImage = z.strictObject({ version: z.string(), engine: z.string(), releaseChannel });
export type DatabaseImage = Readonly<z.infer<typeof databaseImage>>;

const upgradeRecord = z.strictObject({
  run: z
    .strictObject({
      trackingId: z.string(),
      since: time,
      target: databaseImage,
      error: upgradeErrorCode.nullable(),
    })
    .nullable(),
  /** Each of these obstacles makes the project ineligible. */
  validationErrors: projectUpgradeEligibilityResponse.shape.validation_errors,
  legacyAuthCustomRoles: z.array(z.string()),
  objectsToBeDropped: z.array(z.string()),
  unsupportedExtensions: z.array(z.string()),
  userDefinedObjectsInInternalSchemas: z.array(z.string()),
});
export type UpgradeRecord = z.infer<typeof upgradeRecord>;

export const projectRecord = z.strictObject({
  ref: z.string(),
  number: z.number(),
  /** The branch whose preview project this is. */
  branchId: z.string().nullable(),
  /** Changes when the project is claimed. */
  organizationSlug: z.string(),
  name: z.string(),
  region: z.string(),
  createdAt: time,
  templateUrl: z.string().nullable(),
  /** What was installed when it was created or last upgraded; a finished `upgrade.run` counts on top. */
  database: databaseImage,
  activity,
  /** When all its services were restarted on request. */
  restartedAt: time.nullable().default(null),
  /** Shown instead of what the activity says, until the next activity begins. */
  forcedStatus: projectStatus.nullable(),
  /** When a call last concerned a preview project. */
  lastUsedAt: time,
  dbPass: z.string(),
  jwtSecret: z.string(),
  restLayer: restLayerRecord,
  /** Services that stay unhealthy, with the error that they report. */
  unhealthyServices: mapOf(healthService, z.string()),
  /** Size without a compute add-on. */
  smallestSize: z.enum(["pico", "nano", "micro"]),
  addons: mapOf(addonType, addonVariant.shape.id),
  /** When one of them was changed last. */
  addonsChangedAt: time.nullable().default(null),
  /** Compute variants before the selected one, oldest first; null for none. */
  previousComputes: z.array(computeVariant.nullable()),
  upgrade: upgradeRecord,
  /** Loose, as the service may know more settings than its document. */
  postgresOverrides: postgresOverrides.loose(),
  /** The overrides with which the database was started last. */
  startedOverrides: postgresOverrides.loose().default(() => ({})),
  secrets: mapOf(z.string(), secretRecord),
  /** By slug. */
  functions: mapOf(z.string(), functionRecord),
  /** What was uploaded, by the checksum of the bundle. */
  bundles: mapOf(z.string(), bundle),
  /** Checksums of the bundles that are prepared for a bulk update, by slug. */
  preparedBundles: mapOf(z.string(), z.string()).default(() => new Map()),
  /** By id. */
  apiKeys: mapOf(z.string(), apiKeyRecord),
  deletedApiKeys: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      wasCompromised: z.boolean(),
      reason: z.string().nullable(),
    }),
  ),
  legacyApiKeysEnabled: z.boolean(),
  /** By id. */
  signingKeys: mapOf(z.string(), signingKeyRecord),
  auth: authRecord,
  cryptoExtension: cryptoExtensionRecord,
  /** By id. */
  ssoProviders: mapOf(z.string(), ssoProviderRecord),
  customHostname: customHostnameRecord.nullable(),
  vanitySubdomain: z.string().nullable(),
  /** Of edge functions, oldest first. */
  invocations: z.array(invocationRecord),
  jit: jitRecord,
  network: networkRecord,
  disk: diskRecord,
  storage: storageRecord,
  realtime: realtimeRecord,
  /** By identifier. */
  readReplicas: mapOf(z.string(), readReplicaRecord),
  backups: backupsRecord,
  sslEnforcement: sslEnforcementRecord,
  pooler: poolerRecord,
  readonly: readonlyRecord,
  /** Whether webhooks were enabled; a database that is not in use yet gets them at its first use. */
  webhooksEnabled: z.boolean(),
  lastLoginRole: loginRoleRecord.nullable(),
  newer: newerRecord,
  webhooks: webhooksRecord.default(newWebhooks),
  logDrains: logDrainsRecord.default(newLogDrains),
  /** How what is begun next ends; each goes back to its usual end once it was used. */
  next: z.strictObject({
    pause: z.enum(["INACTIVE", "PAUSE_FAILED"]),
    restore: z.enum(["ACTIVE_HEALTHY", "INACTIVE", "RESTORE_FAILED"]),
    upgradeError: upgradeErrorCode.nullable(),
    branchFailure: stepFailure.nullable(),
    branchProject: z.enum(["ACTIVE_HEALTHY", "INIT_FAILED"]),
    readReplica: readReplicaRecord.shape.outcome,
  }),
});
/** The settings as far as they are documented, so that the compiler knows their names. */
export interface ProjectRecord extends Omit<
  z.infer<typeof projectRecord>,
  "activity" | "auth" | "database" | "postgresOverrides" | "startedOverrides"
> {
  activity: Activity;
  auth: AuthRecord;
  database: DatabaseImage;
  postgresOverrides: PostgresOverrides;
  startedOverrides: PostgresOverrides;
}
