import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { isObject } from "../../../../spec/is-object";
import { InvalidInputError } from "../../../client/errors";
import { problems } from "./problems";

/** The variables of a `.env` file; throws where it cannot be read. */
export function readEnvFile(file: string): Map<string, string> {
  const path = resolve(file);
  try {
    // Editors of some systems put a byte order mark first.
    const parsed = parseEnv(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
    return new Map(
      Object.entries(parsed).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  } catch (error) {
    const code = isObject(error) ? error["code"] : undefined;
    const why = code === "ENOENT" ? "it does not exist" : String(error);
    throw new InvalidInputError("envFile", problems.unreadableFile.message({ path, why }));
  }
}
