import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { cachedFolder } from "./cached-folder";
import type { Instance } from "./instance";
import { extensionSources, writeExtensions } from "../sql/platform/extensions";
import { newDatabase } from "../sql/platform/new-database";
import type { DatabaseNames } from "../sql/platform/spelling";

/** What every database of an emulator begins with, made once and kept. */
export interface DatabaseTemplates {
  /** The folder of a new project's database. */
  database(): Promise<string>;
  /** The folder of the extensions, which databases read from it when they need one. */
  extensions(): Promise<string>;
}

export function createTemplates(options: {
  readonly names: DatabaseNames;
  readonly temporary: () => string;
  /** Starts an empty database in a folder, for its superuser. */
  readonly start: (folder: string) => Promise<Instance>;
}): DatabaseTemplates {
  const { names, temporary, start } = options;
  const extensions = once(() => {
    const hash = hashOf(extensionSources(names));
    return cachedFolder(`extensions-${hash}`, temporary, (folder) => writeExtensions(folder, names));
  });
  const database = once(() => {
    const sql = newDatabase(names);
    return cachedFolder(
      `new-project-${hashOf(sql, extensionSources(names), ...EMPTY_LOG)}`,
      temporary,
      async (folder) => {
        const instance = await start(folder);
        try {
          await instance.exec(sql);
          for (const statement of EMPTY_LOG) await instance.exec(statement);
        } finally {
          await instance.close();
        }
        dropMaps(folder);
      },
    );
  });
  return { database, extensions };
}

/** What is copied for each database shrinks by ten megabytes: a new segment of the log holds almost nothing. */
const EMPTY_LOG = ["set wal_recycle = off", "select pg_switch_wal()", "checkpoint"];

/** A sixth of the files say only where tables have room and what all may see; Postgres makes them anew as it needs them. */
function dropMaps(folder: string): void {
  for (const file of readdirSync(join(folder, "base"), { recursive: true, encoding: "utf8" })) {
    if (/_(?:fsm|vm)$/.test(file)) rmSync(join(folder, "base", file));
  }
}

/** Until it fails. */
function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Changes with the texts and with the Postgres that reads them. */
function hashOf(...texts: readonly string[]): string {
  const manifest = join(dirname(require.resolve("@electric-sql/pglite")), "..", "package.json");
  const hash = createHash("sha256").update(readFileSync(manifest));
  for (const text of texts) hash.update(text);
  return hash.digest("hex").slice(0, 16);
}
