import { CommanderError, type CommandUnknownOpts } from "commander";

/** A command line that cannot be followed; the message is all that the user needs to see. */
export class EmulatorCommandError extends Error {}

/** The text that is to be printed instead of anything else; undefined for none. */
export function parse(line: CommandUnknownOpts, args: readonly string[]): string | undefined {
  refuseForgottenValues(line);
  let text = "";
  // Both throw in place of ending the process.
  line.exitOverride().configureOutput({ writeOut: (part) => (text += part), outputError: () => undefined });
  try {
    line.parse(args, { from: "user" });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return text;
    // In one line, and without the value of an option that is not known: it may be a token.
    const reason = error.message.replace(/^error: /, "").replace(/('--[^=]*)=.*'/s, "$1'");
    throw new EmulatorCommandError(`${reason.replaceAll("\n", " ")}; see management-emulator --help`);
  }
}

/** An option without its value, as of an empty variable of a script, would take what follows for it. */
function refuseForgottenValues(line: CommandUnknownOpts): void {
  for (const option of line.options.filter(({ required }) => required)) {
    line.on(`option:${option.name()}`, (value: string) => {
      if (!value.startsWith("--")) return;
      throw new EmulatorCommandError(`--${option.name()} has no value: what begins with -- is an option`);
    });
  }
}

/** The value of an option that must not be empty. */
export function some(refusal: string) {
  return (text: string): string => {
    if (text === "") throw new EmulatorCommandError(refusal);
    return text;
  };
}
