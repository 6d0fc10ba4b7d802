import type { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { SendFailure, sortFailure } from "./send-failure";
import type { StopSignal } from "./stop-signal";

/** A success answer's body on its way; it holds its connection until it has come to its end, broken or been cancelled. */
export class BodyReader {
  readonly #body: Readable;
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #stop: StopSignal;
  readonly #idleMs: number;
  #first: Uint8Array | undefined;
  #receivedBytes = 0;

  private constructor(body: Readable, stop: StopSignal, idleMs: number) {
    this.#body = body;
    this.#stop = stop;
    this.#idleMs = idleMs;
    // A stop between two reads is told by the next one.
    body.on("error", () => undefined);
    // A response body in bytes gives nothing but buffers.
    this.#pieces = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  }

  /** Waits for the first piece: until then the request can be repeated without anybody noticing. */
  static async open(body: Readable, stop: StopSignal, idleMs: number): Promise<BodyReader> {
    const open = new BodyReader(body, stop, idleMs);
    open.#first = await open.#read();
    return open;
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** The next piece, or undefined at the end; rejects with a `SendFailure` or a `StopError`. */
  async next(): Promise<Uint8Array | undefined> {
    const first = this.#first;
    this.#first = undefined;
    return first ?? this.#read();
  }

  /** The body as a web stream, which reads no further ahead than it is read; `explain` makes the error of a failure. */
  stream(explain: (failure: unknown) => unknown): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const piece = await this.next();
            if (piece === undefined) controller.close();
            else controller.enqueue(piece);
          } catch (error) {
            controller.error(explain(error));
          }
        },
        cancel: () => this.cancel(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Called when the connection is free again. */
  onEnd(listener: () => void): void {
    if (this.#body.closed) listener();
    else this.#body.once("close", listener);
  }

  cancel(): void {
    this.#body.destroy();
  }

  /** The time runs while the service is waited for, not while the reader is busy. */
  async #read(): Promise<Uint8Array | undefined> {
    const disarm = this.#stop.stopAfter(this.#idleMs, "timeout");
    try {
      const piece = await this.#pieces.next();
      if (piece.done === true) {
        // A body that was closed early by a stop ends like one that is complete.
        if (this.#stop.signal.aborted) throw new SendFailure("broken", "aborted");
        return undefined;
      }
      this.#receivedBytes += piece.value.byteLength;
      return piece.value;
    } catch (error) {
      throw sortFailure(error, this.#stop.signal, true);
    } finally {
      disarm();
    }
  }
}
