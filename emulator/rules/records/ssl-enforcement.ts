export interface SslEnforcementRecord {
  database: boolean;
  /** When it was last changed. */
  changedAt: number | null;
  /** Whether changes get applied at all. */
  applies: boolean;
}

export function newSslEnforcement(): SslEnforcementRecord {
  return { database: false, changedAt: null, applies: true };
}
