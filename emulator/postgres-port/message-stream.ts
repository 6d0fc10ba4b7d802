import type { Socket } from "node:net";
import { type Frame, takeFrame } from "./messages";

/** What a client sends, message by message. */
export class MessageStream {
  private readonly frames: Frame[] = [];
  private rest: Buffer = Buffer.alloc(0);
  private isStartup = true;
  private wake: () => void = () => undefined;
  private ended = false;

  constructor(private readonly socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
      this.takeWhole();
    });
    socket.on("close", () => {
      this.ended = true;
      this.wake();
    });
    // `close` follows.
    socket.on("error", () => undefined);
  }

  /** Whether nothing comes any more. */
  get isEnded(): boolean {
    return this.ended && this.frames.length === 0;
  }

  get isEmpty(): boolean {
    return this.frames.length === 0;
  }

  /** The next message, when there is one. */
  take(): Frame | undefined {
    return this.frames.shift();
  }

  /** Waits for a message or the end, `forMs` at most. */
  async wait(forMs?: number): Promise<void> {
    if (this.frames.length > 0 || this.ended) return;
    await new Promise<void>((resolve) => {
      const timer = forMs === undefined ? undefined : setTimeout(resolve, forMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Reads on after a packet that asked for something before the connection begins. */
  takeNext(): void {
    this.takeWhole();
  }

  /** The packet that begins the connection was taken: what follows has types. */
  endStartup(): void {
    this.isStartup = false;
    this.takeWhole();
  }

  private takeWhole(): void {
    try {
      // Of a connection's first packets each decides how the next is read.
      while (!this.isStartup || this.frames.length === 0) {
        const taken = takeFrame(this.rest, this.isStartup);
        if (taken === undefined) break;
        this.frames.push(taken.frame);
        this.rest = taken.rest;
      }
    } catch {
      // Not Postgres' protocol.
      this.socket.destroy();
    }
    if (this.frames.length > 0) this.wake();
  }
}
