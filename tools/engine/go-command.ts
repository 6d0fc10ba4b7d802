import { join } from "node:path";
import { type Attempt, type Environment, failed, type Log, succeeded } from "./engine";
import { findPackageRoot } from "./package-root";
import { findExecutable } from "./path-lookup";
import { type ProcessResult, runProcess } from "./run-process";

const LONGEST_BUILD_MS = 60 * 60_000;
const LONGEST_SILENCE_MS = 10 * 60_000;

export interface GoBuildRequest {
  env: Environment;
  log: Log;
  binDir: string;
}

export type GoCommand = (args: string[], onLine?: (line: string) => void) => Promise<ProcessResult>;

const NO_GO = "there is no go on PATH";

/** `go`, to be run in a module of this repository. */
export function goCommand(moduleFolder: string, env: Environment): Attempt<GoCommand> {
  const go = findExecutable("go", env);
  if (go === undefined) return failed(NO_GO);
  return succeeded((args, onLine) =>
    runProcess(go, args, {
      cwd: join(findPackageRoot(), moduleFolder),
      env: goEnvironment(env),
      timeoutMs: LONGEST_BUILD_MS,
      idleTimeoutMs: LONGEST_SILENCE_MS,
      ...(onLine === undefined ? {} : { onLine }),
    }),
  );
}

export function goEnvironment(env: Environment): Environment {
  return {
    ...env,
    GO111MODULE: "on",
    // Exactly what go.mod and go.sum say, whatever the user's workspace or flags are.
    GOWORK: "off",
    GOFLAGS: `${env["GOFLAGS"] ?? ""} -mod=readonly`.trim(),
    // No C compiler needed, and the result does not depend on the machine's libraries.
    CGO_ENABLED: "0",
  };
}
