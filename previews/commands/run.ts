import type { Command } from "commander";
import { interruptible } from "../interruption";
import { identifyPreview } from "../preview";
import { requireStack, formatStackName } from "../stacks";
import { runUnlocking } from "../unlocking";
import {
  CommandLineError,
  milliseconds,
  number,
  prefix,
  previewsOf,
  project,
  repository,
  stackPattern,
  unlockAfter,
  workDir,
  type Perform,
} from "./command-line";

/** Of the stack of a preview, where none is given. */
const DEFAULT_PATTERN = "{name}";

export function addRun(program: Command, perform: Perform): void {
  program
    .command("run")
    .description(
      "runs the command behind --, with the preview's stack selected, unless the stack is of another project, Git branch or pull request; " +
        "and once more where only locks that dead runners left were in its way",
    )
    .usage("[options] -- <command...>")
    .showHelpAfterError("Usage: management-previews run [options] -- <command...>")
    .argument("<command...>", "what runs")
    .addOption(project)
    .addOption(repository)
    .addOption(prefix)
    .addOption(number)
    .requiredOption("--git-branch <name>", "Git branch of the pull request", gitBranch)
    .addOption(stackPattern(DEFAULT_PATTERN))
    .addOption(workDir)
    .addOption(unlockAfter)
    .action((command, options) =>
      perform(({ out, err }) =>
        interruptible(
          async (signal) => {
            const preview = identifyPreview(previewsOf(options), options.number, options.gitBranch);
            const stackName = formatStackName(options.stackPattern ?? DEFAULT_PATTERN, preview.name);
            const commands = { workDir: options.workDir, signal, out, err };
            await requireStack(stackName, preview, commands);
            const unlockAfterMs = milliseconds(options.unlockAfterMinutes);
            const { code } = await runUnlocking(command, { stackName, unlockAfterMs }, commands);
            return code;
          },
          (line) => err(`${line}\n`),
        ),
      ),
    );
}

function gitBranch(text: string): string {
  if (text !== "") return text;
  throw new CommandLineError("--git-branch takes the Git branch of the pull request; got none");
}
