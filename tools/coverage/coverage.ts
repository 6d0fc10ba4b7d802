import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ruleHandlers } from "../../emulator/service/rules";
import { ManagementClient } from "../../provider/client";
import { operations, type OperationName } from "../../spec/table";
import { type Plan, plans } from "./plans";
import { usersOfOperations } from "./users";

/** The documented operations, and those that the running service has beyond them. */
export const operationSets = ["documented", "newer"] as const;
export type OperationSet = (typeof operationSets)[number];

/** Where one endpoint is to be found. */
export interface Covered {
  /** As `GET /v1/projects`. */
  readonly endpoint: string;
  /** Its name in the table of operations; undefined where it is missing there. */
  readonly operation: string | undefined;
  /** Whether the API's documents list it, or only the running service has it. */
  readonly set: OperationSet;
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

/** The places in which every endpoint must be. */
export const places = ["spec", "client", "emulator", "tested"] as const;
export type Place = (typeof places)[number];

/** Every endpoint of both sets, and what the table has beyond them, as the sources below `root` have them. */
export async function coverageOf(root: string): Promise<Covered[]> {
  const documented = endpointsIn(root, "facts.json");
  const known = new Map([...documented, ...endpointsIn(root, "facts-newer.json")]);
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
  return [...new Set([...known.keys(), ...names.keys()])].map((key) => {
    const { name, endpoint } = names.get(key) ?? {};
    const isNamed = (has: (operation: OperationName) => boolean): boolean => name !== undefined && has(name);
    return {
      endpoint: known.get(key) ?? endpoint ?? key,
      operation: name,
      set: documented.has(key) ? "documented" : "newer",
      spec: name !== undefined,
      client: isNamed((operation) => operation in client),
      emulator: isNamed((operation) => operation in ruleHandlers),
      tested: isNamed((operation) => new RegExp(`^  ${operation}[:(]`, "m").test(samples)),
      usedBy: users.get(name ?? "") ?? [],
      plan: name === undefined ? undefined : plans[name],
    };
  });
}

/** Endpoints that a place lacks. */
export function findMissing(place: Place, rows: readonly Covered[]): Covered[] {
  return rows.filter((row) => !row[place]);
}

function endpointsIn(root: string, file: string): Map<string, string> {
  const facts = JSON.parse(readFileSync(join(root, "spec", file), "utf8")) as object;
  return new Map(Object.keys(facts).map((endpoint) => [spelled(endpoint), endpoint]));
}

/** Two spellings of an endpoint are the same: a parameter's name is of no importance. */
function spelled(endpoint: string): string {
  return endpoint.replaceAll(/\{\w+\}/g, "{}");
}

/** The sample calls of the emulator's tests, from which every kind of call is made. */
function samplesText(root: string): string {
  const folder = join(root, "tools/fuzz/operations/samples");
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
}
