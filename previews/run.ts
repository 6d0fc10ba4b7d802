import { readFileSync } from "node:fs";
import { ManagementClient } from "../provider/client";
import {
  CommandLineError,
  readCommandLine,
  type Command,
  type CommentCommand,
  type InitCommand,
  type LookCommand,
  type RemoveCommand,
  type RunCommand,
  type StatusCommand,
  type SweepCommand,
} from "./command-line";
import { forgeFromEnvironment } from "./forge/from-environment";
import { writeFiles } from "./init/init";
import { afterInit } from "./init/next-steps";
import { PullRequestsError, readPullRequests } from "./pull-requests";
import { redacted, redactedStreams, type Streams } from "./redaction";
import { removePreview, type RemoveStack } from "./removal";
import { statusText, sweepText } from "./report";
import { runUnlocked } from "./run-unlocked";
import { removeByStack, stackNameOf } from "./stacks";
import { previewStatus } from "./status";
import { sweepPreviews } from "./sweep";
import { usage } from "./usage";

/** Runs a command line; the exit code. */
export async function run(args: readonly string[], streams: Streams): Promise<number> {
  const shown = redactedStreams(streams);
  try {
    return await follow(readCommandLine(args), shown);
  } catch (error) {
    shown.err(`management-previews: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof CommandLineError ? 2 : 1;
  } finally {
    shown.end();
  }
}

async function follow(command: Command, streams: Streams): Promise<number> {
  switch (command.kind) {
    case "help":
      streams.out(usage);
      return 0;
    case "init":
      return init(command, streams);
    case "look":
      return look(command, streams);
    case "comment":
      return comment(command);
    case "run":
      return runWithStack(command, streams);
    case "sweep":
      return withClient((client) => sweep(command, client, streams));
    case "status":
      return withClient((client) => status(command, client, streams));
    case "remove":
      return withClient((client) => remove(command, client, streams));
  }
}

async function withClient(use: (client: ManagementClient) => Promise<number>): Promise<number> {
  const client = new ManagementClient();
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

function init({ dir, forge, force }: InitCommand, { out }: Streams): number {
  const done = writeFiles({ dir, force, ...(forge === undefined ? {} : { forge }) });
  out(afterInit(done));
  return 0;
}

async function look({ number, commit }: LookCommand, { out }: Streams): Promise<number> {
  const now = await forgeFromEnvironment(process.env).pullRequest(number);
  const isLast = commit === undefined || commit === now.commit;
  out(`${!now.isOpen ? "closed" : isLast ? "current" : "superseded"}\n`);
  return 0;
}

async function comment({ number, file }: CommentCommand): Promise<number> {
  const text = readFileSync(file === "-" ? 0 : file, "utf8");
  await forgeFromEnvironment(process.env).comment(number, redacted(text));
  return 0;
}

function runWithStack(
  { command, number, stackPattern, workDir, unlockAfterMinutes }: RunCommand,
  { out, err }: Streams,
): Promise<number> {
  const stackName = stackNameOf(stackPattern, number);
  return runUnlocked({ command, stackName, workDir, unlockAfterMs: unlockAfterMinutes * 60_000, out, err });
}

async function remove(
  { project, prefix, number, ...command }: RemoveCommand,
  client: ManagementClient,
  streams: Streams,
): Promise<number> {
  const removal = await removePreview({ client, project, prefix, ...stackRemoval(command, streams) }, number);
  streams.out(`${prefix}${number}: ${removal}\n`);
  return 0;
}

async function sweep(command: SweepCommand, client: ManagementClient, streams: Streams): Promise<number> {
  const { project, prefix, openPrs, max, yes, allowEmpty, graceMinutes } = command;
  const { out, err } = streams;
  const swept = await sweepPreviews({
    ...{ client, project, prefix, max, yes, allowEmpty },
    graceMs: graceMinutes * 60_000,
    openPullRequests: pullRequestsOf(openPrs),
    warn: (line) => err(`${line}\n`),
    ...stackRemoval(command, streams),
  });
  out(command.json ? `${JSON.stringify(swept, undefined, 2)}\n` : sweepText(swept));
  return swept.some(({ outcome }) => outcome === "failed") ? 1 : 0;
}

async function status(
  { project, prefix, json, openPrs }: StatusCommand,
  client: ManagementClient,
  { out }: Streams,
): Promise<number> {
  const open = openPrs === undefined ? {} : { open: await pullRequestsOf(openPrs)() };
  const previews = await previewStatus({ client, project, prefix, ...open });
  out(json ? `${JSON.stringify(previews, undefined, 2)}\n` : statusText(previews));
  return 0;
}

function stackRemoval(
  {
    stackPattern,
    workDir,
    unlockAfterMinutes,
  }: Pick<RemoveCommand, "stackPattern" | "workDir" | "unlockAfterMinutes">,
  { err }: Streams,
): { removeStack?: RemoveStack } {
  if (stackPattern === undefined) return {};
  const unlocking = unlockAfterMinutes === undefined ? {} : { unlockAfterMs: unlockAfterMinutes * 60_000 };
  return { removeStack: removeByStack({ pattern: stackPattern, workDir, onOutput: err, ...unlocking }) };
}

/** Reads the list: the forge's and a file's again at each look, as they change meanwhile, standard input once. */
function pullRequestsOf(source: string): () => Promise<ReadonlySet<number>> {
  if (source === "forge") {
    const forge = forgeFromEnvironment(process.env);
    return () => forge.openPullRequests();
  }
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
