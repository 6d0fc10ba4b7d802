import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { operations, type OperationName } from "../spec/table";
import { readTextFile } from "../spec/regular-file";

/** With the returned environment, this process and the engine's write down each request; `made` counts those of this run. */
export function prepareCallCount(
  env: NodeJS.ProcessEnv,
  scratch: string,
): { readonly env: NodeJS.ProcessEnv; readonly made: () => ReturnType<typeof countCalls> } {
  const traced = env["MANAGEMENT_TRACE"];
  const trace = traced === undefined || traced === "" ? join(scratch, "trace.jsonl") : resolve(traced);
  const earlier = existsSync(trace) ? readTextFile(trace).length : 0;
  return { env: { ...env, MANAGEMENT_TRACE: trace }, made: () => countCalls(trace, earlier) };
}

/** Requests behind a place in a trace, and those among them that can change something. */
function countCalls(trace: string, from: number): { readonly calls: number; readonly writes: number } {
  if (!existsSync(trace)) return { calls: 0, writes: 0 };
  const names = readTextFile(trace)
    .slice(from)
    .split("\n")
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { readonly operation: string }).operation);
  return { calls: names.length, writes: names.filter(isWrite).length };
}

function isWrite(name: string): boolean {
  const operation = Object.hasOwn(operations, name) ? operations[name as OperationName] : undefined;
  if (operation === undefined) return true;
  return (
    operation.method !== "GET" && operation.method !== "HEAD" && operation.scope?.endsWith(":read") !== true
  );
}
