import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { format, resolveConfig } from "prettier";
import { functions, resources } from "../../provider/catalog";
import { findPackageRoot } from "../engine/package-root";
import { classesText } from "./classes";
import { schemaText } from "./schema";
import { referenceFiles } from "./reference";
import { functionsText } from "./functions";

/**
 * What is generated, by its path below the root: the text of a file, or the texts of a folder's files by their paths
 * below it. A folder is generated as a whole: what is not among its files is removed.
 */
const generated: Record<string, (root: string) => string | Readonly<Record<string, string>>> = {
  "provider/dynamic/classes.generated.ts": () => classesText(resources),
  "schema.json": schemaText,
  "docs/reference": referenceFiles,
  "provider/dynamic/functions.generated.ts": () => functionsText(functions),
};

/** Writes the generated files; with `--check` only says which are stale, and fails if any is. */
async function main(isCheck: boolean): Promise<number> {
  const root = findPackageRoot();
  const stale: string[] = [];
  for (const [path, make] of Object.entries(generated)) {
    const made = make(root);
    const isFile = typeof made === "string";
    const files: Readonly<Record<string, string>> = isFile ? { "": made } : made;
    for (const [below, text] of Object.entries(files)) {
      const file = join(root, path, below);
      const wanted = await format(text, { ...(await resolveConfig(file)), filepath: file });
      if (existsSync(file) && readFileSync(file, "utf8") === wanted) continue;
      stale.push(join(path, below));
      if (!isCheck) write(file, wanted);
    }
    for (const below of isFile ? [] : filesBelow(join(root, path))) {
      if (Object.hasOwn(files, below)) continue;
      stale.push(join(path, below));
      if (!isCheck) rmSync(join(root, path, below));
    }
  }
  for (const path of stale) {
    if (isCheck) console.log(`stale: ${path}`);
    else console.log(`${existsSync(join(root, path)) ? "written" : "removed"}: ${path}`);
  }
  if (isCheck && stale.length > 0) console.log("Run `npm run generate` and commit what it writes.");
  return isCheck && stale.length > 0 ? 1 : 0;
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

main(process.argv.includes("--check")).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
