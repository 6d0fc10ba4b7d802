import { z } from "zod";
import { time } from "./fields";

/** The two lists of a project's restrictions, in canonical spelling. */
const allowedCidrs = z.strictObject({ v4: z.array(z.string()), v6: z.array(z.string()) });
export type AllowedCidrs = z.infer<typeof allowedCidrs>;

const networkRestrictionsRecord = z.strictObject({
  /** What was asked for last. */
  config: allowedCidrs,
  /** What was in force when `config` was asked for; it stays so until `config` is applied. */
  before: allowedCidrs,
  /** When `config` was asked for; null as long as nobody did. */
  updatedAt: time.nullable(),
  /** From `updatedAt` until `config` is applied, at pace 1. */
  delayMs: z.number(),
  /** Whether what is asked for waits for somebody's approval. */
  reviewed: z.boolean().default(false),
  /** What waits for it; `config` stays in force meanwhile. */
  pending: z.strictObject({ config: allowedCidrs, requestedAt: time }).nullable().default(null),
});
export type NetworkRestrictionsRecord = z.infer<typeof networkRestrictionsRecord>;

/** A login that failed, or a ban that came of such, at one database of the project. */
const loginTraceRecord = z.strictObject({
  address: z.string(),
  /** The project's ref for the primary, else the identifier of a read replica. */
  databaseIdentifier: z.string(),
  at: time,
});
export type LoginTraceRecord = Readonly<z.infer<typeof loginTraceRecord>>;

export const networkRecord = z.strictObject({
  restrictions: networkRestrictionsRecord,
  /** Those that may still lead to a ban. */
  failedLogins: z.array(loginTraceRecord),
  bans: z.array(loginTraceRecord),
});
export type NetworkRecord = z.infer<typeof networkRecord>;

/** A network that is open to all. */
export function newNetwork(): NetworkRecord {
  const everyone = (): AllowedCidrs => ({ v4: ["0.0.0.0/0"], v6: ["::/0"] });
  return {
    restrictions: {
      config: everyone(),
      before: everyone(),
      updatedAt: null,
      delayMs: 0,
      reviewed: false,
      pending: null,
    },
    failedLogins: [],
    bans: [],
  };
}
