import type { Environment, Log } from "../engine/engine";
import { findExecutable } from "../engine/path-lookup";
import { failureLine, runProcess } from "../engine/run-process";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** What Chromium needs to run for a test: no window, no sandbox of its own, no calls to anywhere. */
export const CHROMIUM_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Path of a Chromium: named by `CHROMIUM`, found on PATH, or installed from the system's packages where that is allowed. */
export async function provideChromium(log: Log, env: Environment = process.env): Promise<string> {
  const named = env["CHROMIUM"];
  if (named !== undefined && named !== "") return named;
  const found = onPath(env);
  if (found !== undefined) return found;
  const reason = await installPackage(log, env);
  const installed = onPath(env);
  if (installed !== undefined) return installed;
  throw new Error(
    `There is no Chromium: none of ${NAMES.join(", ")} is on PATH, and ${reason}. ` +
      "Install one, or name it in the environment variable CHROMIUM.",
  );
}

function onPath(env: Environment): string | undefined {
  return NAMES.map((name) => findExecutable(name, env)).find((path) => path !== undefined);
}

/** Why it did not work, for the message; only the superuser may install packages. */
async function installPackage(log: Log, env: Environment): Promise<string> {
  const installer = findExecutable("apt-get", env);
  if (installer === undefined) return "there is no apt-get to install one with";
  if (process.getuid?.() !== 0) return "only the superuser may install one";
  log("installing the system's Chromium, which takes about a minute");
  const options = { env: { ...env, DEBIAN_FRONTEND: "noninteractive" }, timeoutMs: INSTALL_TIMEOUT_MS };
  const updated = await runProcess(installer, ["update", "-qq"], options);
  if (updated.exitCode !== 0) return `apt-get update failed: ${failureLine(updated)}`;
  const args = ["install", "-y", "-qq", "--no-install-recommends", "chromium"];
  const installed = await runProcess(installer, args, options);
  return installed.exitCode === 0
    ? "apt-get installed one that cannot be found"
    : `apt-get install failed: ${failureLine(installed)}`;
}
