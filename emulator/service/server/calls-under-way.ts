/** The calls that reach databases. They take several steps, and between these the whole is neither before nor after them. */
export class CallsUnderWay {
  private readonly calls = new Set<Promise<void>>();
  private held: Promise<undefined> | undefined;

  add<T>(call: Promise<T>): Promise<T> {
    const ended = call.then(ignore, ignore).finally(() => this.calls.delete(ended));
    this.calls.add(ended);
    return call;
  }

  /** Waits while somebody waits for the end of all. */
  async turn(): Promise<void> {
    while (this.held !== undefined) await this.held;
  }

  /** Runs what is done at one moment when none is under way. */
  async between(act: () => void): Promise<void> {
    await this.turn();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.held = promise;
    try {
      while (this.calls.size > 0) await Promise.all(this.calls);
      act();
    } finally {
      this.held = undefined;
      resolve(undefined);
    }
  }
}

const ignore = (): void => undefined;
