import { dirname, relative, resolve, sep } from "node:path";
import { Option, type Command } from "commander";
import { findWorkTree } from "../../provider/define/regular-files";
import { failureText, successText } from "../comment";
import type { Commands, Ran } from "../engine-command";
import { interruptible } from "../interruption";
import { identifyPreview } from "../preview";
import { areBranchesGone, historyRefusalIn } from "../recreation";
import { emptyPreview } from "../removal";
import { writeOwnFile } from "../../provider/define/own-file";
import { toRunReport, writeRunReport } from "../run-report";
import { createStack, formatStackName, lacksStack, readOutputs, requireStack, SUMMARY } from "../stacks";
import { timesIn } from "../times";
import { lockAdvice, locksIn, runUnlocking, type StackLock } from "../unlocking";
import {
  CommandLineError,
  commentAuthor,
  milliseconds,
  number,
  prefix,
  previewsOf,
  project,
  recordedRunsOf,
  repository,
  stackPattern,
  stacksOf,
  topic,
  unlockAfter,
  unlockEnded,
  whileRecorded,
  withClient,
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
    .requiredOption("--git-branch <name>", "Git branch of the pull request", gitBranch)
    .addOption(stackPattern(DEFAULT_PATTERN))
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
        interruptible(
          async (signal) => {
            const { out, err, engine } = streams;
            const of = previewsOf(options);
            const preview = identifyPreview(of, options.number, options.gitBranch);
            const pattern = options.stackPattern ?? DEFAULT_PATTERN;
            const stackName = formatStackName(pattern, preview.name);
            const commands: Commands = { workDir: options.workDir, signal, ...engine };
            const unlockAfterMs = milliseconds(options.unlockAfterMinutes);
            const began = Date.now();
            const runs = recordedRunsOf(options, streams);
            const own = runs?.(options.number);
            const isOfEndedRun = own && ((lock: StackLock) => own.isOfEndedRun(lock));
            const unlocking = { stackName, unlockAfterMs, isOfEndedRun };
            let commandMs = 0;
            const once = async (): Promise<Ran> => {
              const startedMs = Date.now();
              let ran = await runUnlocking(command, unlocking, commands);
              if (lacksStack(ran)) {
                err(`The stack ${stackName} is created, and the command runs again.\n`);
                await createStack(stackName, commands);
                ran = await runUnlocking(command, unlocking, commands);
              }
              commandMs += Date.now() - startedMs;
              return ran;
            };
            let recreated: string | undefined;
            const recreate = async (why: string): Promise<void> => {
              err(`The preview is recreated: ${why}.\n`);
              const { stacks } = stacksOf({ ...options, stackPattern: pattern, runs }, streams, signal);
              await withClient((client) =>
                emptyPreview({ client, signal, ...of, ...(stacks && { stacks }) }, preview),
              );
              recreated = why;
            };
            const report = async (code: number, said: string): Promise<void> => {
              const times = timesIn(said, { tookMs: Date.now() - began, commandMs });
              if (times !== undefined) err(`${times}\n`);
              const { report: file, commentFile } = options;
              const folder = folderInRepository(options.workDir);
              const advice = lockAdvice(said, { ...unlocking, folder });
              const done = toRunReport({ code, said, advice, recreated, times });
              if (file !== undefined) writeRunReport(file, done);
              if (commentFile === undefined) return;
              const summary = await readSummary(stackName, commands);
              const text =
                done.code === 0
                  ? successText(summary ?? `### Preview of pull request ${options.number}`, done)
                  : failureText(done, summary);
              if (commentFile === "-") out(text);
              else writeOwnFile(commentFile, text);
            };
            try {
              const refs = (await requireStack(stackName, preview, commands)) ?? [];
              const ran = await whileRecorded(own, { createsComment: true }, async () => {
                const areGone = (): Promise<boolean> =>
                  withClient((client) => areBranchesGone(client, of.project, refs));
                if (options.recreate === true) await recreate("that was asked for");
                else if (refs.length > 0 && (await areGone()))
                  await recreate(`its branch ${refs.join(", ")} no longer exists`);
                let result = await once();
                const why = result.code === 0 ? undefined : historyRefusalIn(result.said, refs);
                if (why !== undefined && recreated === undefined && options.onHistoryChange === "recreate") {
                  await recreate(why);
                  result = await once();
                }
                return { result, wasLocked: locksIn(result.said) !== undefined };
              });
              await report(ran.code, ran.said);
              return ran.code;
            } catch (error) {
              await report(1, error instanceof Error ? error.message : String(error));
              throw error;
            }
          },
          (line) => streams.err(`${line}\n`),
        ),
      ),
    );
}

/** After a run that failed, that of the run before. Undefined where there is none, or where the stack cannot be read: that is told already. */
async function readSummary(stackName: string, commands: Commands): Promise<string | undefined> {
  const outputs = await readOutputs(stackName, commands, false).catch(() => []);
  const text = outputs.find(({ name }) => name === SUMMARY)?.value;
  return typeof text === "string" ? text : undefined;
}

/** Undefined where there is no repository, or the folder is its root. */
function folderInRepository(workDir: string): string | undefined {
  const folder = resolve(workDir);
  const repository = findWorkTree(dirname(folder));
  return repository === undefined ? undefined : relative(repository, folder).split(sep).join("/");
}

function gitBranch(text: string): string {
  if (text !== "") return text;
  throw new CommandLineError("--git-branch takes the Git branch of the pull request; got none");
}
