import {
  type Attempt,
  ENGINE_VERSION,
  type Environment,
  failed,
  type Log,
  errorMessage,
  succeeded,
} from "./engine";
import { findPackageRoot } from "./package-root";
import { type ProcessResult, runProcess } from "./run-process";

const FIRST_ANSWER_MS = 20_000;
const WHOLE_INSTALLATION_MS = 5 * 60_000;
const FAILURE_MARK = "installation failed: ";

/**
 * A process of its own, because `PulumiCommand.install` cannot be cancelled: it is killed with the
 * downloads it started. Its first request gets a shorter limit, so that a closed network costs little.
 */
const INSTALL = `
const { createRequire } = require("node:module");
const [root, version, firstAnswerMs] = process.argv.slice(1);
const { PulumiCommand } = require("@pulumi/pulumi/automation");
const { SemVer } = createRequire(require.resolve("@pulumi/pulumi"))("semver");
const fetchOnce = globalThis.fetch;
globalThis.fetch = (url, init) => fetchOnce(url, { ...init, signal: AbortSignal.timeout(Number(firstAnswerMs)) });
PulumiCommand.install({ root, version: new SemVer(version), skipVersionCheck: true }).catch((error) => {
  const cause = error.cause ? " (" + (error.cause.code || error.cause.message) + ")" : "";
  const message = error.message.trim().split("\\n").slice(0, 12).join(" ") + cause;
  // A connection that was given up can keep the process alive.
  process.stdout.write("${FAILURE_MARK}" + message + "\\n", () => process.exit(1));
});
`;

/** The official installer, into `folder`. */
export async function runInstaller(
  request: { env: Environment; log: Log },
  folder: string,
): Promise<Attempt<undefined>> {
  request.log(`running the official installer of Pulumi ${ENGINE_VERSION}`);
  const args = ["-e", INSTALL, "--", folder, ENGINE_VERSION, String(FIRST_ANSWER_MS)];
  try {
    const result = await runProcess(process.execPath, args, {
      cwd: findPackageRoot(),
      // The machine's proxy settings hold for the installer's first request too.
      env: { ...request.env, NODE_USE_ENV_PROXY: "1" },
      timeoutMs: WHOLE_INSTALLATION_MS,
    });
    return result.exitCode === 0 ? succeeded(undefined) : failed(installerFailure(result));
  } catch (error) {
    return failed(errorMessage(error));
  }
}

function installerFailure(result: ProcessResult): string {
  if (result.timedOut) return `it was stopped after ${WHOLE_INSTALLATION_MS / 60_000} minutes`;
  const line = result.lastLines.findLast((candidate) => candidate.includes(FAILURE_MARK));
  return line?.replace(FAILURE_MARK, "").slice(0, 300) ?? `it ended with code ${result.exitCode}`;
}
