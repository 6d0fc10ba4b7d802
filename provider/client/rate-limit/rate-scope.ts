import type { Operation, StricterLimit } from "../../../spec/operation";

/** The standard limit (service, Limits). */
const STANDARD_LIMIT: StricterLimit = { limit: 120, windowMs: 60_000 };

export interface KeyedLimit {
  readonly key: string;
  readonly limit: StricterLimit;
}

/** The limits that count one call. */
export interface RateScope {
  /** For people: `project abc`. */
  readonly label: string;
  /** What the headers may count apart within the scope (service, Limits). */
  readonly operation: string;
  readonly standard: KeyedLimit;
  /** Of this endpoint in this scope; the rate-limit headers describe one of them when there is any. */
  readonly stricter: readonly KeyedLimit[];
}

/**
 * Whether a call carries a token. Those of OAuth that list no permission carry the application's own credentials, and
 * count for the IP address (service, Access).
 */
export function needsToken({ path, permissions }: Operation): boolean {
  return !(path.startsWith("/v1/oauth/") && permissions.length === 0);
}

/** Projects, organizations and branches are counted apart, everything else together (service, Limits). */
export function findRateScope(
  operation: Operation,
  parameters: Readonly<Record<string, unknown>>,
): RateScope {
  const [, kind, name] = /^\/v1\/(project|organization|branche)s\/\{(\w+)\}/.exec(operation.path) ?? [];
  const label =
    kind === undefined || name === undefined
      ? needsToken(operation)
        ? "the account"
        : "token exchanges"
      : `${kind === "branche" ? "branch" : kind} ${String(parameters[name])}`;
  const endpoint = `${label} ${operation.method} ${operation.path}`;
  return {
    label,
    operation: `${operation.method} ${operation.path}`,
    standard: { key: label, limit: STANDARD_LIMIT },
    stricter: operation.stricterLimits.map((limit) => ({
      key: `${endpoint} ${limit.limit}/${limit.windowMs}`,
      limit,
    })),
  };
}
