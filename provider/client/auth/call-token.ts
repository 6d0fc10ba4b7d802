import type { TokenSource } from "./credentials";
import { orStopped, type StopSignal } from "../transport/stop-signal";

/** The access token that one call carries; replaced once when the service rejects it. */
export class CallToken {
  readonly #tokens: TokenSource;
  readonly #stop: StopSignal;
  readonly #leftMs: () => number;
  #token: string | undefined;
  #isReplaced = false;

  /** `leftMs` is the time until the call's deadline. */
  constructor(tokens: TokenSource, stop: StopSignal, leftMs: () => number) {
    this.#tokens = tokens;
    this.#stop = stop;
    this.#leftMs = leftMs;
  }

  async authorization(): Promise<Record<string, string>> {
    this.#token = await this.#inTime((signal) => this.#tokens.token(signal));
    return { authorization: `Bearer ${this.#token}` };
  }

  async hasOther(): Promise<boolean> {
    const rejected = this.#token;
    if (rejected === undefined || this.#isReplaced) return false;
    this.#isReplaced = true;
    const other = await this.#inTime((signal) => this.#tokens.replacement(rejected, signal));
    return other !== undefined;
  }

  /** Whoever gives the token may know neither deadline nor signal. */
  async #inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const callOff = this.#stop.stopAfter(this.#leftMs(), "deadline");
    try {
      return await orStopped(work(this.#stop.signal), this.#stop.signal);
    } finally {
      callOff();
    }
  }
}
