/** The two lists of a project's restrictions, in canonical spelling. */
export interface AllowedCidrs {
  v4: string[];
  v6: string[];
}

export interface NetworkRestrictionsRecord {
  /** What was asked for last. */
  config: AllowedCidrs;
  /** What was in force when `config` was asked for; it stays so until `config` is applied. */
  before: AllowedCidrs;
  /** When `config` was asked for; null as long as nobody did. */
  updatedAt: number | null;
}

/** A login that failed, or a ban that came of such, at one database of the project. */
export interface LoginTraceRecord {
  readonly address: string;
  /** The project's ref for the primary, else the identifier of a read replica. */
  readonly databaseIdentifier: string;
  readonly at: number;
}

export interface NetworkRecord {
  readonly restrictions: NetworkRestrictionsRecord;
  /** Those that may still lead to a ban. */
  failedLogins: LoginTraceRecord[];
  bans: LoginTraceRecord[];
}

/** A network that is open to all. */
export function newNetwork(): NetworkRecord {
  const everyone = (): AllowedCidrs => ({ v4: ["0.0.0.0/0"], v6: ["::/0"] });
  return {
    restrictions: { config: everyone(), before: everyone(), updatedAt: null },
    failedLogins: [],
    bans: [],
  };
}
