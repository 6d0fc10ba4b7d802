import { ruleHandlers } from "../../emulator/rules";
import { ManagementClient } from "../../provider/client";
import type { Operation } from "../../spec/operation";
import { operations, type OperationName } from "../../spec/table";
import { documentedEndpoints } from "./endpoints";
import { type Plan, plans } from "./plans";
import { sampledOperations } from "./sampled-operations";
import { usersOfOperations } from "./users";

/** Where one endpoint is to be found. */
export interface Covered {
  readonly method: string;
  readonly path: string;
  /** Its name in the table of operations; undefined where it is missing there. */
  readonly operation: string | undefined;
  /** Whether the specification's documents list it; the running service has more. */
  readonly documented: boolean;
  readonly spec: boolean;
  readonly client: boolean;
  readonly emulator: boolean;
  /** Whether every kind of call is tested against the emulator: success, refusals, limits. */
  readonly tested: boolean;
  /** Resources, functions and actions that call it. */
  readonly usedBy: readonly string[];
  /** Why nothing does. */
  readonly plan: Plan | undefined;
}

/** The places in which every documented endpoint must be. */
export const places = ["spec", "client", "emulator", "tested"] as const;
export type Place = (typeof places)[number];

/** Every endpoint of the documents and then those of the table beyond them, as the sources below `root` have them. */
export async function coverageOf(root: string): Promise<Covered[]> {
  const endpoints = documentedEndpoints();
  const sampled = sampledOperations(root);
  const users = usersOfOperations();
  const methods = await clientMethods();
  const entries = Object.entries<Operation>(operations);
  const byShape = new Map(entries.map(([name, { method, path }]) => [shapeOf(`${method} ${path}`), name]));
  const documented = new Set(endpoints.map(shapeOf));
  const beyond = entries
    .map(([, { method, path }]) => `${method} ${path}`)
    .filter((endpoint) => !documented.has(shapeOf(endpoint)));
  return [...endpoints, ...beyond].map((endpoint) => {
    const [method = "", path = ""] = endpoint.split(" ");
    const operation = byShape.get(shapeOf(endpoint));
    const isIn = (names: { has(name: string): boolean }): boolean =>
      operation !== undefined && names.has(operation);
    return {
      method,
      path,
      operation,
      documented: documented.has(shapeOf(endpoint)),
      spec: operation !== undefined,
      client: isIn(methods),
      emulator: operation !== undefined && operation in ruleHandlers,
      tested: isIn(sampled),
      usedBy: users.get(operation ?? "") ?? [],
      // Every key of the map is an operation of the table.
      plan: plans[operation as OperationName],
    };
  });
}

/** Documented endpoints that a place lacks. */
export function missingIn(place: Place, rows: readonly Covered[]): Covered[] {
  return rows.filter((row) => row.documented && !row[place]);
}

/** How two spellings of an endpoint are told to be the same: a parameter's name is of no importance. */
function shapeOf(endpoint: string): string {
  return endpoint.replaceAll(/\{\w+\}/g, "{}");
}

async function clientMethods(): Promise<Set<string>> {
  const client = new ManagementClient({ baseUrl: "http://127.0.0.1" });
  const names = Object.entries(client).filter(([, value]) => typeof value === "function");
  await client.close();
  return new Set(names.map(([name]) => name));
}
