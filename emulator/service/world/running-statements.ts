import { AsyncLocalStorage } from "node:async_hooks";
import { waitBy, type Clock } from "./clock";

/** SQL that a database has been working on for a while, as its other sessions see it. */
export interface RunningStatement {
  readonly sql: string;
  /** The key of the advisory lock that it takes first, as SQL. */
  readonly lockKey: string | undefined;
  /** Resolves when it is over. */
  readonly end: Promise<void>;
}

/**
 * The SQL of calls that take long. The embedded Postgres has one session, so what the others of a server would see of these, and
 * wait for, is kept here.
 */
export class RunningStatements {
  readonly #running = new Map<string, Set<RunningStatement>>();
  readonly #own = new AsyncLocalStorage<RunningStatement>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Shows `sql` in the database of `ref` while `wait` lasts, then does what it does. */
  async run<T>(ref: string, sql: string, wait: () => Promise<void>, work: () => Promise<T>): Promise<T> {
    await this.turn(ref, sql);
    const { promise: end, resolve } = Promise.withResolvers<undefined>();
    const statement: RunningStatement = { sql, lockKey: lockKeyIn(sql), end };
    const ofRef = this.#running.get(ref) ?? new Set();
    this.#running.set(ref, ofRef.add(statement));
    try {
      await wait();
      return await this.#own.run(statement, work);
    } finally {
      ofRef.delete(statement);
      resolve(undefined);
    }
  }

  /** Waits, as a session does, until no other has the lock that `sql` takes first. */
  async turn(ref: string, sql: string): Promise<void> {
    for (;;) {
      const other = this.list(ref).find(({ lockKey }) => lockKey !== undefined && lockKey === lockKeyIn(sql));
      if (other === undefined) return;
      await waitBy(this.#clock, other.end);
    }
  }

  /** Of other calls. */
  list(ref: string): readonly RunningStatement[] {
    const own = this.#own.getStore();
    return [...(this.#running.get(ref) ?? [])].filter((each) => each !== own);
  }
}

/** A number, or the hash of a text: other expressions are not evaluated outside of their session. */
const LOCK =
  /\bpg_advisory(?:_xact)?_lock\s*\(\s*(-?\d+|(?:pg_catalog\.)?hashtextextended\s*\(\s*'(?:[^']|'')*'\s*,\s*-?\d+\s*\))\s*\)/i;

function lockKeyIn(sql: string): string | undefined {
  return LOCK.exec(sql)?.[1];
}
