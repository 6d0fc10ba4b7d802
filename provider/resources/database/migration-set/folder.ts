import { join, resolve } from "node:path";
import { InvalidInputError } from "../../../client/errors";
import { compareFiles, hashed, isSame, type Migration } from "../../../converge/migration-history";
import { entriesOf, readFileWithin, realFolder, UnreadableFile } from "../../../converge/regular-files";
import { problems } from "./problems";

const FILE = /^(\d+)_(.+?)(\.down)?\.sql$/s;

/**
 * The migrations of a folder, in the order of the files' names; throws for what is no set of them, links out of it included. Other files do
 * not count.
 */
export function readFolder(directory: string): Migration[] {
  const folder = resolve(directory);
  const names = sqlFilesIn(folder, directory);
  const migrations: Migration[] = [];
  const downs = new Set<string>();
  for (const label of names) {
    const [, version, name, isDown] = FILE.exec(label) ?? [];
    if (version === undefined || name === undefined) throw fault(problems.misnamed.message({ file: label }));
    if (isDown !== undefined) {
      downs.add(label);
      continue;
    }
    const query = textOf(folder, label);
    if (query.trim() === "") throw fault(problems.empty.message({ file: label }));
    const down = label.replace(/\.sql$/, ".down.sql");
    const rollback = names.includes(down) ? textOf(folder, down) : undefined;
    const same = migrations.find((one) => isSame(one, { version }));
    if (same !== undefined) throw fault(problems.sameVersion.message({ file: label, other: same.label }));
    migrations.push(hashed({ version, name, label, query, rollback }));
    downs.delete(down);
  }
  requireUps(downs, migrations);
  return migrations.sort(compareFiles);
}

function sqlFilesIn(folder: string, directory: string): string[] {
  try {
    return entriesOf(folder)
      .map(({ name }) => name)
      .filter((name) => name.endsWith(".sql"))
      .sort();
  } catch (error) {
    throw fault(problems.unreadable.message({ path: directory, why: reasonOf(error) }));
  }
}

function requireUps(downs: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const alone = [...downs].find(
    (down) => !migrations.some(({ label }) => label === down.replace(/\.down\.sql$/, ".sql")),
  );
  if (alone !== undefined) throw fault(problems.downAlone.message({ file: alone }));
}

/** Its text, with line ends that do not depend on the machine that checked it out. */
function textOf(folder: string, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true })
      .decode(readFileWithin(join(folder, name), [realFolder(folder)]))
      .replaceAll("\r\n", "\n");
  } catch (error) {
    throw fault(problems.unreadable.message({ path: name, why: reasonOf(error) }));
  }
}

function reasonOf(error: unknown): string {
  return error instanceof UnreadableFile ? `it ${error.why}` : String(error);
}

function fault(message: string): InvalidInputError {
  return new InvalidInputError("directory", message);
}
