/**
 * Pauses stack traces and returns what resumes them. The SDK takes four for each property of a resource, maps each through
 * the source maps, and shows them only where `PULUMI_DEBUG_PROMISE_LEAKS` is set: a fifth of a program's time.
 */
export function pauseStackTraces(): () => void {
  const limit = Error.stackTraceLimit;
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"] === undefined) Error.stackTraceLimit = 0;
  return () => {
    Error.stackTraceLimit = limit;
  };
}
