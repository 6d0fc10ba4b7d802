import { AsyncLocalStorage } from "node:async_hooks";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settleCopy } from "./copied-database";
import type { Database, Databases } from "./databases";
import { Instance } from "./instance";
import { Queues } from "./queues";
import { RunningInstances } from "./running-instances";
import { templateFolder } from "./template";

export interface DatabasesOptions {
  /** Each database lives in `databases/<ref>` below it; without it in a temporary folder that goes at `close`. */
  readonly dataFolder?: string;
  /** How many databases run at once; three when absent. */
  readonly running?: number;
  /** In real time, as the statement really runs; 20 s when absent. */
  readonly statementTimeoutMs?: number;
}

/** Nothing starts and no file is made before the first use. */
export function createDatabases(options: DatabasesOptions = {}): Databases {
  return new FolderDatabases(options);
}

class FolderDatabases implements Databases {
  private readonly queues = new Queues();
  private readonly instances: RunningInstances;
  private readonly closing = new AbortController();
  private readonly used: Set<string>;
  /** Why a database came to nothing, told to whoever uses it. */
  private readonly broken = new Map<string, Error>();
  private readonly isInWork = new AsyncLocalStorage<true>();
  private temporary: string | undefined;
  private template: Promise<string> | undefined;

  constructor(private readonly options: DatabasesOptions) {
    this.instances = new RunningInstances(options.running ?? 3);
    const folder = options.dataFolder && join(options.dataFolder, "databases");
    const names = folder !== undefined && existsSync(folder) ? readdirSync(folder) : [];
    this.used = new Set(names.filter((name) => !name.startsWith(".")));
  }

  use<T>(ref: string, work: (database: Database) => Promise<T>): Promise<T> {
    if (this.isInWork.getStore() === true) {
      // Two that wait for each other's database would wait for ever.
      return Promise.reject(new Error(`${ref} is asked for while another database is in use`));
    }
    this.used.add(ref);
    return this.queues.run(ref, async () => {
      const failure = this.broken.get(ref);
      if (failure !== undefined) throw failure;
      return this.alone(ref, work);
    });
  }

  isUsed(ref: string): boolean {
    return this.used.has(ref);
  }

  copy(from: string, to: string, options: { readonly withData: boolean }): void {
    this.drop(to);
    if (!this.used.has(from)) return;
    this.used.add(to);
    const staged = join(this.folder(), `.${to}`);
    const copied = this.queues.run(from, async () => {
      await this.instances.stop(from);
      if (existsSync(this.folderOf(from))) cpSync(this.folderOf(from), staged, { recursive: true });
    });
    this.inBackground(to, async () => {
      await copied;
      if (existsSync(staged)) renameSync(staged, this.folderOf(to));
      await this.alone(to, (database) => settleCopy(database, options));
    });
    // It is told by the job that waits for it.
    copied.catch(() => undefined);
  }

  drop(ref: string): void {
    if (!this.used.delete(ref)) return;
    this.inBackground(ref, async () => {
      this.broken.delete(ref);
      await this.instances.stop(ref);
      rmSync(this.folderOf(ref), { recursive: true, force: true });
    });
  }

  dropAll(): void {
    for (const ref of [...this.used]) this.drop(ref);
  }

  async close(): Promise<void> {
    this.closing.abort(new Error("The databases are closed"));
    await this.instances.close();
    await this.queues.drained();
    await this.template?.catch(() => undefined);
    this.removeTemporary();
    process.off("exit", this.removeTemporary);
  }

  /** Nobody waits for the end of this job: the next user is told when it failed. */
  private inBackground(ref: string, job: () => Promise<void>): void {
    this.queues.run(ref, job).catch((cause: unknown) => {
      this.broken.set(ref, new Error(`The database ${ref} could not be made ready`, { cause }));
    });
  }

  private async alone<T>(ref: string, work: (database: Database) => Promise<T>): Promise<T> {
    const instance = await this.instances.take(ref, async () => {
      const folder = this.folderOf(ref);
      if (!existsSync(folder)) await this.makeNew(folder, ref);
      return this.start(folder);
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
    const { statementTimeoutMs = 20_000 } = this.options;
    const instance = await Instance.open(folder, { statementTimeoutMs, signal: this.closing.signal });
    await instance.renewSession();
    return instance;
  }

  /** Under another name first: a copy that is cut off must not be taken for a database. */
  private async makeNew(folder: string, ref: string): Promise<void> {
    const staged = join(this.folder(), `.${ref}`);
    const template = await this.newProjectsTemplate();
    rmSync(staged, { recursive: true, force: true });
    cpSync(template, staged, { recursive: true });
    renameSync(staged, folder);
  }

  private newProjectsTemplate(): Promise<string> {
    this.template ??= templateFolder(this.temporaryFolder(), (folder) => this.start(folder)).catch(
      (error: unknown) => {
        this.template = undefined;
        throw error;
      },
    );
    return this.template;
  }

  private folderOf(ref: string): string {
    return join(this.folder(), ref);
  }

  private folder(): string {
    if (this.options.dataFolder === undefined) return this.temporaryFolder();
    const folder = join(this.options.dataFolder, "databases");
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  private temporaryFolder(): string {
    if (this.temporary === undefined) {
      this.temporary = mkdtempSync(join(tmpdir(), "management-emulator-"));
      process.once("exit", this.removeTemporary);
    }
    return this.temporary;
  }

  private readonly removeTemporary = (): void => {
    if (this.temporary !== undefined) rmSync(this.temporary, { recursive: true, force: true });
    this.temporary = undefined;
  };
}
