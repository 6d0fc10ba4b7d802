import type { Emulator } from "../../emulator";

/** Calls in the emulator's log that were made more than once, by method and path; not queries, which each ask something else. */
export function repeatedCalls({ control }: Emulator): string[] {
  const sent = control
    .calls()
    .filter(({ operation }) => operation !== "runReadOnlyQuery")
    .map(({ method, path }) => `${method} ${path}`);
  return [...new Set(sent.filter((one, index) => sent.indexOf(one) !== index))];
}
