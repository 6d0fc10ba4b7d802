export interface ReadReplicaRecord {
  readonly identifier: string;
  readonly region: string;
  readonly createdAt: number;
  /** How its set-up ends. */
  outcome: "ACTIVE_HEALTHY" | "INIT_READ_REPLICA_FAILED";
  /** When its removal began. */
  removedAt: number | null;
}
