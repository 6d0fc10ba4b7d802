import { Command, CommanderError, type CommandUnknownOpts } from "commander";
import { VERSION } from "../provider/core/version.generated";
import { PreviewsCommandError, type Perform } from "./commands/command-line";
import { addCi } from "./commands/ci";
import { addComment } from "./commands/comment";
import { addEnv } from "./commands/env";
import { addInit } from "./commands/init";
import { addCheck, addLook, addName, addStatus } from "./commands/questions";
import { addRemove, addReset } from "./commands/remove";
import { addRun } from "./commands/run";
import { addSweep } from "./commands/sweep";
import { redactStreams, type PrintedStreams, type OutputStreams } from "./redaction";

/** Runs a command line; the exit code. */
export async function run(args: readonly string[], streams: OutputStreams): Promise<number> {
  const shown = redactStreams(streams);
  let code = 0;
  const program = createCommandLine(shown, async (work) => {
    code = await work(shown);
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    shown.err(`management-previews: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof PreviewsCommandError ? 2 : 1;
  } finally {
    shown.end();
  }
}

function createCommandLine({ out, err }: PrintedStreams, perform: Perform): Command {
  const program: Command = new Command("management-previews")
    .description(
      "Manages the previews of a repository's pull requests. A preview is a branch of a project and a stack of the same name, which consists of the prefix, " +
        "the number of the pull request, and a suffix for the repository and the project.\n\n" +
        "The service's address and token come from MANAGEMENT_BASE_URL and MANAGEMENT_ACCESS_TOKEN.",
    )
    .helpOption("-h, --help", "prints this text")
    .helpCommand("help [command]", "prints the options of a command")
    .version(VERSION, "--version", "prints the version")
    .addHelpText(
      "afterAll",
      `
Exit codes: 0 success; 1 something failed, or a variable is missing or wrong
(nothing is removed on an incomplete listing); 2 the command line is wrong; 130 and 143 stopped by SIGINT or
SIGTERM, with the stack unlocked.`,
    )
    // What stands behind `--` is no option of this one.
    .enablePositionalOptions()
    .showHelpAfterError("See management-previews help [command].")
    .exitOverride()
    .configureOutput({
      writeOut: out,
      writeErr: err,
      // Without the value of an option that is not known: it may be a token.
      outputError: (text, write) =>
        write(text.replace(/^error: /, "management-previews: ").replace(/('--[^=]*)=.*'/s, "$1'")),
    });
  for (const add of [
    addInit,
    addCi,
    addCheck,
    addName,
    addRun,
    addRemove,
    addSweep,
    addReset,
    addStatus,
    addEnv,
  ])
    add(program, perform);
  program.commandsGroup("In a job of GitHub or GitLab, with GITHUB_TOKEN or GITLAB_TOKEN:");
  for (const add of [addLook, addComment]) add(program, perform);
  for (const command of program.commands) refuseForgottenValues(command);
  return program;
}

/** An option without its value, as of an empty variable of a script, would take what follows for it. */
function refuseForgottenValues(command: CommandUnknownOpts): void {
  for (const option of command.options.filter(({ required }) => required)) {
    command.on(`option:${option.name()}`, (value: string) => {
      if (!value.startsWith("--")) return;
      throw new PreviewsCommandError(`--${option.name()} has no value: what begins with -- is an option`);
    });
  }
}
