/** Lines of work, one per key: the jobs of one line run one after the other, those of different lines side by side. */
export class Queues {
  private readonly tails = new Map<string, Promise<void>>();
  private readonly lengths = new Map<string, number>();

  run<T>(key: string, job: () => Promise<T>): Promise<T> {
    this.lengths.set(key, this.lengthOf(key) + 1);
    const result = (this.tails.get(key) ?? Promise.resolve()).then(job);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.tails.set(key, tail);
    void tail.then(() => {
      const length = this.lengthOf(key) - 1;
      if (length > 0) this.lengths.set(key, length);
      else this.lengths.delete(key);
      if (this.tails.get(key) === tail) this.tails.delete(key);
    });
    return result;
  }

  /** How many jobs are in a line, with the one that runs. */
  lengthOf(key: string): number {
    return this.lengths.get(key) ?? 0;
  }

  /** Waits until every line is empty. */
  async drained(): Promise<void> {
    while (this.tails.size > 0) await Promise.all(this.tails.values());
  }
}
