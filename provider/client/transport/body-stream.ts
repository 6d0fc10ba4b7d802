import { ReadableStream } from "node:stream/web";
import type { OpenBody } from "./open-body";

/** The body as a web stream, which reads no further ahead than it is read. */
export function streamOf(
  body: OpenBody,
  explain: (failure: unknown, receivedBytes: number) => unknown,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await body.next();
          if (piece === undefined) controller.close();
          else controller.enqueue(piece);
        } catch (error) {
          controller.error(explain(error, body.receivedBytes));
        }
      },
      cancel: () => body.cancel(),
    },
    { highWaterMark: 0 },
  );
}
