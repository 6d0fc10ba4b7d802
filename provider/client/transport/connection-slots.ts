/**
 * Lets as many requests leave as there are connections. A request that waits in the transport's own queue would spend
 * its timeout there, and nobody could tell whether it was sent.
 */
export class ConnectionSlots {
  #free: number;
  readonly #waiters: (() => void)[] = [];

  constructor(connections: number) {
    this.#free = connections;
  }

  /** Resolves to the function that gives the slot back; rejects with the signal's reason as soon as it aborts. */
  take(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve(() => this.#giveBack());
      };
      const leave = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      if (this.#free > 0) {
        this.#free -= 1;
        return enter();
      }
      this.#waiters.push(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #giveBack(): void {
    const next = this.#waiters.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
