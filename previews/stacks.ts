import { dirname, resolve } from "node:path";
import { z } from "zod";
import { parseJson } from "../provider/client/parse-json";
import { findWorkTree } from "../provider/core/regular-files";
import { parsePreviewName } from "../provider/resources/branches/shared/preview-identity";
import { runCommand, type Commands, type EngineOutput } from "./engine-command";
import { toPreviewKey, requirePreview, type Preview, type Previews } from "./preview";
import { redactSecrets } from "./redaction";
import { formatRelativePath } from "../spec/relative-path";
import { parseStackState, type StackState } from "./stack-state";
import { requireTrustedCode } from "./state-code";
import { adviseOnLock, runUnlocking, shortenLocks, type StackLock } from "./unlocking";

export interface StackOptions {
  /** Names of the stacks, with `{name}` for that of the preview: `{name}` or `acme/shop/{name}`. */
  readonly pattern: string;
  /** Folder of the program, with its Pulumi.yaml. */
  readonly workDir: string;
  /** Takes away locks that are all older, as no job lasts so long, and tries once more; none when absent. */
  readonly unlockAfterMs?: number;
  /** Takes away locks of runs that are over, too, by what this says of them. */
  readonly isOfEndedRun?: (pullRequest: number, lock: StackLock) => Promise<boolean>;
  /**
   * Lets a stack be removed only if its state has no code but ours, no other address of a plugin, and no package that no lock file
   * of the program has, beside these. Not looked at when absent.
   */
  readonly allowedPackages?: readonly string[];
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
  const commands = toCommands(options);
  return {
    async find(preview) {
      const stackName = formatStackName(pattern, preview.name);
      const state = await readStack(stackName, commands);
      if (state === undefined) return undefined;
      const refs = requireStackOf(preview, stackName, state);
      const { unlockAfterMs, isOfEndedRun, allowedPackages } = options;
      if (allowedPackages !== undefined)
        requireTrustedCode(stackName, state, { workDir: options.workDir, allowed: allowedPackages });
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
          const ran = await runUnlocking([...destroy, "--stack", stackName], stack, loud);
          const folder = findRepositoryFolder(options.workDir);
          const advice = adviseOnLock(ran.said, { ...stack, folder });
          requireDone(ran, "destroy", stackName, advice);
        },
      };
    },
    async pullRequests(of) {
      const listed = await runCommand(["pulumi", "stack", "ls", "--json"], commands);
      if (listed.code !== 0) throw createCommandError(listed.said, "stack ls");
      const { success, data: stacks } = listedStacks.safeParse(parseJson(listed.stdout));
      // Says nothing of what is in it: secrets may be.
      if (!success) throw createCommandError("its answer has a form that is not known", "stack ls");
      return stacks.flatMap(({ name }) => {
        const own = name.slice(name.lastIndexOf("/") + 1);
        const number = parsePreviewName(extractName(pattern, own), of.prefix, toPreviewKey(of));
        return number === undefined ? [] : [number];
      });
    },
  };
}

/** The state of a stack, undefined where there is no stack. */
export async function readStack(
  stackName: string,
  commands: Commands,
  { withSecrets = true } = {},
): Promise<StackState | undefined> {
  // Not loud: it shows the secrets of the state.
  const quiet = { ...commands, out: undefined, err: undefined };
  const shown = withSecrets ? ["--show-secrets"] : [];
  const state = await runCommand(["pulumi", "stack", "export", ...shown, "--stack", stackName], quiet);
  if (state.code !== 0 && /no stack named .* found/.test(state.said)) return undefined;
  commands.signal?.throwIfAborted();
  if (state.code !== 0) throw createCommandError(state.stderr, "stack export", `for the stack ${stackName}`);
  return parseStackState(state.stdout);
}

/** The references of a stack's branches. Throws where one of them is not the preview: such a stack is not to be changed. */
export function requireStackOf(
  preview: Preview,
  stackName: string,
  { branches }: StackState,
): readonly string[] {
  for (const branch of branches) {
    const { ref = "unknown" } = branch;
    requirePreview(`The branch ${branch.name ?? ref} of the stack ${stackName}`, { ...branch, ref }, preview);
  }
  return branches.flatMap(({ ref }) => (ref === undefined ? [] : [ref]));
}

/** Makes a stack. Another runner may be the first, which is no error. */
export async function createStack(stackName: string, commands: Commands): Promise<void> {
  const quiet = { ...commands, out: undefined, err: undefined };
  const created = await runCommand(["pulumi", "stack", "init", stackName, "--no-select"], quiet);
  if (!/already exists/.test(created.said)) requireDone(created, "stack init", stackName);
}

/** The output that a comment on the pull request shows. */
export const SUMMARY = "summary";

/** What the program says of its preview; undefined where it says nothing, or hides it. */
export function findSummary(state: StackState | undefined): string | undefined {
  const found = state?.outputs.find(({ name }) => name === SUMMARY);
  return typeof found?.value === "string" && !found.isSecret ? found.value : undefined;
}

export function formatStackName(pattern: string, name: string): string {
  return pattern.replaceAll("{name}", name);
}

function toCommands({ workDir, signal }: StackOptions): Commands {
  return { workDir, signal };
}

/** The part of a stack's own name that stands for the preview's. */
function extractName(pattern: string, own: string): string {
  const [before = "", after = ""] = pattern.slice(pattern.lastIndexOf("/") + 1).split("{name}");
  return own.startsWith(before) && own.endsWith(after)
    ? own.slice(before.length, own.length - after.length)
    : "";
}

const listedStacks = z.array(z.looseObject({ name: z.string() }));

function requireDone(
  { code, said }: EngineOutput,
  command: string,
  stackName: string,
  advice?: string,
): void {
  if (code !== 0) throw createCommandError(said, command, `for the stack ${stackName}`, advice);
}

const SHOWN_OF_OUTPUT = 4_000;

/** A command of the CLI that failed; the message also says how to go on. */
class StackCommandError extends Error {
  constructor(
    /** What failed, with all that the engine said of it. */
    readonly said: string,
    advice: string | undefined,
  ) {
    super([shortenLocks(said), ...(advice === undefined ? [] : [advice])].join("\n"));
  }
}

/** What failed, without how to go on. */
export function describeFailure(error: unknown): string {
  if (error instanceof StackCommandError) return error.said;
  return error instanceof Error ? error.message : String(error);
}

/** `of` says of which stack; none where all were asked for. */
function createCommandError(said: string, command: string, of?: string, advice?: string): Error {
  const shown = redactSecrets(said).trim().slice(-SHOWN_OF_OUTPUT);
  const what = ["pulumi", command, "failed", ...(of === undefined ? [] : [of])].join(" ");
  return new StackCommandError(`${what}: ${shown}`, advice);
}

/** Undefined where there is no repository, or the folder is its root. */
export function findRepositoryFolder(workDir: string): string | undefined {
  const folder = resolve(workDir);
  const repository = findWorkTree(dirname(folder));
  return repository === undefined ? undefined : formatRelativePath(repository, folder);
}
