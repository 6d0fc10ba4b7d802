import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { InvalidInputError } from "../../../client/errors";
import { readNamedFile, UnreadableFile } from "../../../converge/regular-files";
import { problems } from "./problems";

/** An empty line, a comment, or an assignment whose value may have several lines between quotes. */
const READABLE =
  /(?:[^\S\n]*(?:#.*)?|[^\S\n]*(?:export[^\S\n]+)?[^\s=#]+[^\S\n]*=[^\S\n]*(?:"[^"]*"|'[^']*'|`[^`]*`)?.*)(?:\n|$)/y;

/** The variables of a `.env` file; throws where it, or a line of it, cannot be read. */
export function readEnvFile(file: string): Map<string, string> {
  const path = resolve(file);
  // Editors of some systems put a byte order mark first.
  const text = textOf(path)
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n");
  const unreadable = firstUnreadableLine(text);
  if (unreadable !== undefined) throw unreadableFile(path, `line ${unreadable} is no \`NAME=value\``);
  return new Map(
    Object.entries(parseEnv(text)).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function textOf(path: string): string {
  try {
    return readNamedFile(path).toString("utf8");
  } catch (error) {
    throw error instanceof UnreadableFile ? unreadableFile(path, `it ${error.why}`) : error;
  }
}

function unreadableFile(path: string, why: string): InvalidInputError {
  return new InvalidInputError("envFile", problems.unreadableFile.message({ path, why }));
}

/** The number of the first line that is neither empty nor a comment nor an assignment: the parser leaves it out silently. */
function firstUnreadableLine(text: string): number | undefined {
  let at = 0;
  while (at < text.length) {
    READABLE.lastIndex = at;
    const [readable = ""] = READABLE.exec(text) ?? [];
    if (readable === "") return text.slice(0, at).split("\n").length;
    at += readable.length;
  }
  return undefined;
}
