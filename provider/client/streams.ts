import type { ReadableStream } from "node:stream/web";
import { operations } from "../../spec/table";
import { Call } from "./call";
import type { CallOptions, CallServices } from "./call-subject";
import type { ParameterValues } from "./transport/request-target";
import type { ParametersOf } from "./signatures";

/** Operations that answer with text or bytes of any length. */
type StreamedName = "diffBranch" | "getActionRunLogs" | "getFunctionBody";

/**
 * Answers of any length, piece by piece: `for await (const bytes of await client.stream.getFunctionBody({ … }))`. A
 * stream holds one of the client's connections until it is read to its end, cancelled or broken. Requests are repeated
 * until the first piece has come; a stream that breaks later ends with an error.
 */
export type Streams = {
  readonly [N in StreamedName]: (
    parameters: ParametersOf<N>,
    options?: CallOptions,
  ) => Promise<ReadableStream<Uint8Array>>;
};

export function createStreams(services: CallServices): Streams {
  const open =
    (name: StreamedName) =>
    async (parameters: ParameterValues, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> =>
      new Call(services, { name, operation: operations[name], parameters, options }).stream();
  return {
    diffBranch: open("diffBranch"),
    getActionRunLogs: open("getActionRunLogs"),
    getFunctionBody: open("getFunctionBody"),
  };
}
