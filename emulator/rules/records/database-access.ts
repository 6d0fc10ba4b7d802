import { z } from "zod";
import { time } from "./fields";

export const readonlyRecord = z.strictObject({
  /** What the service does when the disk is full. */
  enabled: z.boolean(),
  /** Until when writes are let through all the same; null for never. */
  overrideUntil: time.nullable(),
});
export type ReadonlyRecord = z.infer<typeof readonlyRecord>;

/** The login role that was made last; the database knows them all. */
export const loginRoleRecord = z.strictObject({
  role: z.string(),
  readOnly: z.boolean(),
  validUntil: time,
});

export function newReadonly(): ReadonlyRecord {
  return { enabled: false, overrideUntil: null };
}
