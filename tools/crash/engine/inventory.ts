import { setTimeout as sleep } from "node:timers/promises";
import type { CallRecord, Control } from "../../../emulator";

const POLL_MS = 10;

/** How many objects of each kind somebody made. */
export interface Inventory {
  readonly projects: number;
  /** Without those that stand for a project itself. */
  readonly branches: number;
  readonly apiKeys: number;
  readonly signingKeys: number;
  readonly functions: number;
  readonly secrets: number;
  readonly ssoProviders: number;
}

/** What is on the service beside what it makes by itself. */
export function takeInventory(control: Control): Inventory {
  const refs = control.call("listProjects", {}).map(({ ref }) => ref);
  const count = (inProject: (ref: string) => number): number =>
    refs.reduce((sum, ref) => sum + inProject(ref), 0);
  return {
    projects: refs.length,
    branches: count(
      (ref) => control.call("listBranches", { ref }).filter(({ is_default }) => !is_default).length,
    ),
    apiKeys: count(
      (ref) =>
        control
          .call("listApiKeys", { ref })
          .filter(({ type, name }) => type !== "legacy" && name !== "default").length,
    ),
    // A project comes with a symmetric key in use.
    signingKeys: count(
      (ref) =>
        control.call("listSigningKeys", { ref }).keys.filter(({ algorithm }) => algorithm !== "HS256").length,
    ),
    functions: count((ref) => control.call("listFunctions", { ref }).length),
    secrets: count(
      (ref) => control.call("listSecrets", { ref }).filter(({ name }) => !name.startsWith("SVC_")).length,
    ),
    ssoProviders: count((ref) => control.call("listSsoProviders", { ref }).items.length),
  };
}

/** In what the two differ, in words; empty when they are the same. */
export function differences(seen: Inventory, declared: Inventory): string[] {
  const kinds = Object.keys(declared) as (keyof Inventory)[];
  return kinds
    .filter((kind) => seen[kind] !== declared[kind])
    .map((kind) => `${seen[kind]} ${kind} instead of ${declared[kind]}`);
}

/** What removed projects leave behind for a while. */
const PASSING: readonly string[] = ["projects", "branches", "lastProjectNumber"];

/** All else that the service knows, to be compared. */
export function remainder(control: Control): string {
  const state = Object.entries(control.snapshot() as Record<string, unknown>);
  return JSON.stringify(state.filter(([name]) => !PASSING.includes(name)));
}

/** The writes that the service has done so far, by number: "1 createProject, 2 createBranch". */
export function describeWrites(control: Control): string {
  const counts = new Map<string, number>();
  for (const { operation = "unknown" } of writesSoFar(control))
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return [...counts].map(([operation, times]) => `${times} ${operation}`).join(", ") || "nothing";
}

/** Waits until the service has done so many writes, or nothing does any more. */
export async function untilWrites(control: Control, count: number, over: AbortSignal): Promise<void> {
  while (!over.aborted && writesSoFar(control).length < count) await sleep(POLL_MS);
}

function writesSoFar(control: Control): CallRecord[] {
  return control.calls().filter(({ method, status }) => method !== "GET" && status >= 200 && status < 300);
}
