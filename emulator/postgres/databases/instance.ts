import type { ChildProcess } from "node:child_process";
import { DatabaseError } from "../sql/database-error";
import type { Database, Results } from "./databases";
import { DatabaseProcesses, kill } from "./database-processes";
import type { InstanceReply, InstanceRequest } from "./instance-messages";
import { literalDatabaseNames, type DatabaseNames } from "../sql/platform/spelling";
import { asTheServiceRunsIt, splitForSuperuser } from "../sql/users-sql";

type QueryResults = Results<Record<string, unknown>>;
type InstanceCall = InstanceRequest extends infer R
  ? R extends InstanceRequest
    ? Omit<R, "id">
    : never
  : never;

type InstanceResult = Extract<InstanceReply, { readonly kind: "results" | "protocol" }>;

interface PendingRequest {
  readonly resolve: (reply: InstanceResult) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/**
 * One running Postgres in a process of its own: its start and its statements do not hold up the emulator, one that never
 * ends can be ended, and one that breaks takes nothing along. All that was committed is in its folder.
 */
export class Instance implements Database {
  private readonly pending = new Map<number, PendingRequest>();
  private lastId = 0;
  private end: Error | undefined;
  private isPlatform = true;
  private login = "postgres";
  /** Whether `postgres` may still be a superuser, as it is during some scripts. */
  private isElevated = false;
  /** Who owns the database; `reset` does not lead back to it, as nobody logged in. */
  private superuser = "";

  private constructor(
    private readonly child: ChildProcess,
    private readonly processes: DatabaseProcesses,
    private readonly statementTimeoutMs: number,
    readonly names: DatabaseNames,
  ) {
    child.on("message", this.take);
    child.on("error", this.finish);
    child.on("exit", this.onExit);
  }

  /**
   * Starts what is in `folder`, or an empty database there, for its superuser: `renewSession` turns to `postgres`. `signal`
   * ends the start.
   */
  static async open(
    folder: string,
    options: {
      readonly statementTimeoutMs: number;
      readonly signal: AbortSignal;
      /** The folder of extensions. */
      readonly extensions: string;
      readonly processes?: DatabaseProcesses;
      readonly names?: DatabaseNames;
    },
  ): Promise<Instance> {
    const {
      processes = new DatabaseProcesses({ idle: 0 }),
      signal,
      statementTimeoutMs,
      extensions,
    } = options;
    const { names = literalDatabaseNames } = options;
    const instance = new Instance(processes.take(), processes, statementTimeoutMs, names);
    const abort = (): void => instance.finish(reasonOf(signal));
    signal.addEventListener("abort", abort, { once: true });
    try {
      if (signal.aborted) throw reasonOf(signal);
      const superuser = names("roles", "svc_admin");
      await instance.ask({ kind: "open", folder, superuser, extensions }, { isLimited: false });
      const { rows } = await instance.query<{ name: string }>("select session_user as name");
      instance.superuser = rows[0]?.name ?? superuser;
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
    const [results] = await this.run(sql, (text) => this.ask({ kind: "query", sql: text, parameters }));
    // The caller knows the columns of its own query.
    return results as Results<Row>;
  }

  async exec(sql: string): Promise<QueryResults[]> {
    const isUsers = !this.isPlatform && this.login === "postgres";
    const parts = isUsers ? splitForSuperuser(sql) : undefined;
    if (parts === undefined) return this.run(sql, (text) => this.ask({ kind: "exec", sql: text }));
    return this.asOneScript(async () => {
      const results: QueryResults[] = [];
      for (const { text, start } of parts) {
        const ran = await this.exec(text).catch((error: unknown) => {
          throw placedIn(sql, start, error);
        });
        results.push(...ran);
      }
      return results;
    });
  }

  /** In one transaction, as Postgres runs a script; within one that is open already, in that. */
  private async asOneScript<T>(work: () => Promise<T>): Promise<T> {
    const isOpen = await this.ask({ kind: "exec", sql: "savepoint script" }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof DatabaseError && error.fault.code === NO_TRANSACTION) return false;
        throw error;
      },
    );
    return isOpen ? work() : this.transaction(work);
  }

  converse(messages: Uint8Array, sql: readonly string[]): Promise<Uint8Array> {
    return this.run(sql.join(";\n"), async () => {
      const reply = await this.request({ kind: "protocol", messages });
      return reply.kind === "protocol" ? reply.messages : new Uint8Array();
    });
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

  async asPlatform<T>(work: () => Promise<T>): Promise<T> {
    if (this.isPlatform) return work();
    this.isPlatform = true;
    try {
      await this.exec(this.becoming(this.superuser));
      const result = await work();
      await this.exec(this.becoming(this.login));
      return result;
    } catch (error) {
      // In a transaction that failed, this fails too, and the end of the transaction does it.
      if (this.isRunning) await this.exec(this.becoming(this.login)).catch(() => undefined);
      throw error;
    } finally {
      this.isPlatform = false;
    }
  }

  async logInAs(role: string): Promise<void> {
    await this.ask({ kind: "exec", sql: this.becoming(role) });
    this.login = role;
  }

  /** A session as a new one, whatever the last user of this one left open. */
  async renewSession(): Promise<void> {
    if (!this.isRunning) return;
    this.isPlatform = true;
    await this.exec(`rollback; ${this.becoming(this.superuser)}`);
    await this.exec("discard all");
    // Of an earlier version's database it is the superuser, and stays it.
    if (this.isElevated && this.superuser !== "postgres") await this.degrade();
    await this.exec(beginSession);
    this.isPlatform = false;
    this.login = "postgres";
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

  private becoming(role: string): string {
    return `set session authorization "${role.replaceAll('"', '""')}"`;
  }

  /** What users send is run as the service would run it. */
  private async run<T>(sql: string, ask: (sql: string) => Promise<T>): Promise<T> {
    if (this.isPlatform) return ask(sql);
    const { text, needsSuperuser } = asTheServiceRunsIt(sql);
    if (!needsSuperuser || this.login !== "postgres" || (await this.onlyReads())) return ask(text);
    this.isElevated = true;
    await this.asPlatform(() => this.exec("alter role postgres superuser"));
    try {
      return await ask(text);
    } finally {
      // Where the script left a transaction that failed, `renewSession` does it.
      if (this.isRunning) await this.asPlatform(() => this.degrade()).catch(() => undefined);
    }
  }

  private async onlyReads(): Promise<boolean> {
    const [shown] = await this.ask({ kind: "exec", sql: "show transaction_read_only" });
    return shown?.rows[0]?.["transaction_read_only"] === "on";
  }

  private async degrade(): Promise<void> {
    await this.exec("alter role postgres nosuperuser");
    this.isElevated = false;
  }

  private async ask(
    request: InstanceCall,
    options?: { readonly isLimited: boolean },
  ): Promise<QueryResults[]> {
    const reply = await this.request(request, options);
    return reply.kind === "results" ? reply.results : [];
  }

  private request(request: InstanceCall, { isLimited = true } = {}): Promise<InstanceResult> {
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
    if (reply.kind !== "fault") return asked.resolve(reply);
    const error = new DatabaseError(reply.fault);
    asked.reject(error);
    if (["PANIC", "FATAL"].includes(reply.fault.severity)) {
      // Postgres has given up; what was committed is in the folder, from which the next use starts it anew.
      void kill(this.child);
      this.finish(error);
    }
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

/** A login of `postgres`, with the settings of the role and of the database. */
const beginSession = `
select set_config(split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1), false)
  from pg_db_role_setting, unnest(setconfig) setting
  where setrole in (0, 'postgres'::regrole)
    and setdatabase in (0, (select oid from pg_database where datname = current_database()))
  order by setrole, setdatabase;
set session authorization postgres`;

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** SQLSTATE of a savepoint outside of a transaction. */
const NO_TRANSACTION = "25P01";

/** The fault of a statement with its place in the script; Postgres counts characters. */
function placedIn(sql: string, start: number, error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.fault.position === undefined) return error;
  const before = Array.from(sql.slice(0, start)).length;
  return new DatabaseError({ ...error.fault, position: String(before + Number(error.fault.position)) });
}
