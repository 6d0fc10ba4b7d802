import { join } from "node:path";
import { z } from "zod";
import { tryOrUndefined } from "../../spec/try-or-undefined";
import { findHome } from "../core/state-folder";
import { readTextFile } from "../../spec/regular-file";

const projectFile = z.object({ backend: z.object({ url: z.string().optional() }).optional() });
const credentials = z.object({ current: z.string() });

/**
 * Where Pulumi keeps the program's state, as the command-line program decides it: the environment, then the project's
 * file, then the last login. Empty where none of them has it.
 */
export function findPulumiBackend(env: NodeJS.ProcessEnv, projectFolder: string): string {
  const url = env["PULUMI_BACKEND_URL"] || readProjectBackend(projectFolder) || readLastLogin(env) || "";
  return url.replace(/\/+$/, "");
}

function readProjectBackend(folder: string): string | undefined {
  const text = tryOrUndefined(() => readTextFile(join(folder, "Pulumi.yaml")));
  // The parser takes a while to load, and most projects name no backend.
  if (text?.includes("backend") !== true) return undefined;
  /* oxlint-disable-next-line typescript/no-require-imports, typescript/no-unsafe-assignment -- loaded only where
     it is needed, with its own types */
  const { parse }: typeof import("yaml") = require("yaml");
  return tryOrUndefined(() => projectFile.parse(parse(text)).backend?.url);
}

function readLastLogin(env: NodeJS.ProcessEnv): string | undefined {
  const home = findHome(env);
  const folder = env["PULUMI_HOME"] || (home === undefined ? undefined : join(home, ".pulumi"));
  if (folder === undefined) return undefined;
  return tryOrUndefined(
    () => credentials.parse(JSON.parse(readTextFile(join(folder, "credentials.json")))).current,
  );
}
