import { join, resolve } from "node:path";
import { InvalidInputError } from "../../../client/errors/errors";
import { compareFiles, hashed, isSame, type Migration } from "../shared/migration-history";
import { entriesOf, readFileWithin, realFolder, UnreadableFile } from "../../../define/regular-files";
import { problems } from "./problems";

const FILE = /^(\d+)_(.+?)(\.down)?\.sql$/s;

/** Where rollbacks are: the platform's own tool reads no folder within a folder of migrations. */
const ROLLBACKS = "rollbacks";

/**
 * The migrations of a folder, in the order of the files' names; throws for what is no set of them, links out of it included. Other files do
 * not count.
 */
export function readFolder(directory: string): Migration[] {
  const folder = resolve(directory);
  const { files, hasRollbacks } = sqlFilesIn(folder, directory);
  const rollbacks = hasRollbacks
    ? sqlFilesIn(join(folder, ROLLBACKS), join(directory, ROLLBACKS)).files.map(
        (name) => `${ROLLBACKS}/${name}`,
      )
    : [];
  const migrations: Migration[] = [];
  const alone = new Set(rollbacks);
  for (const label of files) {
    const [, version, name, isDown] = FILE.exec(label) ?? [];
    if (version === undefined || name === undefined) throw fault(problems.misnamed.message({ file: label }));
    if (isDown !== undefined) alone.add(label);
  }
  for (const label of files) {
    const [, version = "", name = "", isDown] = FILE.exec(label) ?? [];
    if (isDown !== undefined) continue;
    const query = textOf(folder, label);
    if (query.trim() === "") throw fault(problems.empty.message({ file: label }));
    const [rollbackLabel, second] = [label.replace(/\.sql$/, ".down.sql"), `${ROLLBACKS}/${label}`].filter(
      (one) => alone.delete(one),
    );
    if (rollbackLabel !== undefined && second !== undefined)
      throw fault(problems.twoRollbacks.message({ file: label, first: rollbackLabel, second }));
    const rollback = rollbackLabel === undefined ? undefined : textOf(folder, rollbackLabel);
    const same = migrations.find((one) => isSame(one, { version }));
    if (same !== undefined) throw fault(problems.sameVersion.message({ file: label, other: same.label }));
    migrations.push(hashed({ version, name, label, query, rollback, rollbackLabel }));
  }
  const [first] = alone;
  if (first !== undefined) throw fault(problems.downAlone.message({ file: first }));
  return migrations.sort(compareFiles);
}

function sqlFilesIn(folder: string, directory: string): { files: string[]; hasRollbacks: boolean } {
  try {
    const names = entriesOf(folder).map(({ name }) => name);
    return {
      files: names.filter((name) => name.endsWith(".sql")).sort(),
      hasRollbacks: names.includes(ROLLBACKS),
    };
  } catch (error) {
    throw fault(problems.unreadable.message({ path: directory, why: reasonOf(error) }));
  }
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
