import { resolve } from "node:path";
import { InvalidInputError } from "../../../client/errors/errors";
import { readNamedFile, UnreadableFile } from "../../../define/regular-files";
import { EnvTextError, parseEnvText, type EnvText } from "./env-text";
import { problems } from "./problems";

/** What a `.env` file says; throws where it, or a line of it, cannot be read. */
export function readEnvFile(file: string): EnvText {
  const path = resolve(file);
  const text = textOf(path);
  try {
    return parseEnvText(text);
  } catch (error) {
    if (!(error instanceof EnvTextError)) throw error;
    throw unreadableFile(path, error.message);
  }
}

function textOf(path: string): string {
  const bytes = bytesOf(path);
  try {
    // Without the byte order mark that editors of some systems put first.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadableFile(path, "it is not UTF-8");
  }
}

function bytesOf(path: string): Uint8Array {
  try {
    return readNamedFile(path);
  } catch (error) {
    throw error instanceof UnreadableFile ? unreadableFile(path, `it ${error.why}`) : error;
  }
}

function unreadableFile(path: string, why: string): InvalidInputError {
  return new InvalidInputError("envFile", problems.unreadableFile.message({ path, why }));
}
