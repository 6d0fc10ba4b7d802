import { z } from "zod";
import { parseJson } from "../provider/client/parse-json";
import { parsePreviewName } from "../provider/resources/branches/shared/preview-identity";
import { runCommand, type Commands, type Ran } from "./engine-command";
import type { Output } from "./env-text";
import { previewKey, requirePreview, type Preview, type Previews } from "./preview";
import { redacted } from "./redaction";
import { branchesOfState } from "./stack-branches";
import { runUnlocking, type StackLock } from "./unlocking";

export interface StackOptions {
  /** Names of the stacks, with `{name}` for that of the preview: `{name}` or `acme/shop/{name}`. */
  readonly pattern: string;
  /** Folder of the program, with its Pulumi.yaml. */
  readonly workDir: string;
  /** Takes away locks that are all older, as no job lasts so long, and tries once more; none when absent. */
  readonly unlockAfterMs?: number;
  /** Takes away locks of runs that are over, too, by what this says of them. */
  readonly isOfEndedRun?: (pullRequest: number, lock: StackLock) => Promise<boolean>;
  /** Receives what the engine prints. */
  readonly onOutput?: (text: string) => void;
  /** Interrupts the engine, which then frees the stack, and lets no further step begin. */
  readonly signal?: AbortSignal;
}

/** The stack of a preview, which was looked at: every branch in its state is that preview. */
export interface PreviewStack {
  /** References of the branches in its state. */
  readonly refs: readonly string[];
  /** Destroys what is in it, and removes it unless it is to stay with its configuration. */
  remove(how?: { readonly keepsStack: boolean }): Promise<void>;
}

export interface PreviewStacks {
  /** The stack of a preview, undefined where there is none. Throws where it is of another project, Git branch or pull request. */
  find(preview: Preview): Promise<PreviewStack | undefined>;
  /** The pull requests that have a stack. */
  pullRequests(of: Previews): Promise<number[]>;
}

/** The stacks of previews, by the CLI: `pulumi` has to be on PATH, logged in. */
export function previewStacks(options: StackOptions): PreviewStacks {
  const { pattern, onOutput } = options;
  const commands = commandsOf(options);
  return {
    async find(preview) {
      const stackName = formatStackName(pattern, preview.name);
      const refs = await requireStack(stackName, preview, commands);
      if (refs === undefined) return undefined;
      const { unlockAfterMs, isOfEndedRun } = options;
      return {
        refs,
        remove: async ({ keepsStack } = { keepsStack: false }) => {
          const destroy = [
            "pulumi",
            "destroy",
            "--yes",
            "--skip-preview",
            ...(keepsStack ? [] : ["--remove"]),
          ];
          const loud = { ...commands, out: onOutput, err: onOutput };
          const isOver = isOfEndedRun && ((lock: StackLock) => isOfEndedRun(preview.pullRequest, lock));
          const stack = { stackName, unlockAfterMs, isOfEndedRun: isOver };
          requireDone(
            await runUnlocking([...destroy, "--stack", stackName], stack, loud),
            "destroy",
            stackName,
          );
        },
      };
    },
    async pullRequests(of) {
      const listed = await runCommand(["pulumi", "stack", "ls", "--json"], commands);
      requireDone(listed, "stack ls", pattern);
      const stacks = parseAnswer(listed, listedStacks, "stack ls", pattern);
      return stacks.flatMap(({ name }) => {
        const own = name.slice(name.lastIndexOf("/") + 1);
        const number = parsePreviewName(withoutPattern(pattern, own), of.prefix, previewKey(of));
        return number === undefined ? [] : [number];
      });
    },
  };
}

/**
 * Looks at a stack before anything is done with it: the references of its branches, undefined where there is no stack.
 * A branch whose creation was interrupted has none.
 */
export async function requireStack(
  stackName: string,
  preview: Preview,
  commands: Commands,
): Promise<readonly string[] | undefined> {
  // Not loud: it shows the secrets of the state.
  const quiet = { ...commands, out: undefined, err: undefined };
  const state = await runCommand(
    ["pulumi", "stack", "export", "--show-secrets", "--stack", stackName],
    quiet,
  );
  if (state.code !== 0 && /no stack named .* found/.test(state.said)) return undefined;
  commands.signal?.throwIfAborted();
  if (state.code !== 0) throw failed(state.stderr, "stack export", stackName);
  const branches = branchesOfState(state.stdout);
  for (const branch of branches) {
    const { ref = "unknown" } = branch;
    requirePreview(`The branch ${branch.name ?? ref} of the stack ${stackName}`, { ...branch, ref }, preview);
  }
  return branches.flatMap(({ ref }) => (ref === undefined ? [] : [ref]));
}

/** What the CLI says of a stack that does not exist: of one that it was given, and of one that the environment selects. */
const NO_STACK = /^error: no stack (?:selected;|named .* found)/m;

/** Whether a command failed as its stack does not exist. One that makes its stack by itself does not. */
export function lacksStack({ code, said }: Ran): boolean {
  return code !== 0 && NO_STACK.test(said);
}

/** Makes a stack. Another runner may be the first. */
export async function createStack(stackName: string, commands: Commands): Promise<void> {
  const created = await runCommand(["pulumi", "stack", "init", stackName, "--no-select"], commands);
  if (!/already exists/.test(created.said)) requireDone(created, "stack init", stackName);
}

/** The output that a comment on the pull request shows. */
export const SUMMARY = "summary";

/** What the CLI shows in place of a secret. */
const HIDDEN = "[secret]";

/** The outputs of a stack; the secret ones only where they are asked for. */
export async function readOutputs(
  stackName: string,
  commands: Commands,
  withSecrets: boolean,
): Promise<Output[]> {
  // Not loud: it shows secrets.
  const read = async (...more: readonly string[]): Promise<Record<string, unknown>> => {
    const command = ["pulumi", "stack", "output", "--json", ...more, "--stack", stackName];
    const ran = await runCommand(command, { ...commands, out: undefined, err: undefined });
    if (ran.code !== 0) throw failed(ran.stderr, "stack output", stackName);
    return parseAnswer(ran, stackOutputs, "stack output", stackName);
  };
  const shown = await read();
  const all = withSecrets ? await read("--show-secrets") : shown;
  return Object.entries(all).flatMap(([name, value]) => {
    // One that has a secret in it, as an object, is one.
    const isSecret = !(name in shown) || JSON.stringify(shown[name]).includes(HIDDEN);
    return isSecret && !withSecrets ? [] : [{ name, value, isSecret }];
  });
}

export function formatStackName(pattern: string, name: string): string {
  return pattern.replaceAll("{name}", name);
}

function commandsOf({ workDir, signal }: StackOptions): Commands {
  return { workDir, signal };
}

/** The part of a stack's own name that stands for the preview's. */
function withoutPattern(pattern: string, own: string): string {
  const [before = "", after = ""] = pattern.slice(pattern.lastIndexOf("/") + 1).split("{name}");
  return own.startsWith(before) && own.endsWith(after)
    ? own.slice(before.length, own.length - after.length)
    : "";
}

const listedStacks = z.array(z.looseObject({ name: z.string() }));
const stackOutputs = z.record(z.string(), z.unknown());

/** Says nothing of what is in it: secrets may be. */
function parseAnswer<T>({ stdout }: Ran, schema: z.ZodType<T>, command: string, stackName: string): T {
  const { success, data } = schema.safeParse(parseJson(stdout));
  if (success) return data;
  throw failed("its answer has a form that is not known", command, stackName);
}

function requireDone({ code, said }: Ran, command: string, stackName: string): void {
  if (code !== 0) throw failed(said, command, stackName);
}

const SHOWN_OF_OUTPUT = 4_000;

function failed(said: string, command: string, stackName: string): Error {
  return new Error(
    `pulumi ${command} failed for the stack ${stackName}: ${redacted(said).trim().slice(-SHOWN_OF_OUTPUT)}`,
  );
}
