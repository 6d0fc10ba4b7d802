// The SDK's own object: a bundler makes a copy of what is imported.
// oxlint-disable-next-line typescript/no-require-imports -- as above
const log = require("@pulumi/pulumi/log") as typeof import("@pulumi/pulumi/log");

const IS_QUIET = Symbol.for("pulumi-management.quiet-debug-log");

/** What an answer of the engine, or what was serialized for it, stands behind in a line: all that follows is a value. */
const VALUE = /\b(?:resp: |(?:obj|props|outputs|args|primitive|function)=)/;

/** What a line is of, by its type, its token or its URN: this package's resources and functions, and the outputs of other stacks. */
const OURS = /(?:^|[^\w-])(?:management:|pulumi:pulumi:(?:StackReference|readStack))/;

/** Lines that do not say what they are of: what a function is called with (`, obj={…}`), and what any value is made of. */
const IS_UNNAMED = /^(?:, obj=|Serialize property )/;

/**
 * Pulumi's SDK puts every answer of the engine into its debug log, secrets in clear, and the engine records that log with its
 * events. What they say of this package's resources and of other stacks, which may have the same secrets, is left out; everything else is logged as before.
 */
export function keepAnswersOutOfDebugLog(): void {
  const debug = log.debug;
  if (IS_QUIET in debug) return;
  const quiet: typeof log.debug = (message, ...rest) => debug(omitValues(message), ...rest);
  Reflect.set(log, "debug", Object.assign(quiet, { [IS_QUIET]: true }));
}

/** A line of the SDK without the values of what is ours. */
export function omitValues(message: string): string {
  const found = VALUE.exec(message);
  if (found === null || !(OURS.test(message) || IS_UNNAMED.test(message))) return message;
  return `${message.slice(0, found.index + found[0].length)}omitted, because it may contain secrets`;
}
