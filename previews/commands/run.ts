import { Option, type Command } from "commander";
import { formatFailureText, formatSuccessText } from "../comment";
import type { Commands } from "../engine-command";
import { runInterruptible } from "../interruption";
import { identifyPreview } from "../preview";
import { runOnStack, type EndedRun } from "../preview-run";
import { ASKED_FOR, explainGoneBranches } from "../recreation";
import { emptyPreview } from "../removal";
import { writeOwnFile } from "../../provider/core/own-file";
import { toRunReport, writeRunReport } from "../run-report";
import {
  findRepositoryFolder,
  formatStackName,
  readStack,
  requireStackOf,
  findSummary,
  describeFailure,
} from "../stacks";
import type { StackState } from "../stack-state";
import { formatTimes } from "../times";
import { adviseOnLock, parseLocks, type StackLock } from "../unlocking";
import {
  PreviewsCommandError,
  commentAuthor,
  toMilliseconds,
  number,
  prefix,
  toPreviews,
  project,
  createRecordedRuns,
  repository,
  createStackPattern,
  createStacks,
  topic,
  unlockAfter,
  unlockEnded,
  runRecorded,
  useClient,
  workDir,
  type Perform,
} from "./command-line";

/** Of the stack of a preview, where none is given. */
const DEFAULT_PATTERN = "{name}";

export function addRun(program: Command, perform: Perform): void {
  program
    .command("run")
    .description(
      "runs the command after -- with the preview's stack selected; refuses a stack of another project, Git branch or pull request. " +
        "It runs the command again after it has removed the locks of dead runners, or on a new branch if the old one no longer exists or its migration history conflicts with the files",
    )
    .usage("[options] -- <command...>")
    .showHelpAfterError("Usage: management-previews run [options] -- <command...>")
    .argument("<command...>", "command to run, with its arguments")
    .addOption(project)
    .addOption(repository)
    .addOption(prefix)
    .addOption(number)
    .requiredOption("--git-branch <name>", "Git branch of the pull request", parseGitBranch)
    .addOption(createStackPattern(DEFAULT_PATTERN))
    .addOption(workDir)
    .addOption(unlockAfter)
    .addOption(unlockEnded)
    .addOption(commentAuthor)
    .addOption(topic)
    .addOption(
      new Option(
        "--on-history-change <what>",
        "what to do if an applied migration or the seed has changed: recreate the preview, or fail",
      )
        .choices(["recreate", "fail"] as const)
        .default("recreate" as const),
    )
    .option("--recreate", "always recreates the preview")
    .option("--report <file>", "file for the report of the run, which `comment --report` reads")
    .option(
      "--comment-file <file>",
      "Markdown file for what a comment on the pull request would say, for another tool to post; - for standard output",
    )
    .action((command, options) =>
      perform((streams) =>
        runInterruptible(
          async (signal) => {
            const { out, err, engine } = streams;
            const of = toPreviews(options);
            const preview = identifyPreview(of, options.number, options.gitBranch);
            const pattern = options.stackPattern ?? DEFAULT_PATTERN;
            const stackName = formatStackName(pattern, preview.name);
            const commands: Commands = { workDir: options.workDir, signal, ...engine };
            const unlockAfterMs = toMilliseconds(options.unlockAfterMinutes);
            const began = Date.now();
            const runs = createRecordedRuns(options, streams);
            const own = runs?.(options.number);
            const isOfEndedRun = own && ((lock: StackLock) => own.isOfEndedRun(lock));
            const unlocking = { stackName, unlockAfterMs, isOfEndedRun };
            let known: StackState | undefined;
            let ended: EndedRun | undefined;
            const empty = async (): Promise<void> => {
              const { stacks } = createStacks({ ...options, stackPattern: pattern, runs }, streams, signal);
              await useClient((client) =>
                emptyPreview({ client, signal, ...of, ...(stacks && { stacks }) }, preview),
              );
            };
            const report = (code: number, said: string): void => {
              const { commandMs = 0, recreated, isUnusable, after = known } = ended ?? {};
              const times = formatTimes(said, { tookMs: Date.now() - began, commandMs });
              if (times !== undefined) err(`${times}\n`);
              const { report: file, commentFile } = options;
              const folder = findRepositoryFolder(options.workDir);
              const advice = adviseOnLock(said, { ...unlocking, folder });
              const done = toRunReport({ code, said, advice, recreated, isUnusable, times });
              if (file !== undefined) writeRunReport(file, done);
              if (commentFile === undefined) return;
              const summary = findSummary(after);
              const text =
                done.code === 0
                  ? formatSuccessText(summary ?? `### Preview of pull request ${options.number}`, done)
                  : formatFailureText(done, summary);
              if (commentFile === "-") out(text);
              else writeOwnFile(commentFile, text);
            };
            try {
              const before = await readStack(stackName, commands);
              const refs = before === undefined ? [] : requireStackOf(preview, stackName, before);
              known = before;
              const { ran } = await runRecorded(own, { createsComment: true }, async () => {
                const recreatesFor =
                  options.recreate === true
                    ? ASKED_FOR
                    : refs.length === 0
                      ? undefined
                      : await useClient(async (client) =>
                          explainGoneBranches(client, await client.listBranches({ ref: of.project }), refs),
                        );
                ended = await runOnStack({
                  ...{ preview, stackName, command, commands, unlocking, before, recreatesFor, empty },
                  remakesUnusable: false,
                  recreatesOnHistory: options.onHistoryChange === "recreate",
                  say: (line) => err(`${line}\n`),
                });
                return { result: ended, wasLocked: parseLocks(ended.ran.said) !== undefined };
              });
              report(ran.code, ran.said);
              return ran.code;
            } catch (error) {
              report(1, describeFailure(error));
              throw error;
            }
          },
          (line) => streams.err(`${line}\n`),
        ),
      ),
    );
}

function parseGitBranch(text: string): string {
  if (text !== "") return text;
  throw new PreviewsCommandError("--git-branch takes the Git branch of the pull request; got none");
}
