import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { settleCopy } from "./copied-database";
import { copyCluster } from "./copy-cluster";
import { DatabaseProcesses, sharedProcesses } from "./database-processes";
import { DATABASES_FOLDER, DatabaseFolders } from "./database-folders";
import type { Database, Databases, KeptDatabases } from "./databases";
import { Instance } from "./instance";
import { Queues } from "./queues";
import { RunningInstances } from "./running-instances";
import { createTemplates, type DatabaseTemplates } from "./template";
import { type DatabaseNames, literalDatabaseNames } from "../sql/platform/spelling";

export interface DatabasesOptions {
  /** Each database lives in `databases/<ref>` below it; without it in a temporary folder that goes at `close`. */
  readonly dataFolder?: string;
  /** How many databases run at once; three when absent. */
  readonly running?: number;
  /** In real time, as the statement really runs; two minutes when absent. */
  readonly statementTimeoutMs?: number;
  /** What the platform has in a database; the specification's placeholders when absent. */
  readonly names?: DatabaseNames;
}

/** Nothing starts and no file is made before the first use. */
export function createDatabases(options: DatabasesOptions = {}): Databases {
  return new EmbeddedDatabases(options);
}

class EmbeddedDatabases implements Databases {
  private readonly queues = new Queues();
  private readonly instances: RunningInstances;
  private readonly folders: DatabaseFolders;
  private readonly ownProcesses = new DatabaseProcesses();
  private readonly processes = sharedProcesses() ?? this.ownProcesses;
  private readonly closing = new AbortController();
  private readonly used: Set<string>;
  /** What the databases begin with that were kept elsewhere; after that they have a folder. */
  private readonly kept = new Map<string, (folder: string) => void>();
  /** What failed of a database that nobody waited for: its next user has it done first. */
  private readonly unfinished = new Map<string, () => Promise<void>>();
  private readonly isInWork = new AsyncLocalStorage<true>();
  private readonly templates: DatabaseTemplates;
  private readonly names: DatabaseNames;

  constructor(private readonly options: DatabasesOptions) {
    const { dataFolder, running = 3, names = literalDatabaseNames } = options;
    this.names = names;
    this.templates = createTemplates({
      names,
      temporary: () => this.folders.temporary(),
      start: (folder) => this.open(folder),
    });
    this.instances = new RunningInstances(running);
    this.folders = new DatabaseFolders(
      dataFolder && join(dataFolder, DATABASES_FOLDER),
      this.processes.temporaryRoot,
    );
    this.used = new Set(this.folders.refs());
    for (const [to, { from, withData }] of this.folders.orders()) this.copy(from, to, { withData });
  }

  use<T>(ref: string, work: (database: Database) => Promise<T>): Promise<T> {
    if (this.isInWork.getStore() === true) {
      // Two that wait for each other's database would wait for ever.
      return Promise.reject(new Error(`${ref} is asked for while another database is in use`));
    }
    this.used.add(ref);
    return this.queues.run(ref, async () => {
      await this.finish(ref);
      return this.alone(ref, work);
    });
  }

  isAwaited(ref: string): boolean {
    return this.queues.lengthOf(ref) > 1 || this.instances.isAwaited;
  }

  isUsed(ref: string): boolean {
    return this.used.has(ref);
  }

  copy(from: string, to: string, { withData }: { readonly withData: boolean }): void {
    this.drop(to);
    if (!this.used.has(from)) return this.folders.finish(to);
    this.used.add(to);
    this.folders.order(to, { from, withData });
    const stage = (): Promise<boolean> =>
      this.queues.run(from, async () => {
        await this.instances.stop(from);
        this.fetch(from);
        if (!this.folders.has(from)) return false;
        this.folders.stage(to, (folder) => copyCluster(this.folders.of(from), folder));
        return true;
      });
    const staged = stage();
    this.inBackground(to, async () => {
      // It is there already where only the rest has to be done again.
      if (!this.folders.has(to) && (await staged.catch(stage))) this.folders.move(to);
      await this.alone(to, (database) => settleCopy(database, { withData }));
      this.folders.finish(to);
    });
    // The job that waits for it tries again.
    staged.catch(() => undefined);
  }

  drop(ref: string): void {
    this.kept.delete(ref);
    if (!this.used.delete(ref)) return;
    this.inBackground(ref, async () => {
      await this.instances.stop(ref);
      this.folders.remove(ref);
    });
  }

  dropAll(): void {
    for (const ref of [...this.used]) this.drop(ref);
  }

  replace(kept: KeptDatabases): void {
    this.dropAll();
    for (const ref of kept.refs) {
      this.used.add(ref);
      this.kept.set(ref, (folder) => kept.fill(ref, folder));
    }
  }

  async visit(show: (ref: string, folder: string) => void): Promise<void> {
    const visits = Array.from(this.used, (ref) =>
      this.queues.run(ref, async () => {
        await this.finish(ref);
        await this.instances.stop(ref);
        this.fetch(ref);
        if (this.folders.has(ref)) show(ref, this.folders.of(ref));
      }),
    );
    await Promise.all(visits);
  }

  async close(): Promise<void> {
    this.closing.abort(new Error("The databases are closed"));
    await this.instances.close();
    await this.queues.drained();
    await this.ownProcesses.close();
    this.folders.close();
  }

  /** Nobody waits for the end of this job: a busy machine may end its process, and then it is done when it is needed. */
  private inBackground(ref: string, job: () => Promise<void>): void {
    void this.queues.run(ref, async () => {
      this.unfinished.set(ref, job);
      await this.finish(ref).catch(() => undefined);
    });
  }

  private async finish(ref: string): Promise<void> {
    const job = this.unfinished.get(ref);
    if (job === undefined) return;
    try {
      await job();
    } catch (cause) {
      throw new Error(`The database ${ref} could not be made ready`, { cause });
    }
    this.unfinished.delete(ref);
  }

  /** Brings here what the database begins with, if that was kept elsewhere. */
  private fetch(ref: string): void {
    const fill = this.kept.get(ref);
    if (fill === undefined || this.folders.has(ref)) return;
    this.folders.stage(ref, fill);
    this.folders.move(ref);
  }

  private async alone<T>(ref: string, work: (database: Database) => Promise<T>): Promise<T> {
    const instance = await this.instances.take(ref, async () => {
      this.fetch(ref);
      if (!this.folders.has(ref)) {
        const template = await this.templates.database();
        this.folders.stage(ref, (folder) => copyCluster(template, folder));
        this.folders.move(ref);
      }
      return this.start(this.folders.of(ref));
    });
    try {
      return await this.isInWork.run(true, () => work(instance));
    } finally {
      // One that cannot be cleaned is of no use to anyone else.
      await instance.renewSession().catch(() => instance.terminate());
      this.instances.giveBack(ref);
    }
  }

  private async start(folder: string): Promise<Instance> {
    const instance = await this.open(folder);
    await settleStart(instance);
    await instance.renewSession();
    return instance;
  }

  /** For its superuser. */
  private async open(folder: string): Promise<Instance> {
    const { statementTimeoutMs = 120_000 } = this.options;
    const { processes, names } = this;
    return Instance.open(folder, {
      statementTimeoutMs,
      signal: this.closing.signal,
      extensions: await this.templates.extensions(),
      processes,
      names,
    });
  }
}

/**
 * Takes back what a process that ended in the middle of a statement left to `postgres`. A database that an earlier version of
 * this package made lacks the role that only reads, and has `postgres` as its superuser.
 */
async function settleStart(instance: Instance): Promise<void> {
  const reader = instance.names("roles", "svc_read_only_user");
  const { rows } = await instance.query<{ isLeftSuperuser: boolean; hasReader: boolean }>(
    `select exists (select from pg_roles where rolname = 'postgres' and rolsuper and oid <> 10) as "isLeftSuperuser",
       exists (select from pg_roles where rolname = $1) as "hasReader"`,
    [reader],
  );
  const [found] = rows;
  if (found?.isLeftSuperuser === true) await instance.exec("alter role postgres nosuperuser");
  if (found?.hasReader === false) {
    await instance.exec(`create role "${reader}" login bypassrls; grant pg_read_all_data to "${reader}"`);
  }
}
