import { z } from "zod";
import { logDrainBackendType } from "../../../../spec/operations/newer/log-drains";
import { mapOf } from "./fields";

const drainRecord = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  backendType: logDrainBackendType,
  config: z.record(z.string(), z.unknown()),
});
export type LogDrainRecord = z.infer<typeof drainRecord>;

/** The log drains of a project. */
export const logDrainsRecord = z.strictObject({
  /** Whether answers have the credentials, and with which values: which of these the service does is not known. */
  credentialsShown: z.enum(["plain", "masked", "no"]),
  /** By id, oldest first. */
  drains: mapOf(z.string(), drainRecord),
});
export type LogDrainsRecord = z.infer<typeof logDrainsRecord>;

export function newLogDrains(): LogDrainsRecord {
  return { credentialsShown: "masked", drains: new Map() };
}
