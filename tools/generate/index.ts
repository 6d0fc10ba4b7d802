import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { resources } from "../../provider/catalog";
import { findPackageRoot } from "../engine/package-root";
import { classesText } from "./classes";

/** Every generated file by its path below the root. */
const generated: Record<string, () => string> = {
  "provider/dynamic/classes.generated.ts": () => classesText(resources),
};

/** Writes the generated files; with `--check` only says which are stale, and fails if any is. */
async function main(isCheck: boolean): Promise<number> {
  const root = findPackageRoot();
  const stale: string[] = [];
  for (const [path, text] of Object.entries(generated)) {
    const file = join(root, path);
    const options = (await resolveConfig(file)) ?? {};
    const wanted = await format(text(), { ...options, filepath: file });
    if (existsSync(file) && readFileSync(file, "utf8") === wanted) continue;
    stale.push(path);
    if (!isCheck) writeFileSync(file, wanted);
  }
  for (const path of stale) console.log(isCheck ? `stale: ${path}` : `written: ${path}`);
  if (isCheck && stale.length > 0) console.log("Run `npm run generate` and commit what it writes.");
  return isCheck && stale.length > 0 ? 1 : 0;
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
