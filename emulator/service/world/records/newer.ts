import { z } from "zod";
import { newerAuthConfigFields } from "../../../../spec/auth-config-fields";
import { newerRealtimeConfigFields } from "../../../../spec/operations/realtime";
import { mapOf, time } from "./fields";

/** Unknown which names and shapes there are beside those that were recorded (service, Newer fields): these are made up. */
export const newerAuthConfig = z.object({
  ...newerAuthConfigFields,
  mfa_allow_low_aal: z.boolean().nullable(),
  audit_log_disable_postgres: z.boolean().nullable(),
  security_update_password_require_current_password: z.boolean().nullable(),
});

export const newerRealtimeConfig = z.object(newerRealtimeConfigFields);

/** In seconds. */
export const newerRestLayerConfig = z.object({ db_pool_acquisition_timeout: z.int().min(0) });

const restorePointRecord = z.strictObject({
  name: z.string(),
  createdAt: time,
  /** How making it ends. */
  outcome: z.enum(["AVAILABLE", "FAILED"]),
  /** Whether the service has dropped it since. */
  removed: z.boolean(),
});
export type RestorePointRecord = z.infer<typeof restorePointRecord>;

const claimTokenRecord = z.strictObject({
  token: z.string(),
  alias: z.string(),
  createdAt: time,
  expiresAt: time,
  /** The user who made it. */
  createdBy: z.string(),
});
export type ClaimTokenRecord = z.infer<typeof claimTokenRecord>;

/** What of a project only a newer service knows; fields of older operations are shown and taken while the state's `newer` is true. */
export const newerRecord = z.strictObject({
  /** What was set of each configuration; every other field has its default. */
  auth: newerAuthConfig.partial(),
  realtime: newerRealtimeConfig.partial(),
  restLayer: newerRestLayerConfig.partial(),
  /** What an upgrade would bring about without being in its way. */
  upgradeWarnings: z.array(z.looseObject({ type: z.string() })),
  /** Ids of the SSO providers that are switched off. */
  disabledSsoProviders: z.array(z.string()),
  /** When the daily backup is made. */
  backupSchedule: z.strictObject({ scheduleFor: z.string(), updatedAt: time.nullable() }),
  /** By name, oldest first. */
  restorePoints: mapOf(z.string(), restorePointRecord),
  /** How making the next one ends; AVAILABLE again after it. */
  nextRestorePoint: restorePointRecord.shape.outcome,
  /** What another organization can claim the project with. */
  claimToken: claimTokenRecord.nullable(),
  /** Whether another organization can be given the project. */
  isTransferable: z.boolean().default(true),
});
export type NewerRecord = z.infer<typeof newerRecord>;

export function newNewer(): NewerRecord {
  return {
    auth: {},
    realtime: {},
    restLayer: {},
    upgradeWarnings: [],
    disabledSsoProviders: [],
    backupSchedule: { scheduleFor: "03:00:00", updatedAt: null },
    restorePoints: new Map(),
    nextRestorePoint: "AVAILABLE",
    claimToken: null,
    isTransferable: true,
  };
}
