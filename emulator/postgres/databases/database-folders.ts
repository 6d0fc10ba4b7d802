import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A copy that was asked for. */
export interface CopyOrder {
  readonly from: string;
  readonly withData: boolean;
}

/** Where the databases lie in a data folder. */
export const DATABASES_FOLDER = "databases";

const STAGED = ".staged-";
const ORDERED = ".ordered-";

/**
 * Where the databases lie: a folder each, which is whole or not there. What is begun lies beside them under names that
 * begin with a dot, so that a process killed in between leaves no half of a database.
 */
export class DatabaseFolders {
  private temporaryFolder: string | undefined;

  /** Without a `root` they lie in a folder in `temporaryRoot` that goes at `close`. */
  constructor(
    private readonly root: string | undefined,
    private readonly temporaryRoot: string = tmpdir(),
  ) {
    for (const name of this.names()) if (name.startsWith(STAGED)) this.removeAll(this.path(name));
  }

  /** The databases that an earlier process left. */
  refs(): string[] {
    return this.names().filter((name) => !name.startsWith("."));
  }

  /** The copies that an earlier process promised but did not finish. */
  orders(): Map<string, CopyOrder> {
    const names = this.names().filter((name) => name.startsWith(ORDERED));
    return new Map(
      names.map((name) => [
        name.slice(ORDERED.length),
        // `order` wrote it, whole or not at all.
        JSON.parse(readFileSync(this.path(name), "utf8")) as CopyOrder,
      ]),
    );
  }

  /** Remembers a copy until it is finished; in a temporary folder nothing is remembered. */
  order(to: string, order: CopyOrder): void {
    if (this.root === undefined) return;
    const staged = this.path(STAGED + to + ORDERED);
    writeFileSync(staged, JSON.stringify(order), { mode: 0o600 });
    renameSync(staged, this.path(ORDERED + to));
  }

  finish(to: string): void {
    if (this.root !== undefined) rmSync(this.path(ORDERED + to), { force: true });
  }

  of(ref: string): string {
    return this.path(ref);
  }

  has(ref: string): boolean {
    return existsSync(this.path(ref));
  }

  /** Lets `fill` write a database's folder, where `move` finds it. */
  stage(ref: string, fill: (folder: string) => void): void {
    const staged = this.path(STAGED + ref);
    this.removeAll(staged);
    fill(staged);
  }

  /** Makes what was staged the database of `ref`. */
  move(ref: string): void {
    renameSync(this.path(STAGED + ref), this.path(ref));
  }

  remove(ref: string): void {
    if (!this.has(ref)) return;
    const removed = this.path(`${STAGED}${ref}-removed`);
    this.removeAll(removed);
    renameSync(this.path(ref), removed);
    this.removeAll(removed);
  }

  /** The folder that goes with this process. */
  temporary(): string {
    if (this.temporaryFolder === undefined) {
      this.temporaryFolder = mkdtempSync(join(this.temporaryRoot, "management-emulator-"));
      process.once("exit", this.removeTemporary);
    }
    return this.temporaryFolder;
  }

  close(): void {
    this.removeTemporary();
    process.off("exit", this.removeTemporary);
  }

  private path(name: string): string {
    // Whatever it was made of, it is one step below the root.
    if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name))
      throw new Error(`${JSON.stringify(name)} is no database`);
    if (this.root === undefined) return join(this.temporary(), name);
    mkdirSync(this.root, { recursive: true, mode: 0o700 });
    return join(this.root, name);
  }

  private names(): string[] {
    return this.root !== undefined && existsSync(this.root) ? readdirSync(this.root) : [];
  }

  private removeAll(path: string): void {
    rmSync(path, { recursive: true, force: true });
  }

  private readonly removeTemporary = (): void => {
    if (this.temporaryFolder !== undefined) this.removeAll(this.temporaryFolder);
    this.temporaryFolder = undefined;
  };
}
