import { z } from "zod";
import { time } from "./fields";

export const sslEnforcementRecord = z.strictObject({
  database: z.boolean(),
  /** When it was last changed. */
  changedAt: time.nullable(),
  /** Whether changes get applied at all. */
  applies: z.boolean(),
});
export type SslEnforcementRecord = z.infer<typeof sslEnforcementRecord>;

export function newSslEnforcement(): SslEnforcementRecord {
  return { database: false, changedAt: null, applies: true };
}
