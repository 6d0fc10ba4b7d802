import { once } from "node:events";
import { extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { DatabaseError } from "./database-error";
import type { Database, Results } from "./databases";
import type { InstanceData, InstanceReply, InstanceRequest } from "./instance-messages";

type Rows = Results<Record<string, unknown>>;
type Ask = InstanceRequest extends infer R ? (R extends InstanceRequest ? Omit<R, "id"> : never) : never;

interface Pending {
  readonly resolve: (results: Rows[]) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Beside this file, whether it was compiled or, in tests, is run as it is: node strips the types. */
const thread = join(__dirname, extname(__filename) === ".ts" ? "instance-thread.mts" : "instance-thread.mjs");

/**
 * One running Postgres in a thread of its own: its start and its statements do not hold up the emulator, and one that
 * never ends can be ended. All that was committed is in its folder.
 */
export class Instance implements Database {
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private end: Error | undefined;

  private constructor(
    private readonly worker: Worker,
    private readonly statementTimeoutMs: number,
  ) {
    worker.on("message", (reply: InstanceReply) => this.take(reply));
    worker.on("error", (error: Error) => this.finish(error));
    worker.on("exit", () => this.finish(new Error("The database has stopped")));
    worker.unref();
  }

  /** Starts what is in `folder`, or an empty database there; `signal` ends the start. */
  static async open(
    folder: string,
    options: { readonly statementTimeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Instance> {
    const workerData: InstanceData = { folder };
    const worker = new Worker(thread, { workerData, execArgv: [], stderr: true, stdout: true });
    try {
      // Rejects when the thread fails as well.
      await once(worker, "message", { signal: options.signal });
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    return new Instance(worker, options.statementTimeoutMs);
  }

  get isRunning(): boolean {
    return this.end === undefined;
  }

  async query<Row = Record<string, unknown>>(
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<Results<Row>> {
    const [results] = await this.ask({ kind: "query", sql, parameters });
    // The caller knows the columns of its own query.
    return results as Results<Row>;
  }

  exec(sql: string): Promise<Rows[]> {
    return this.ask({ kind: "exec", sql });
  }

  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.exec("begin");
    try {
      const result = await work();
      await this.exec("commit");
      return result;
    } catch (error) {
      if (this.isRunning) await this.exec("rollback");
      throw error;
    }
  }

  /** A session as a new one, whatever the last user of this one left open. */
  async renewSession(): Promise<void> {
    if (!this.isRunning) return;
    await this.exec("rollback");
    await this.exec("discard all");
  }

  /** Shuts Postgres down in peace. */
  async close(): Promise<void> {
    if (this.isRunning) await this.ask({ kind: "close" }).catch(() => undefined);
    await this.terminate();
  }

  /** Stops at once, as a crash would: what was committed is kept. */
  async terminate(): Promise<void> {
    this.finish(new Error("The database was stopped"));
    await this.worker.terminate();
  }

  private ask(request: Ask): Promise<Rows[]> {
    if (this.end !== undefined) return Promise.reject(this.end);
    const id = (this.lastId += 1);
    this.worker.ref();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.giveUp(), this.statementTimeoutMs);
      this.pending.set(id, { resolve, reject, timer });
      this.worker.postMessage({ id, ...request } satisfies InstanceRequest);
    });
  }

  private take(reply: InstanceReply): void {
    const asked = this.pending.get(reply.id);
    if (asked === undefined) return;
    if (reply.kind === "crash") {
      void this.worker.terminate();
      this.finish(new Error(`The database has crashed: ${reply.message}`));
      return;
    }
    this.pending.delete(reply.id);
    clearTimeout(asked.timer);
    if (this.pending.size === 0) this.worker.unref();
    if (reply.kind === "results") asked.resolve(reply.results);
    else asked.reject(new DatabaseError(reply.fault));
  }

  /** The embedded Postgres cannot interrupt a statement, so the whole thread ends. */
  private giveUp(): void {
    void this.worker.terminate();
    this.finish(
      new DatabaseError({
        message: "canceling statement due to statement timeout",
        code: "57014",
        severity: "ERROR",
        detail: undefined,
        hint: undefined,
        position: undefined,
      }),
    );
  }

  private finish(error: Error): void {
    this.end ??= error;
    for (const { reject, timer } of this.pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.pending.clear();
  }
}
