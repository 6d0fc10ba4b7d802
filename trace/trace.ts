import { z } from "zod";
import { escapeHidden } from "../spec/shown-text";
import { readTextFile } from "../spec/regular-file";

/** A text on one line, whatever wrote the file. */
const text = z.string().transform((written) => escapeHidden(written));

/** One request, as `provider/process/trace-file.ts` writes it. */
const traceLine = z.object({
  at: z.iso.datetime(),
  process: z.number(),
  operation: text,
  resource: text.optional(),
  attempt: z.number(),
  waitedMs: z.number(),
  durationMs: z.number(),
  status: z.number().optional(),
  failure: text.optional(),
  requestId: text.optional(),
});

export type TraceLine = z.infer<typeof traceLine>;

/** A file that is not a trace, with what to do about it. */
export class TraceFileError extends Error {}

/** The requests of a trace in the order in which they were let go. */
export function readTrace(path: string): TraceLine[] {
  const lines = textOf(path)
    .split("\n")
    .map((text, index) => ({ text, number: index + 1 }))
    .filter(({ text }) => text.trim() !== "");
  if (lines.length === 0)
    throw new TraceFileError(`${path} is empty: the run that MANAGEMENT_TRACE recorded made no calls.`);
  // A process that was killed may have left half of its last line.
  const requests = lines.flatMap(({ text, number }, index) => {
    const parsed = traceLine.safeParse(jsonOf(text));
    if (parsed.success) return [parsed.data];
    if (index === lines.length - 1 && index > 0) return [];
    throw new TraceFileError(
      `Line ${number} of ${path} is not a line of a trace. Pass the file that MANAGEMENT_TRACE named.`,
    );
  });
  return requests.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function textOf(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    throw new TraceFileError(`The trace cannot be read: ${(error as Error).message}.`);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isFailed({ status }: TraceLine): boolean {
  return status === undefined || status >= 400;
}

const LONGEST = 5;
/** A shorter wait is the time between two turns of the process. */
const SHORTEST_WAIT_MS = 10;

/** How many requests there were, how long the rate limit held them back, and which were slowest, as a text for a terminal. */
export function summarize(requests: readonly TraceLine[]): string {
  const { beganMs, endedMs } = spanOf(requests);
  const waited = requests.filter(({ waitedMs }) => waitedMs >= SHORTEST_WAIT_MS);
  const repeated = requests.filter(({ attempt }) => attempt > 1);
  const failed = requests.filter(isFailed);
  return [
    `${formatCount(requests.length, "request")} in ${formatTraceSeconds(endedMs - beganMs)}`,
    `  ${formatCount(waited.length, "request")} waited for the rate limit, ${formatTraceSeconds(sumTimes(waited, "waitedMs"))} in all`,
    `  ${formatCount(repeated.length, "request")} repeated an earlier one`,
    `  ${formatCount(failed.length, "request")} failed${failed.length === 0 ? "" : `: ${outcomesOf(failed)}`}`,
    ...listLongest("Longest waits for the rate limit", waited, "waitedMs"),
    ...listLongest("Longest requests", requests, "durationMs"),
    "",
  ].join("\n");
}

/** When the first request was let go or began to wait, and when the last one ended. */
export function spanOf(requests: readonly TraceLine[]): {
  readonly beganMs: number;
  readonly endedMs: number;
} {
  let [beganMs, endedMs] = [Infinity, -Infinity];
  for (const { at, waitedMs, durationMs } of requests) {
    const atMs = Date.parse(at);
    beganMs = Math.min(beganMs, atMs - waitedMs);
    endedMs = Math.max(endedMs, atMs + durationMs);
  }
  return { beganMs, endedMs };
}

function listLongest(title: string, of: readonly TraceLine[], time: "waitedMs" | "durationMs"): string[] {
  if (of.length === 0) return [];
  const slowest = [...of].sort((a, b) => b[time] - a[time]).slice(0, LONGEST);
  const row = (request: TraceLine): string =>
    `  ${formatTraceSeconds(request[time]).padStart(8)}  ${request.operation}  ${request.resource ?? ""}`.trimEnd();
  return [`${title}:`, ...slowest.map(row)];
}

function outcomesOf(failed: readonly TraceLine[]): string {
  const counts = new Map<string, number>();
  for (const { status, failure } of failed) {
    const outcome = status === undefined ? (failure ?? "no answer") : String(status);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(", ");
}

function sumTimes(of: readonly TraceLine[], time: "waitedMs" | "durationMs"): number {
  return of.reduce((total, request) => total + request[time], 0);
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export function formatTraceSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
