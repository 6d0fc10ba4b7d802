import { readFileSync } from "node:fs";
import { ManagementClient } from "../provider/client";
import {
  CommandLineError,
  readCommandLine,
  usage,
  type StatusCommand,
  type SweepCommand,
} from "./command-line";
import { PullRequestsError, readPullRequests } from "./pull-requests";
import { statusText, sweepText } from "./report";
import { removeByStack } from "./stacks";
import { previewStatus } from "./status";
import { sweepPreviews } from "./sweep";

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs a command line; the exit code. */
export async function run(args: readonly string[], streams: Streams): Promise<number> {
  try {
    const command = readCommandLine(args);
    if (command.kind === "help") {
      streams.out(usage);
      return 0;
    }
    const client = new ManagementClient();
    try {
      return command.kind === "sweep"
        ? await runSweep(command, client, streams)
        : await runStatus(command, client, streams);
    } finally {
      await client.close();
    }
  } catch (error) {
    streams.err(`management-previews: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof CommandLineError ? 2 : 1;
  }
}

async function runSweep(
  command: SweepCommand,
  client: ManagementClient,
  { out, err }: Streams,
): Promise<number> {
  const { project, prefix, openPrs, stackPattern, workDir, max, yes, allowEmpty, graceMinutes } = command;
  const swept = await sweepPreviews({
    ...{ client, project, prefix, max, yes, allowEmpty },
    graceMs: graceMinutes * 60_000,
    openPullRequests: pullRequestsOf(openPrs),
    warn: (line) => err(`${line}\n`),
    ...(stackPattern === undefined
      ? {}
      : { removeStack: removeByStack({ pattern: stackPattern, workDir, onOutput: err }) }),
  });
  out(command.json ? `${JSON.stringify(swept, undefined, 2)}\n` : sweepText(swept));
  return swept.some(({ outcome }) => outcome === "failed") ? 1 : 0;
}

async function runStatus(
  { project, prefix, json, openPrs }: StatusCommand,
  client: ManagementClient,
  { out }: Streams,
): Promise<number> {
  const open = openPrs === undefined ? {} : { open: await pullRequestsOf(openPrs)() };
  const previews = await previewStatus({ client, project, prefix, ...open });
  out(json ? `${JSON.stringify(previews, undefined, 2)}\n` : statusText(previews));
  return 0;
}

/** Reads the list; a file again at each look, as it may be written anew meanwhile, standard input once. */
function pullRequestsOf(source: string): () => Promise<ReadonlySet<number>> {
  let read: ReadonlySet<number> | undefined;
  return () => {
    try {
      if (source !== "-") return Promise.resolve(readPullRequests(readFileSync(source, "utf8")));
      read ??= readPullRequests(readFileSync(0, "utf8"));
      return Promise.resolve(read);
    } catch (error) {
      if (error instanceof PullRequestsError) throw error;
      throw new PullRequestsError(
        `The list of open pull requests cannot be read from ${source}: ${String(error)}. Nothing is removed.`,
      );
    }
  };
}
