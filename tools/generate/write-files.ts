import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { format, getFileInfo, resolveConfig } from "prettier";

/**
 * What is generated, by its path below the root: the text of a file, or the texts of a folder's files by their paths
 * below it. A folder is generated as a whole: what is not among its files is removed.
 */
export type Generated = Readonly<Record<string, (root: string) => string | Readonly<Record<string, string>>>>;

/** A file that is not as it is generated, or is no longer generated at all. */
export interface StaleFile {
  readonly path: string;
  readonly isLeftOver: boolean;
}

/** Writes what is stale, unless it is only to be named. */
export async function refreshFiles(
  root: string,
  generated: Generated,
  { isCheck }: { isCheck: boolean },
): Promise<StaleFile[]> {
  const stale: StaleFile[] = [];
  for (const [path, make] of Object.entries(generated)) {
    const made = make(root);
    const isFile = typeof made === "string";
    const files: Readonly<Record<string, string>> = isFile ? { "": made } : made;
    for (const [below, text] of Object.entries(files)) {
      const file = join(root, path, below);
      const wanted = await formatFile(file, text);
      if (existsSync(file) && readFileSync(file, "utf8") === wanted) continue;
      stale.push({ path: join(path, below), isLeftOver: false });
      if (!isCheck) write(file, wanted);
    }
    const present = isFile ? [] : filesBelow(join(root, path));
    for (const below of present.filter((name) => !Object.hasOwn(files, name))) {
      stale.push({ path: join(path, below), isLeftOver: true });
      if (!isCheck) rmSync(join(root, path, below));
    }
  }
  return stale;
}

/** A text of a language that the formatter does not know stays as it is. */
async function formatFile(file: string, text: string): Promise<string> {
  const { inferredParser } = await getFileInfo(file);
  return inferredParser === null ? text : format(text, { ...(await resolveConfig(file)), filepath: file });
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The files below a folder, by their paths with `/`; none where there is no such folder. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    );
}
