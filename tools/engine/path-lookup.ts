import { accessSync, constants, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import {
  type Attempt,
  companionNames,
  type Engine,
  ENGINE_VERSION,
  type Environment,
  failed,
  type Language,
  succeeded,
} from "./engine";
import { failureLine, runProcess } from "./run-process";

/** `pulumi` on PATH, with the programs that it starts. */
export async function lookUpOnPath(request: {
  env: Environment;
  languages: readonly Language[];
}): Promise<Attempt<Engine>> {
  const pulumi = findExecutable("pulumi", request.env);
  if (pulumi === undefined) return failed("there is no pulumi on PATH");

  const env = { ...request.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const result = await runProcess(pulumi, ["version"], { env, timeoutMs: 30_000 });
  if (result.exitCode !== 0) return failed(`${pulumi} version failed: ${failureLine(result)}`);

  const version = result.stdout.trim().replace(/^v/, "");
  if (!isRecentEnough(version))
    return failed(`${pulumi} is version ${version || "unknown"}, and ${ENGINE_VERSION} or later is needed`);

  const binDir = dirname(pulumi);
  const search = { ...request.env, PATH: `${binDir}${delimiter}${request.env["PATH"] ?? ""}` };
  const missing = companionNames(request.languages).filter(
    (name) => findExecutable(name, search) === undefined,
  );
  if (missing.length > 0) return failed(`${pulumi} has no ${missing.join(", ")} beside it or on PATH`);
  return succeeded({ pulumi, version, binDir, source: "path" });
}

export function isRecentEnough(version: string): boolean {
  const given = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (given === undefined) return false;
  const [major = 0, minor = 0, patch = 0] = given;
  const [neededMajor = 0, neededMinor = 0, neededPatch = 0] = ENGINE_VERSION.split(".").map(Number);
  // The next major version may drop the protocol that this package's SDK speaks.
  if (major !== neededMajor) return false;
  return minor > neededMinor || (minor === neededMinor && patch >= neededPatch);
}

export function findExecutable(name: string, env: Environment): string | undefined {
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders
    .flatMap((folder) => candidates(name).map((file) => join(folder, file)))
    .find(isExecutableFile);
}

export function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The file names under which the system would start `name`. */
export function candidates(name: string, platform: NodeJS.Platform = process.platform): string[] {
  return platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
}
