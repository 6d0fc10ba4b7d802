// The SDK's own object: a bundler makes a copy of what is imported.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- as above
const log = require("@pulumi/pulumi/log") as typeof import("@pulumi/pulumi/log");

const ANSWER = /^(RegisterResource RPC finished: resource:[^;]*[[/]management:[^;]*; err: .*?, resp: )/s;
const IS_QUIET = Symbol.for("pulumi-management.quiet-debug-log");

/**
 * Pulumi's SDK puts every answer of the engine into its debug log, secrets in clear, and the engine records that log with its
 * events. The answers about this package's resources are left out of it; everything else is logged as before.
 */
export function keepAnswersOutOfDebugLog(): void {
  const debug = log.debug;
  if (IS_QUIET in debug) return;
  const quiet: typeof log.debug = (message, ...rest) => {
    const [, start] = ANSWER.exec(message) ?? [];
    return debug(start === undefined ? message : `${start}omitted, because it may contain secrets`, ...rest);
  };
  Reflect.set(log, "debug", Object.assign(quiet, { [IS_QUIET]: true }));
}
