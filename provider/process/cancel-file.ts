import { existsSync } from "node:fs";
import { CancelledError } from "../client/errors/errors";

/** Names a file whose appearance cancels the run. */
export const CANCEL_FILE = "MANAGEMENT_CANCEL_FILE";

const POLL_MS = 200;

/**
 * Aborts when the file appears that the environment names. The engine waits at an interrupt for the steps under way, and tells
 * a plugin to cancel them; its own launcher of dynamic providers does not pass that on.
 */
export function cancelledByFile(env: NodeJS.ProcessEnv): AbortSignal {
  const cancelling = new AbortController();
  const file = env[CANCEL_FILE] ?? "";
  if (file === "") return cancelling.signal;
  const watch = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(watch);
    cancelling.abort(new CancelledError("The run was cancelled. The next `pulumi up` continues from here."));
  }, POLL_MS);
  watch.unref();
  return cancelling.signal;
}
