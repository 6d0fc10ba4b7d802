import { existsSync } from "node:fs";
import { CancelledError } from "./errors/errors";

/** Names a file whose appearance cancels the run. */
export const CANCEL_FILE = "MANAGEMENT_CANCEL_FILE";

const POLL_MS = 200;

/**
 * How long a write that has left is waited for in a job that was cancelled. GitHub kills all that runs ten seconds after the first
 * signal; the engine takes some of them to write the state and to unlock the stack.
 */
const WRITE_GRACE_MS = 4_000;

/** Why a run ends that was cancelled. */
export function createCancellation(env: NodeJS.ProcessEnv): CancelledError {
  const isOfJob = (env[CANCEL_FILE] ?? "") !== "";
  return new CancelledError(
    "The run was cancelled. The next `pulumi up` continues from here.",
    false,
    isOfJob ? WRITE_GRACE_MS : undefined,
  );
}

/**
 * Aborts when the file appears that the environment names. The engine waits at an interrupt for the steps under way, and tells
 * a plugin to cancel them; its own launcher of dynamic providers does not pass that on.
 */
export function watchCancelFile(env: NodeJS.ProcessEnv): AbortSignal {
  const cancelling = new AbortController();
  const file = env[CANCEL_FILE] ?? "";
  if (file === "") return cancelling.signal;
  const watch = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(watch);
    cancelling.abort(createCancellation(env));
  }, POLL_MS);
  watch.unref();
  return cancelling.signal;
}
