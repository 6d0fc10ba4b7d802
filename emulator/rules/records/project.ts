import type { z } from "zod";
import type { addonType, addonVariant, computeVariant } from "../../../spec/operations/billing";
import type { updatePostgresConfigBody } from "../../../spec/operations/database";
import type {
  databaseUpgradeStatusResponse,
  projectUpgradeEligibilityResponse,
} from "../../../spec/operations/upgrades";
import type { healthService, projectStatus, releaseChannel } from "../../../spec/shared-fields";
import type { BackupsRecord } from "./backups";
import type { AuthRecord } from "./auth";
import type { StepFailure } from "./branch";
import type { CryptoExtensionRecord } from "./crypto-extension";
import type { InvocationRecord } from "./invocation";
import type { JitRecord } from "./jit";
import type { ReadonlyRecord } from "./database-access";
import type { DiskRecord } from "./disk";
import type { NetworkRecord } from "./network";
import type { PoolerRecord } from "./pooler";
import type { ReadReplicaRecord } from "./read-replica";
import type { RealtimeRecord } from "./realtime";
import type { RestLayerRecord } from "./rest-layer";
import type { SslEnforcementRecord } from "./ssl-enforcement";
import type { StorageRecord } from "./storage";
import type {
  ApiKeyRecord,
  Bundle,
  CustomHostnameRecord,
  FunctionRecord,
  SecretRecord,
  SigningKeyRecord,
  SsoProviderRecord,
} from "./sub-resources";

type Eligibility = z.infer<typeof projectUpgradeEligibilityResponse>;
export type UpgradeReport = NonNullable<
  z.infer<typeof databaseUpgradeStatusResponse>["databaseUpgradeStatus"]
>;
export type UpgradeErrorCode = NonNullable<UpgradeReport["error"]>;
export type ProjectStatus = z.infer<typeof projectStatus>;
export type HealthService = z.infer<typeof healthService>;
export type ReleaseChannel = z.infer<typeof releaseChannel>;
export type AddonType = z.infer<typeof addonType>;
export type AddonVariantId = z.infer<typeof addonVariant>["id"];
export type ComputeVariant = z.infer<typeof computeVariant>;
export type PostgresOverrides = Omit<z.infer<typeof updatePostgresConfigBody>, "restart_database">;

/** What a project is going through: `rest` is over at once, the others pass through their states to `outcome`. */
export interface Activity {
  readonly kind: "rest" | "create" | "pause" | "restore" | "resize" | "restart" | "upgrade" | "remove";
  readonly since: number;
  readonly outcome: ProjectStatus;
}

export interface DatabaseImage {
  readonly version: string;
  readonly engine: string;
  readonly releaseChannel: ReleaseChannel;
}

export interface ProjectRecord {
  readonly ref: string;
  readonly number: number;
  /** The branch whose preview project this is. */
  readonly branchId: string | null;
  /** Changes when the project is claimed. */
  organizationSlug: string;
  name: string;
  region: string;
  readonly createdAt: number;
  templateUrl: string | null;
  /** What was installed when it was created or last upgraded; a finished `upgrade.run` counts on top. */
  database: DatabaseImage;
  activity: Activity;
  /** Shown instead of what the activity says, until the next activity begins. */
  forcedStatus: ProjectStatus | null;
  /** When a call last concerned a preview project. */
  lastUsedAt: number;
  dbPass: string;
  jwtSecret: string;
  readonly restLayer: RestLayerRecord;
  /** Services that stay unhealthy, with the error that they report. */
  readonly unhealthyServices: Map<HealthService, string>;
  /** Size without a compute add-on. */
  smallestSize: "pico" | "nano";
  readonly addons: Map<AddonType, AddonVariantId>;
  /** Compute variants before the selected one, oldest first; null for none. */
  previousComputes: (ComputeVariant | null)[];
  readonly upgrade: UpgradeRecord;
  postgresOverrides: PostgresOverrides;
  readonly secrets: Map<string, SecretRecord>;
  /** By slug. */
  readonly functions: Map<string, FunctionRecord>;
  /** What was uploaded, by the checksum of the bundle. */
  readonly bundles: Map<string, Bundle>;
  /** By id. */
  readonly apiKeys: Map<string, ApiKeyRecord>;
  readonly deletedApiKeys: { id: string; name: string; wasCompromised: boolean; reason: string | null }[];
  legacyApiKeysEnabled: boolean;
  /** By id. */
  readonly signingKeys: Map<string, SigningKeyRecord>;
  readonly auth: AuthRecord;
  readonly cryptoExtension: CryptoExtensionRecord;
  /** By id. */
  readonly ssoProviders: Map<string, SsoProviderRecord>;
  customHostname: CustomHostnameRecord | null;
  vanitySubdomain: string | null;
  /** Of edge functions, oldest first. */
  readonly invocations: InvocationRecord[];
  readonly jit: JitRecord;
  readonly network: NetworkRecord;
  readonly disk: DiskRecord;
  readonly storage: StorageRecord;
  readonly realtime: RealtimeRecord;
  /** By identifier. */
  readonly readReplicas: Map<string, ReadReplicaRecord>;
  readonly backups: BackupsRecord;
  readonly sslEnforcement: SslEnforcementRecord;
  readonly pooler: PoolerRecord;
  readonly readonly: ReadonlyRecord;
  /** How what is begun next ends; each goes back to its usual end once it was used. */
  readonly next: {
    pause: "INACTIVE" | "PAUSE_FAILED";
    restore: "ACTIVE_HEALTHY" | "INACTIVE" | "RESTORE_FAILED";
    upgradeError: UpgradeErrorCode | null;
    branchFailure: StepFailure | null;
    branchProject: "ACTIVE_HEALTHY" | "INIT_FAILED";
    readReplica: ReadReplicaRecord["outcome"];
  };
}

export interface UpgradeRecord {
  run: { trackingId: string; since: number; target: DatabaseImage; error: UpgradeErrorCode | null } | null;
  /** Each of these obstacles makes the project ineligible. */
  validationErrors: Eligibility["validation_errors"];
  legacyAuthCustomRoles: string[];
  objectsToBeDropped: string[];
  unsupportedExtensions: string[];
  userDefinedObjectsInInternalSchemas: string[];
}
