import {
  currentOperations,
  documentedOperations,
  newerOperations,
  operations,
  type OperationName,
} from "../../spec/table";
import type { Operation, Stability, StricterLimit } from "../../spec/operation";

// The keys of the table are its operation names, which `Object.entries` widens to string.
const entries = Object.entries(operations) as [OperationName, Operation][];

const aMinute = (limit: number): StricterLimit => ({ limit, windowMs: 60_000 });

/** Stricter limits by what they apply to; `spec/facts.json` does not have them. */
const stricterLimits: Readonly<Record<string, Partial<Record<OperationName, readonly StricterLimit[]>>>> = {
  "service, Limits": {
    getLogs: [aMinute(30)],
    queryLogs: [aMinute(10)],
    getUsageApiCounts: [aMinute(30)],
    getUsageApiRequestsCount: [aMinute(30)],
    getDatabaseContext: [aMinute(10), { limit: 1, windowMs: 1_000 }],
    initializeCustomHostname: [aMinute(10)],
    reverifyCustomHostname: [aMinute(10)],
    removeCustomHostname: [aMinute(10)],
    getVanitySubdomain: [aMinute(10)],
  },
  "service, Limits: all vanity-subdomain calls": {
    checkVanitySubdomain: [aMinute(10)],
    activateVanitySubdomain: [aMinute(10)],
    deleteVanitySubdomain: [aMinute(10)],
  },
};

/** Labels by the place that gives them. */
const labels: readonly {
  readonly place: string;
  readonly stability: readonly Stability[];
  readonly names: readonly OperationName[];
}[] = [
  { place: "service, Projects", stability: ["beta"], names: ["getAvailableRegions"] },
  {
    place: "service, Network restrictions",
    stability: ["beta"],
    names: [
      "getNetworkRestrictions",
      "applyNetworkRestrictions",
      "listNetworkBans",
      "listNetworkBansEnriched",
      "removeNetworkBans",
    ],
  },
  {
    place: "service, Network restrictions",
    stability: ["alpha"],
    names: ["patchNetworkRestrictions"],
  },
  {
    place: "service, Upgrades",
    stability: ["beta"],
    names: ["getUpgradeEligibility", "startUpgrade", "getUpgradeStatus"],
  },
  {
    place: "service, OAuth",
    stability: ["beta"],
    names: ["authorize", "exchangeToken", "revokeToken"],
  },
  {
    place: "service, Crypto extension key",
    stability: ["beta"],
    names: ["getCryptoExtConfig", "updateCryptoExtConfig"],
  },
  { place: "service, Current operations", stability: ["alpha"], names: ["getProjectConfig"] },
  { place: "service, Edge functions", stability: ["deprecated"], names: ["createFunction"] },
  { place: "service, Branches", stability: ["beta"], names: ["diffBranch"] },
  { place: "service, SQL", stability: ["beta"], names: ["runQuery", "runReadOnlyQuery"] },
  {
    place: "service, SQL",
    stability: ["deprecated", "experimental"],
    names: ["getDatabaseContext"],
  },
  {
    place: "service, Migrations",
    stability: ["beta", "partner-only"],
    names: [
      "applyMigration",
      "upsertMigration",
      "listMigrations",
      "getMigration",
      "updateMigration",
      "rollbackMigrations",
    ],
  },
  {
    place: "service, Just-in-time access",
    stability: ["beta"],
    names: ["getJitAccess", "updateJitAccess"],
  },
  {
    place: "service, Login roles, read-only mode, webhooks",
    stability: ["beta"],
    names: ["createLoginRole", "deleteLoginRoles", "enableWebhooks"],
  },
  {
    place: "service, Poolers",
    stability: ["beta"],
    names: ["getSslEnforcement", "updateSslEnforcement"],
  },
  {
    place: "service, Backups",
    stability: ["beta"],
    names: ["setUpReadReplica", "removeReadReplica"],
  },
  {
    place: "service, Custom hostname",
    stability: ["beta"],
    names: [
      "getCustomHostname",
      "initializeCustomHostname",
      "reverifyCustomHostname",
      "activateCustomHostname",
      "getVanitySubdomain",
      "checkVanitySubdomain",
      "activateVanitySubdomain",
      "deleteVanitySubdomain",
    ],
  },
  { place: "service, Custom hostname", stability: ["beta"], names: ["removeCustomHostname"] },
  {
    place: "service, Advisors",
    stability: ["deprecated", "experimental"],
    names: ["getPerformanceAdvisors", "getSecurityAdvisors"],
  },
];

/** One line for each operation that has something, so that a failure names what differs. */
function lines(of: readonly (readonly [OperationName, readonly unknown[]])[]): string[] {
  return of
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}: ${JSON.stringify(values)}`)
    .toSorted();
}

describe("the operation table beside the documents", () => {
  it.each(Object.keys(stricterLimits))("has the stricter limits of %s", (place) => {
    for (const [name, limits] of Object.entries(stricterLimits[place] ?? {})) {
      expect({ name, limits: operations[name as OperationName].stricterLimits }).toEqual({ name, limits });
    }
  });

  it("has no other stricter limit", () => {
    const listed = Object.assign({}, ...Object.values(stricterLimits)) as Record<string, StricterLimit[]>;
    expect(lines(entries.map(([name, { stricterLimits: found }]) => [name, found]))).toEqual(
      lines(Object.entries(listed).map(([name, found]) => [name as OperationName, found])),
    );
  });

  it("labels what the documents call beta, alpha, deprecated, experimental or for partners, and nothing else", () => {
    expect(lines(entries.map(([name, { stability }]) => [name, stability]))).toEqual(
      lines(labels.flatMap(({ names, stability }) => names.map((name) => [name, stability] as const))),
    );
  });

  it("has the 149 operations of the documents, 37 that the running service has beyond them, and later ones", () => {
    expect(Object.keys(documentedOperations)).toHaveLength(149);
    expect(Object.keys(newerOperations)).toHaveLength(37);
    expect(entries).toHaveLength(186 + Object.keys(currentOperations).length);
  });

  it("has one operation for each method and path", () => {
    expect(new Set(entries.map(([, { method, path }]) => `${method} ${path}`)).size).toBe(entries.length);
  });
});
