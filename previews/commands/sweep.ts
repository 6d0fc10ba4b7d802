import type { Command } from "commander";
import type { ManagementClient } from "../../provider/client";
import { findRepositoryAddress } from "../forge/from-environment";
import { readOpenPullRequests, type OpenPullRequests } from "../open-pull-requests";
import type { Previews } from "../preview";
import type { PrintedStreams } from "../redaction";
import { isSwept, formatSweep } from "../report";
import { sweepPreviews, type SweepOptions } from "../sweep";
import {
  allowPackage,
  PreviewsCommandError,
  commentAuthor,
  createOwnForge,
  runWithClient,
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
  createNumberParser,
  workDir,
  type Perform,
} from "./command-line";

export function addSweep(program: Command, perform: Perform): void {
  program
    .command("sweep")
    .description(
      "removes previews whose pull request is closed or merged, and those older than the hours in their function secret PREVIEW_TTL_HOURS; " +
        "without --yes it only lists them. A preview stays if the state of its pull request is unknown",
    )
    .option(
      "--open-pull-requests <file>",
      "the numbers of all open pull requests, one a line or as a JSON array, or - for standard input (default: asks the forge of the job)",
    )
    .option(
      "--none-open",
      "with --open-pull-requests, says that an empty list, or one that names no pull request with a preview, is right",
    )
    .addOption(project)
    .addOption(repository)
    .addOption(prefix)
    .option("--yes", "removes them")
    .option("--json", "prints JSON")
    .option("--max <number>", "maximum number of previews to remove", createNumberParser("max"), 10)
    .option(
      "--grace-minutes <number>",
      "keeps branches that are younger",
      createNumberParser("grace-minutes"),
      60,
    )
    .addOption(createStackPattern("no stack"))
    .addOption(workDir)
    .addOption(unlockAfter)
    .addOption(unlockEnded)
    .addOption(allowPackage)
    .addOption(commentAuthor)
    .addOption(topic)
    .action((options) =>
      perform((streams) =>
        runWithClient(streams, (client, signal) => sweepAll(options, streams, { client, signal })),
      ),
    );
}

interface AskedSweep extends AskedList {
  readonly project: string;
  readonly repository?: string | undefined;
  readonly prefix: string;
  readonly yes?: true | undefined;
  readonly json?: true | undefined;
  readonly max: number;
  readonly graceMinutes: number;
  readonly stackPattern?: string | undefined;
  readonly workDir: string;
  readonly unlockAfterMinutes?: number | undefined;
  readonly unlockEndedRuns?: true | undefined;
  readonly allowPackage: readonly string[];
  readonly commentAuthor?: string | undefined;
  readonly topic?: string | undefined;
}

/** Sweeps, and prints what became of each preview; 1 where something is left that should have gone. */
export async function sweepAll(
  options: AskedSweep,
  streams: PrintedStreams,
  { client, signal }: { readonly client: ManagementClient; readonly signal: AbortSignal },
): Promise<number> {
  const of = toPreviews(options);
  const list = readPullRequestList(options);
  const states = list === undefined ? createForgeStates(of) : createListStates(list);
  const runs = createRecordedRuns(options, streams);
  let young: readonly number[] = [];
  const swept = await sweepPreviews({
    ...{ client, signal, max: options.max, yes: options.yes === true, ...of },
    graceMs: options.graceMinutes * 60_000,
    ...states,
    onYoung: (pullRequests) => void (young = pullRequests),
    warn: (line) => streams.err(`${line}\n`),
    ...createStacks({ ...options, runs }, streams, signal),
  });
  const distrust = list?.distrust;
  const kept = { young, graceMinutes: options.graceMinutes, isRefused: distrust !== undefined };
  streams.out(options.json === true ? `${JSON.stringify(swept, undefined, 2)}\n` : formatSweep(swept, kept));
  if (distrust !== undefined) streams.err(`${distrust}\n`);
  return isSwept(swept) && distrust === undefined ? 0 : 1;
}

interface AskedList {
  readonly openPullRequests?: string | undefined;
  readonly noneOpen?: true | undefined;
}

function readPullRequestList({ openPullRequests: file, noneOpen }: AskedList): OpenPullRequests | undefined {
  if (file !== undefined) return readOpenPullRequests(file, noneOpen === true);
  if (noneOpen === undefined) return undefined;
  throw new PreviewsCommandError("--none-open belongs to --open-pull-requests <file>");
}

/** Where it is known from whether a pull request is open. */
type States = Pick<SweepOptions, "pullRequest" | "asOfMs" | "onListed">;

function createForgeStates(of: Previews): States {
  if (findRepositoryAddress(process.env) === undefined) {
    throw new PreviewsCommandError(
      "Outside a job of GitHub or GitLab, sweep needs --open-pull-requests <file>, a list of all open pull requests",
    );
  }
  const forge = createOwnForge(of);
  return { pullRequest: (number) => forge.pullRequest(number) };
}

function createListStates(list: OpenPullRequests): States {
  return {
    pullRequest: (number) => Promise.resolve(list.stateOf(number)),
    asOfMs: list.listedMs,
    onListed: (numbers) => list.check(numbers),
  };
}
