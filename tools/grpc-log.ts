import { readFileSync } from "node:fs";

/** A call that the engine made or took, as `PULUMI_DEBUG_GRPC=<file>` records it when it has ended. */
export interface RecordedCall {
  /** Without the protocol's prefix: `ResourceProvider/Check`. */
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** Absent where the call failed. */
  readonly response?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly string[];
  /** Which plugin was asked, among other things. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Every line of the log as it was written, those of calls that have only begun included. */
export function readGrpcLog(file: string): (RecordedCall & { readonly progress?: string })[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      // The engine's own format, of which the members above are read.
      const call = JSON.parse(line) as RecordedCall;
      return { ...call, method: call.method.replace(/^\/pulumirpc\./, "") };
    });
}

/** The calls to this provider that have ended, in this order. */
export function providerCalls(file: string): RecordedCall[] {
  return readGrpcLog(file).filter(
    ({ method, progress, metadata }) =>
      method.startsWith("ResourceProvider/") &&
      progress === "response_completed" &&
      metadata?.["name"] === "management",
  );
}
