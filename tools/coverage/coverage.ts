import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ruleHandlers } from "../../emulator/rules";
import { ManagementClient } from "../../provider/client";
import { operations, type OperationName } from "../../spec/table";
import { usersOfOperations } from "./users";

/** Why nothing in the provider calls an operation. */
export type Plan =
  | `later: ${"resource" | "function" | "action"} ${string}`
  /** The client and the emulator have it, and no resource will. */
  | `client only: ${string}`;

/** Every operation that no resource, function or action calls: what will, or why none does. */
export const plans: Readonly<Partial<Record<OperationName, Plan>>> = {
  authorize: "client only: a step of a person in a browser, at the address that getAuthorizeUrl makes",
  authorizeProjectClaim: "client only: a step of a person in a browser",
  countActionRuns: "client only: the listing of the runs is read whole, which counts them",
  createFunction: "client only: deprecated, functions are deployed",
  deleteLoginRoles: "client only: would end the logins of other programs; each ends by itself in minutes",
  disableBranching: "client only: would remove branches that other programs manage",
  exchangeToken: "client only: the client exchanges the provider's own OAuth tokens by it",
  getApiKey: "client only: the listing carries it, in one call for all keys",
  getBranch: "client only: the listing carries it, in one call for all branches",
  getDatabaseContext: "client only: deprecated",
  getFunction: "client only: the listing carries it, in one call for all functions",
  getJitUser: "client only: the listing carries it, in one call for all users",
  getThirdPartyAuth: "client only: the listing carries it, in one call for all integrations",
  listNetworkBans: "client only: the enriched listing carries it, with the databases",
  listProjects: "client only: the organization's listing is more precise, and comes in pages",
  revokeToken: "client only: would end the authorization that the provider itself uses",
  updateActionRunStatus: "client only: reported by whoever carries out the run",
};

/** Where one endpoint is to be found. */
export interface Covered {
  /** As `GET /v1/projects`. */
  readonly endpoint: string;
  /** Its name in the table of operations; undefined where it is missing there. */
  readonly operation: string | undefined;
  /** Whether the API's documents list it; the running service has more. */
  readonly documented: boolean;
  readonly spec: boolean;
  readonly client: boolean;
  readonly emulator: boolean;
  /** Whether every kind of call is tested against the emulator: success, refusals, limits. */
  readonly tested: boolean;
  /** Who calls it. */
  readonly usedBy: readonly string[];
  /** Why nobody does. */
  readonly plan: Plan | undefined;
}

/** The places in which every documented endpoint must be. */
export const places = ["spec", "client", "emulator", "tested"] as const;
export type Place = (typeof places)[number];

/** Every endpoint of the documents and then those of the table beyond them, as the sources below `root` have them. */
export async function coverageOf(root: string): Promise<Covered[]> {
  const facts = JSON.parse(readFileSync(join(root, "spec", "facts.json"), "utf8")) as object;
  const documented = new Map(Object.keys(facts).map((endpoint) => [spelled(endpoint), endpoint]));
  const names = new Map(
    // Object keys are those of the table.
    (Object.keys(operations) as OperationName[]).map((name) => {
      const { method, path } = operations[name];
      return [spelled(`${method} ${path}`), { name, endpoint: `${method} ${path}` }];
    }),
  );
  const users = usersOfOperations();
  const samples = samplesText(root);
  const client = new ManagementClient({ baseUrl: "http://127.0.0.1" });
  await client.close();
  return [...new Set([...documented.keys(), ...names.keys()])].map((key) => {
    const { name, endpoint } = names.get(key) ?? {};
    const isNamed = (has: (operation: OperationName) => boolean): boolean => name !== undefined && has(name);
    return {
      endpoint: documented.get(key) ?? endpoint ?? key,
      operation: name,
      documented: documented.has(key),
      spec: name !== undefined,
      client: isNamed((operation) => operation in client),
      emulator: isNamed((operation) => operation in ruleHandlers),
      tested: isNamed((operation) => new RegExp(`^  ${operation}[:(]`, "m").test(samples)),
      usedBy: users.get(name ?? "") ?? [],
      plan: name === undefined ? undefined : plans[name],
    };
  });
}

/** Documented endpoints that a place lacks. */
export function missingIn(place: Place, rows: readonly Covered[]): Covered[] {
  return rows.filter((row) => row.documented && !row[place]);
}

/** Two spellings of an endpoint are the same: a parameter's name is of no importance. */
function spelled(endpoint: string): string {
  return endpoint.replaceAll(/\{\w+\}/g, "{}");
}

/** The sample calls of the emulator's tests, from which every kind of call is made. */
function samplesText(root: string): string {
  const folder = join(root, "test/emulator/operations/samples");
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
}
