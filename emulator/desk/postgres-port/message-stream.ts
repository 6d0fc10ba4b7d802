import type { Socket } from "node:net";
import { type Frame, type ConnectionStage, takeFrame } from "./messages";

/** A password with its head. */
const MOST_BEFORE_LOGIN = 65_540;

/** What a client sends, message by message. */
export class MessageStream {
  private readonly frames: Frame[] = [];
  /** What has come and is in no message yet, joined once it is enough for one. */
  private pieces: Buffer[] = [];
  private pendingBytes = 0;
  private neededBytes = 0;
  private stage: ConnectionStage = "startup";
  private wake: () => void = () => undefined;
  private ended = false;

  constructor(private readonly socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.pieces.push(chunk);
      this.pendingBytes += chunk.length;
      // Nobody sends ahead of a login that may be refused.
      if (this.stage !== "session" && this.pendingBytes > MOST_BEFORE_LOGIN) socket.destroy();
      else this.takeWhole();
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
    this.stage = "login";
    this.takeWhole();
  }

  /** The client has logged in: its messages may be long. */
  endLogin(): void {
    this.stage = "session";
    this.takeWhole();
  }

  private takeWhole(): void {
    if (this.pendingBytes < this.neededBytes) return;
    let rest = this.pieces.length === 1 ? (this.pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(this.pieces);
    try {
      // Of a connection's first packets each decides how the next is read.
      while (this.stage === "session" || this.frames.length === 0) {
        const taken = takeFrame(rest, this.stage);
        if ("neededBytes" in taken) {
          this.neededBytes = taken.neededBytes;
          break;
        }
        this.frames.push(taken.frame);
        this.neededBytes = 0;
        rest = taken.rest;
      }
      this.pieces = [rest];
      this.pendingBytes = rest.length;
    } catch {
      // Not Postgres' protocol.
      this.socket.destroy();
    }
    if (this.frames.length > 0) this.wake();
  }
}
