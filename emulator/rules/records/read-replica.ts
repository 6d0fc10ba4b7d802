import { z } from "zod";
import { time } from "./fields";

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
