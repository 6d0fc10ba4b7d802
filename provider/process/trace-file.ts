import { appendOwnFile } from "../core/own-file";
import type { TraceListener, TracedRequest } from "../client/call-trace";

/** A line of a trace file, as JSON. Several processes of one run may write to the file. */
export interface TraceFileLine extends Omit<TracedRequest, "atMs"> {
  /** When the rate limit had let the request go, as ISO 8601 with milliseconds. */
  readonly at: string;
  readonly process: number;
}

/**
 * Writes a line for each request to the file that `MANAGEMENT_TRACE` names; undefined where it names none. A relative path
 * begins at the working directory. A failure to write is reported once, and stops no run.
 */
export function openTraceFile(
  path: string | undefined,
  print: (text: string) => string,
  warn: (message: string) => void,
): TraceListener | undefined {
  if (path === undefined || path === "") return undefined;
  let isBroken = false;
  return ({ atMs, ...request }) => {
    if (isBroken) return;
    const line: TraceFileLine = { at: new Date(atMs).toISOString(), ...request, process: process.pid };
    try {
      // What is escaped in it is escaped as JSON does.
      appendOwnFile(path, `${print(JSON.stringify(line))}\n`);
    } catch (error) {
      isBroken = true;
      warn(
        `The trace cannot be written to ${path}, which MANAGEMENT_TRACE names: ${(error as Error).message}. ` +
          "The run continues without a trace.",
      );
    }
  };
}
