import type { ChildProcess } from "node:child_process";
import { DatabaseError } from "./database-error";
import { HISTORY_SCHEMA } from "./copied-database";
import type { Database, Results } from "./databases";
import { DatabaseProcesses, kill } from "./database-processes";
import type { InstanceReply, InstanceRequest } from "./instance-messages";

type Rows = Results<Record<string, unknown>>;
type Ask = InstanceRequest extends infer R ? (R extends InstanceRequest ? Omit<R, "id"> : never) : never;

interface Pending {
  readonly resolve: (results: Rows[]) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/**
 * One running Postgres in a process of its own: its start and its statements do not hold up the emulator, one that never
 * ends can be ended, and one that breaks takes nothing along. All that was committed is in its folder.
 */
export class Instance implements Database {
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private end: Error | undefined;

  private constructor(
    private readonly child: ChildProcess,
    private readonly processes: DatabaseProcesses,
    private readonly statementTimeoutMs: number,
    readonly historySchema: string,
  ) {
    child.on("message", this.take);
    child.on("error", this.finish);
    child.on("exit", this.onExit);
  }

  /** Starts what is in `folder`, or an empty database there; `signal` ends the start. */
  static async open(
    folder: string,
    options: {
      readonly statementTimeoutMs: number;
      readonly signal: AbortSignal;
      readonly processes?: DatabaseProcesses;
      readonly historySchema?: string;
    },
  ): Promise<Instance> {
    const { processes = new DatabaseProcesses({ idle: 0 }), signal, statementTimeoutMs } = options;
    const { historySchema = HISTORY_SCHEMA } = options;
    const instance = new Instance(processes.take(), processes, statementTimeoutMs, historySchema);
    const abort = (): void => instance.finish(reasonOf(signal));
    signal.addEventListener("abort", abort, { once: true });
    try {
      if (signal.aborted) throw reasonOf(signal);
      await instance.ask({ kind: "open", folder }, { isLimited: false });
      return instance;
    } catch (error) {
      await instance.terminate();
      throw error;
    } finally {
      signal.removeEventListener("abort", abort);
    }
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

  /** Shuts Postgres down in peace; its process may open another database. */
  async close(): Promise<void> {
    if (!this.isRunning) return kill(this.child);
    try {
      await this.ask({ kind: "close" });
    } catch {
      return this.terminate();
    }
    this.child.off("message", this.take).off("error", this.finish).off("exit", this.onExit);
    this.finish(new Error("The database was stopped"));
    await this.processes.giveBack(this.child);
  }

  /** Stops at once, as a crash would: what was committed is kept. */
  async terminate(): Promise<void> {
    this.finish(new Error("The database was stopped"));
    await kill(this.child);
  }

  private ask(request: Ask, { isLimited = true } = {}): Promise<Rows[]> {
    if (this.end !== undefined) return Promise.reject(this.end);
    const id = (this.lastId += 1);
    this.child.channel?.ref();
    return new Promise((resolve, reject) => {
      const timer = isLimited ? setTimeout(() => this.giveUp(), this.statementTimeoutMs) : undefined;
      this.pending.set(id, { resolve, reject, timer });
      this.child.send({ id, ...request } satisfies InstanceRequest, (error) => {
        if (error !== null) this.finish(error);
      });
    });
  }

  private readonly take = (reply: InstanceReply): void => {
    const asked = this.pending.get(reply.id);
    if (asked === undefined) return;
    if (reply.kind === "crash") {
      void kill(this.child);
      this.finish(new Error(`The database has crashed: ${reply.message}`));
      return;
    }
    this.pending.delete(reply.id);
    clearTimeout(asked.timer);
    if (this.pending.size === 0) this.child.channel?.unref();
    if (reply.kind === "results") asked.resolve(reply.results);
    else asked.reject(new DatabaseError(reply.fault));
  };

  private readonly onExit = (code: number | null, signal: string | null): void =>
    this.finish(new Error(`The database has stopped: ${signal ?? `exit code ${String(code)}`}`));

  /** The embedded Postgres cannot interrupt a statement, so the whole process ends. */
  private giveUp(): void {
    void kill(this.child);
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

  private readonly finish = (error: Error): void => {
    this.end ??= error;
    for (const { reject, timer } of this.pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.pending.clear();
  };
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
