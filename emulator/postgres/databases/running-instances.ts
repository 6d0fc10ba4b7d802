import type { Instance } from "./instance";

/** The instances that run, a few at most: each takes some 100 MB. The one unused for longest makes room. */
export class RunningInstances {
  private count = 0;
  private readonly busy = new Map<string, Instance>();
  /** The one unused for longest first. */
  private readonly idle = new Map<string, Instance>();
  /** On their way down: until they are, nobody else may touch their folders. */
  private readonly stopping = new Map<string, Promise<void>>();
  private readonly waiting: (() => void)[] = [];
  private isClosed = false;

  constructor(private readonly limit: number) {}

  /** The instance for `key`, opened when it does not run; to be given back. At most one caller at a time per key. */
  async take(key: string, open: () => Promise<Instance>): Promise<Instance> {
    const present = this.idle.get(key);
    if (present?.isRunning === true) {
      this.idle.delete(key);
      this.busy.set(key, present);
      return present;
    }
    await this.stop(key);
    await this.makeRoom();
    try {
      const opened = await open();
      if (this.isClosed) await opened.terminate();
      this.busy.set(key, opened);
      return opened;
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** Whether somebody waits until another gives an instance back. */
  get isAwaited(): boolean {
    return this.waiting.length > 0;
  }

  giveBack(key: string): void {
    const instance = this.busy.get(key);
    if (instance === undefined) return;
    this.busy.delete(key);
    if (instance.isRunning) this.idle.set(key, instance);
    else this.count -= 1;
    this.waiting.shift()?.();
  }

  /** Puts to sleep what runs for `key` and is not in use; what is on its way down is waited for. */
  async stop(key: string): Promise<void> {
    const instance = this.idle.get(key);
    if (instance === undefined) return this.stopping.get(key);
    this.idle.delete(key);
    const stopped = instance.close().finally(() => this.stopping.delete(key));
    this.stopping.set(key, stopped);
    await stopped;
    this.leave();
  }

  /** Ends everything: the idle in peace, the busy in the middle of their work. */
  async close(): Promise<void> {
    this.isClosed = true;
    const ends = [
      ...[...this.busy.values()].map((instance) => instance.terminate()),
      ...[...this.idle.values()].map((instance) => instance.close()),
    ];
    this.idle.clear();
    for (const wake of this.waiting.splice(0)) wake();
    await Promise.all(ends);
  }

  private async makeRoom(): Promise<void> {
    while (this.count >= this.limit && !this.isClosed) {
      const [longestUnused] = this.idle.keys();
      if (longestUnused === undefined) await new Promise<void>((resolve) => this.waiting.push(resolve));
      else await this.stop(longestUnused);
    }
    if (this.isClosed) throw new Error("The databases are closed");
    this.count += 1;
  }

  private leave(): void {
    this.count -= 1;
    this.waiting.shift()?.();
  }
}
