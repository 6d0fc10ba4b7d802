import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ruleHandlers } from "../../emulator/rules";
import { ManagementClient } from "../../provider/client";
import { operations, type OperationName } from "../../spec/table";
import { type Plan, plans } from "./plans";
import { usersOfOperations } from "./users";

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
export function findMissing(place: Place, rows: readonly Covered[]): Covered[] {
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
