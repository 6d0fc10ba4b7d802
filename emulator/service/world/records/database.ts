import { z } from "zod";
import { backupsResponse } from "../../../../spec/operations/backups";
import { diskRequestBody } from "../../../../spec/operations/disk";
import { jitAccessRequestRequest, updateJitAccessBody } from "../../../../spec/operations/jit-access";
import { legacyPoolerConfigResponse, poolerConfigResponse } from "../../../../spec/operations/pooler";
import { mapOf, time } from "./fields";

const [gp3, io2] = diskRequestBody.shape.attributes.options;

/** What a disk is like; a gp3 disk has a throughput even if nobody asked for one. */
const diskAttributes = z.discriminatedUnion("type", [gp3.required({ throughput_mibps: true }), io2]);
export type DiskAttributes = Readonly<z.infer<typeof diskAttributes>>;

export const diskRecord = z.strictObject({
  attributes: diskAttributes,
  /** What it was like before the change to `attributes`; shown until that change is over. */
  before: diskAttributes.nullable(),
  /** When it was last changed, by a call or by itself. */
  modifiedAt: time.nullable(),
  usedBytes: z.number(),
  /** How it grows by itself; null where the service's own default counts. */
  autoscale: z.strictObject({
    growthPercent: z.number().nullable(),
    minIncrementGb: z.number().nullable(),
    maxSizeGb: z.number().nullable(),
  }),
});
export type DiskRecord = z.infer<typeof diskRecord>;

/** The disk that every project begins with (service, Disk); that of 2026-06 is made up, as the specification names none. */
export function newDisk(isMeasured: boolean): DiskRecord {
  return {
    attributes: { type: "gp3", size_gb: isMeasured ? 2 : 8, iops: 3_000, throughput_mibps: 125 },
    before: null,
    modifiedAt: null,
    usedBytes: 350_000_000,
    autoscale: isMeasured
      ? { growthPercent: null, minIncrementGb: null, maxSizeGb: null }
      : { growthPercent: 50, minIncrementGb: 4, maxSizeGb: null },
  };
}

const backupStatus = backupsResponse.shape.backups.element.shape.status;

export const backupsRecord = z.strictObject({
  /** Whether backups are copies of the files even without point-in-time recovery. */
  physical: z.boolean(),
  /** When point-in-time recovery was switched on; null counts as "when the project was created". */
  pitrSince: time.nullable(),
  /** By `inserted_at`: how a backup ended, where it did not simply complete. */
  statuses: mapOf(z.string(), backupStatus),
});
type BackupsRecord = z.infer<typeof backupsRecord>;

export function newBackups(): BackupsRecord {
  // service, Defaults: copies of the files, by WAL-G.
  return { physical: true, pitrSince: null, statuses: new Map() };
}

export const readonlyRecord = z.strictObject({
  /** What the service does when the disk is full. */
  enabled: z.boolean(),
  /** Until when writes are let through all the same; null for never. */
  overrideUntil: time.nullable(),
});
type ReadonlyRecord = z.infer<typeof readonlyRecord>;

/** The login role that was made last; the database knows them all. */
export const loginRoleRecord = z.strictObject({
  role: z.string(),
  readOnly: z.boolean(),
  validUntil: time,
});

export function newReadonly(): ReadonlyRecord {
  return { enabled: false, overrideUntil: null };
}

const { roles } = updateJitAccessBody.shape;
export type JitRole = z.output<typeof roles>[number];

/** Somebody who was invited to just-in-time access and is no user yet. */
const jitInvitationRecord = z.strictObject({ id: z.uuid(), email: z.string(), expiresAt: time, roles });

/** Just-in-time access to a project's database. */
export const jitRecord = z.strictObject({
  state: jitAccessRequestRequest.shape.state,
  /** Roles that each user may assume, by the user's id. */
  users: mapOf(z.string(), roles),
  /** Those that were neither accepted nor withdrawn, the oldest first. */
  invitations: z.array(jitInvitationRecord).default([]),
});
export type JitRecord = z.infer<typeof jitRecord>;

export function newJit(): JitRecord {
  return { state: "disabled", users: new Map(), invitations: [] };
}

export const poolerRecord = z.strictObject({
  /** Null where the compute size decides. */
  defaultPoolSize: z.number().nullable(),
  /** Null where the service does not return it (service, Poolers). */
  maxClientConn: z.number().nullable(),
  poolMode: poolerConfigResponse.shape.pool_mode,
  /** What the legacy pooler is set to; no call changes it, and the compute size decides what is absent. */
  legacy: legacyPoolerConfigResponse.omit({ connection_string: true }),
});
type PoolerRecord = z.infer<typeof poolerRecord>;

/** Poolers as every project begins with them: made up, as the specification names no defaults. */
export function newPooler(): PoolerRecord {
  return {
    defaultPoolSize: null,
    maxClientConn: null,
    poolMode: "transaction",
    legacy: {
      ignore_startup_parameters: "extra_float_digits",
      pool_mode: "transaction",
      server_idle_timeout: 600,
      server_lifetime: 3_600,
      query_wait_timeout: 120,
      reserve_pool_size: 0,
    },
  };
}

export const readReplicaRecord = z.strictObject({
  identifier: z.string(),
  region: z.string(),
  createdAt: time,
  /** How its set-up ends. */
  outcome: z.enum(["ACTIVE_HEALTHY", "INIT_READ_REPLICA_FAILED"]),
  /** When its removal began. */
  removedAt: time.nullable(),
});
export type ReadReplicaRecord = z.infer<typeof readReplicaRecord>;

export const sslEnforcementRecord = z.strictObject({
  database: z.boolean(),
  /** When it was last changed. */
  changedAt: time.nullable(),
  /** Whether changes get applied at all. */
  applies: z.boolean(),
});
type SslEnforcementRecord = z.infer<typeof sslEnforcementRecord>;

export function newSslEnforcement(): SslEnforcementRecord {
  return { database: false, changedAt: null, applies: true };
}
