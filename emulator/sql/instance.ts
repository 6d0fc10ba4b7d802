import { fork, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { DatabaseError } from "./database-error";
import type { Database, Results } from "./databases";
import type { InstanceReply, InstanceRequest } from "./instance-messages";

type Rows = Results<Record<string, unknown>>;
type Ask = InstanceRequest extends infer R ? (R extends InstanceRequest ? Omit<R, "id"> : never) : never;

interface Pending {
  readonly resolve: (results: Rows[]) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Beside this file, whether it was compiled or, in tests, is run as it is: node strips the types. */
const program = join(
  __dirname,
  extname(__filename) === ".ts" ? "instance-process.mts" : "instance-process.mjs",
);

/** What it prints is of no use to the emulator's users; what goes wrong comes as a message. */
const STDIO: StdioOptions = ["ignore", "ignore", "ignore", "ipc"];

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
    private readonly statementTimeoutMs: number,
  ) {
    child.on("message", (reply: InstanceReply) => this.take(reply));
    child.on("error", (error: Error) => this.finish(error));
    child.on("exit", () => this.finish(new Error("The database has stopped")));
    child.unref();
    child.channel?.unref();
  }

  /** Starts what is in `folder`, or an empty database there; `signal` ends the start. */
  static async open(
    folder: string,
    options: { readonly statementTimeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Instance> {
    const child = fork(program, [folder], { execArgv: [], serialization: "advanced", stdio: STDIO });
    const ended = new AbortController();
    child.once("exit", (code, signal) =>
      ended.abort(new Error(`The database ended at its start: ${signal ?? `exit code ${code}`}`)),
    );
    try {
      // Rejects when the process cannot be started as well.
      await once(child, "message", { signal: AbortSignal.any([options.signal, ended.signal]) });
    } catch (error) {
      child.kill("SIGKILL");
      throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
    }
    return new Instance(child, options.statementTimeoutMs);
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
    await this.kill();
  }

  private ask(request: Ask): Promise<Rows[]> {
    if (this.end !== undefined) return Promise.reject(this.end);
    const id = (this.lastId += 1);
    this.child.channel?.ref();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.giveUp(), this.statementTimeoutMs);
      this.pending.set(id, { resolve, reject, timer });
      this.child.send({ id, ...request } satisfies InstanceRequest, (error) => {
        if (error !== null) this.finish(error);
      });
    });
  }

  private take(reply: InstanceReply): void {
    const asked = this.pending.get(reply.id);
    if (asked === undefined) return;
    if (reply.kind === "crash") {
      void this.kill();
      this.finish(new Error(`The database has crashed: ${reply.message}`));
      return;
    }
    this.pending.delete(reply.id);
    clearTimeout(asked.timer);
    if (this.pending.size === 0) this.child.channel?.unref();
    if (reply.kind === "results") asked.resolve(reply.results);
    else asked.reject(new DatabaseError(reply.fault));
  }

  private async kill(): Promise<void> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) return;
    this.child.ref();
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }

  /** The embedded Postgres cannot interrupt a statement, so the whole process ends. */
  private giveUp(): void {
    void this.kill();
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
