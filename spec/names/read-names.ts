import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { NamesFileError, type Names } from "./names";
import { parseNames } from "./parse-names";

/** Compiled once for each text: who asks again, as every check of a resource does, gets the same. */
const compiled = new Map<string, Names>();

/** The names in a file; a relative path begins at the working directory. */
export function readNames(path: string): Names {
  const file = resolve(path);
  const text = textOf(file);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const found = parseNames(text);
  if ("toWire" in found) {
    compiled.set(text, found);
    return found;
  }
  const faults = found.map(({ line, reason }) => `line ${line}: ${reason}`);
  throw new NamesFileError(
    `${file} is refused: ${faults.join("; ")}. Correct it as docs/names.md describes.`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const why =
      typeof error === "object" && error !== null && "code" in error ? String(error.code) : String(error);
    throw new NamesFileError(
      `${file} cannot be read (${why}): give the path of a file as docs/names.md describes it; ` +
        `a relative one begins at the working directory, here ${process.cwd()}.`,
    );
  }
}
