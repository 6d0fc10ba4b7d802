import { readFileSync } from "node:fs";
import { ManagementClient } from "../provider/client";
import { checkToken } from "./check";
import {
  CommandLineError,
  readCommandLine,
  type ByStack,
  type Command,
  type CommentCommand,
  type InitCommand,
  type LookCommand,
  type OfRepository,
  type RemoveCommand,
  type RunCommand,
  type StatusCommand,
  type SweepCommand,
} from "./command-line";
import { ForgeError } from "./forge/forge";
import { forgeFromEnvironment, repositoryFromEnvironment } from "./forge/from-environment";
import { writeFiles } from "./init/init";
import { afterInit } from "./init/next-steps";
import { interruptible } from "./interruption";
import { previewOf, type Previews } from "./preview";
import { redacted, redactedStreams, type Streams } from "./redaction";
import { removePreview } from "./removal";
import { statusText, sweepText } from "./report";
import { previewStacks, requireStack, stackNameOf, type PreviewStacks } from "./stacks";
import type { PullRequestState } from "./stale";
import { previewStatus } from "./status";
import { sweepPreviews } from "./sweep";
import { runUnlocking } from "./unlocking";
import { usage } from "./usage";

/** Of the stack of a preview, where none is given. */
const DEFAULT_PATTERN = "{name}";

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
  const say = (line: string): void => streams.err(`${line}\n`);
  switch (command.kind) {
    case "help":
      streams.out(usage);
      return 0;
    case "init":
      return init(command, streams);
    case "check":
      return withClient((client) => checkToken(client, command.project, streams));
    case "name":
      streams.out(`${previewOf(previewsOf(command), command.number, "").name}\n`);
      return 0;
    case "look":
      return look(command, streams);
    case "comment":
      return comment(command);
    case "run":
      return interruptible((signal) => runWithStack(command, streams, signal), say);
    case "sweep":
      return interruptible((signal) => withClient((client) => sweep(command, client, streams, signal)), say);
    case "status":
      return withClient((client) => status(command, client, streams));
    case "remove":
      return interruptible((signal) => withClient((client) => remove(command, client, streams, signal)), say);
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

function init({ dir, forge, force, parent }: InitCommand, { out }: Streams): number {
  const done = writeFiles({ dir, force, ...(forge === undefined ? {} : { forge }) });
  out(afterInit(done, parent));
  return 0;
}

async function look({ number, commit }: LookCommand, { out }: Streams): Promise<number> {
  const now = await forgeFromEnvironment(process.env).pullRequest(number);
  const isLast = commit === undefined || commit === now.commit;
  out(`${!now.isOpen ? "closed" : isLast ? "current" : "superseded"}\n`);
  return 0;
}

async function comment({ number, file, commentAuthor }: CommentCommand): Promise<number> {
  const text = readFileSync(file === "-" ? 0 : file, "utf8");
  await forgeFromEnvironment(process.env, { commentAuthor }).comment(number, redacted(text));
  return 0;
}

async function runWithStack(
  { command, number, gitBranch, workDir, stackPattern, unlockAfterMinutes, ...of }: RunCommand,
  { out, err }: Streams,
  signal: AbortSignal,
): Promise<number> {
  const preview = previewOf(previewsOf(of), number, gitBranch);
  const stackName = stackNameOf(stackPattern ?? DEFAULT_PATTERN, preview.name);
  const commands = { workDir, signal, out, err };
  await requireStack(stackName, preview, commands);
  const unlockAfterMs = unlockAfterMinutes === undefined ? undefined : unlockAfterMinutes * 60_000;
  const { code } = await runUnlocking(command, { stackName, unlockAfterMs }, commands);
  return code;
}

async function remove(
  { number, gitBranch, ...command }: RemoveCommand,
  client: ManagementClient,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const of = previewsOf(command);
  const named = gitBranch ?? (await gitBranchFromForge(of, number));
  const preview = { pullRequest: number, gitBranch: named };
  const removal = await removePreview(
    { client, signal, ...of, ...stacksOf(command, streams, signal) },
    preview,
  );
  streams.out(`${previewOf(of, number, named).name}: ${removal}\n`);
  return 0;
}

async function gitBranchFromForge(of: Previews, number: number): Promise<string> {
  try {
    return (await forgeOf(of).pullRequest(number)).gitBranch;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    throw new ForgeError(
      `The Git branch of pull request ${number} is not known: ${error.message} Nothing was removed. Give it by --git-branch.`,
    );
  }
}

async function sweep(
  command: SweepCommand,
  client: ManagementClient,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const { max, yes, graceMinutes } = command;
  const { out, err } = streams;
  const of = previewsOf(command);
  const forge = forgeOf(of);
  const swept = await sweepPreviews({
    ...{ client, signal, max, yes, ...of },
    graceMs: graceMinutes * 60_000,
    pullRequest: (number) => forge.pullRequest(number),
    warn: (line) => err(`${line}\n`),
    ...stacksOf(command, streams, signal),
  });
  out(command.json ? `${JSON.stringify(swept, undefined, 2)}\n` : sweepText(swept));
  return swept.some(({ outcome }) => outcome === "failed" || outcome === "not known") ? 1 : 0;
}

async function status(
  { json, ...command }: StatusCommand,
  client: ManagementClient,
  { out }: Streams,
): Promise<number> {
  const of = previewsOf(command);
  const previews = await previewStatus({ client, ...of, ...askedOf(of) });
  out(json ? `${JSON.stringify(previews, undefined, 2)}\n` : statusText(previews));
  return 0;
}

/** Outside of a job of the forge previews are shown without it. */
function askedOf(of: Previews): { pullRequest?: (number: number) => Promise<PullRequestState> } {
  if (repositoryFromEnvironment(process.env) === undefined) return {};
  const forge = forgeOf(of);
  return { pullRequest: (number) => forge.pullRequest(number) };
}

function stacksOf(
  { stackPattern, workDir, unlockAfterMinutes }: ByStack,
  { err }: Streams,
  signal: AbortSignal,
): { stacks?: PreviewStacks } {
  if (stackPattern === undefined) return {};
  const unlocking = unlockAfterMinutes === undefined ? {} : { unlockAfterMs: unlockAfterMinutes * 60_000 };
  return { stacks: previewStacks({ pattern: stackPattern, workDir, onOutput: err, signal, ...unlocking }) };
}

function previewsOf({ project, prefix, repository }: OfRepository): Previews {
  const known = repository ?? repositoryFromEnvironment(process.env);
  if (known === undefined) {
    throw new CommandLineError(
      "give --repository, the repository's web address, by which its previews are named: no job of a forge tells it",
    );
  }
  return { project, prefix, repository: known };
}

/** The forge whose job this is: its pull requests are those of its own repository, and of no other one. */
function forgeOf(of: Previews): ReturnType<typeof forgeFromEnvironment> {
  const forge = forgeFromEnvironment(process.env);
  const own = repositoryFromEnvironment(process.env) ?? "";
  const nameOfSome = (repository: string): string => previewOf({ ...of, repository }, 1, "").name;
  if (nameOfSome(own) === nameOfSome(of.repository)) return forge;
  throw new ForgeError(
    `This job is of ${own}, whose pull requests say nothing of those of ${of.repository}. Leave --repository out, or run it there.`,
  );
}
