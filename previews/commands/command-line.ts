import { Option } from "commander";
import type { ManagementClient } from "../../provider/client";
import {
  DEFAULT_PREFIX,
  namePrefix,
  repositoryAddress,
} from "../../provider/resources/branches/shared/preview-identity";
import { ForgeError, type Forge } from "../forge/forge";
import { createForge, findRepositoryAddress, findJobRun, type ForgeChoice } from "../forge/from-environment";
import { runInterruptible } from "../interruption";
import { identifyPreview, type Previews } from "../preview";
import { RecordedRuns } from "../recorded-runs";
import type { PrintedStreams, OutputStreams } from "../redaction";
import { previewStacks, type PreviewStacks } from "../stacks";
import type { StackLock } from "../unlocking";
import { isReference } from "../../spec/project-reference";

/** A command line that cannot be followed; the message is all that the user needs to see. */
export class PreviewsCommandError extends Error {}

/** Runs what a command does; its answer is the exit code. */
export type Perform = (work: (streams: PrintedStreams) => Promise<number> | number) => Promise<void>;

/** What to do about a refused access token: who runs a command has no client to pass one to. */
const TOKEN_ADVICE = "set a valid one in the environment variable MANAGEMENT_ACCESS_TOKEN";

export async function useClient<T>(use: (client: ManagementClient) => Promise<T>): Promise<T> {
  if ((process.env["MANAGEMENT_BASE_URL"] ?? "") === "") {
    throw new Error(
      "The environment variable MANAGEMENT_BASE_URL is not set, so the service cannot be asked. Set it to the service's address.",
    );
  }
  // oxlint-disable-next-line typescript/no-require-imports, typescript/no-unsafe-assignment -- a job runs several commands that need none
  const { ManagementClient }: typeof import("../../provider/client") = require("../../provider/client");
  const client = new ManagementClient({ tokenAdvice: TOKEN_ADVICE });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/** Work with the service that must not be left half-way. */
export function runWithClient(
  { err }: OutputStreams,
  work: (client: ManagementClient, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  return runInterruptible(
    (signal) => useClient((client) => work(client, signal)),
    (line) => err(`${line}\n`),
  );
}

/** Not less than an hour, which jobs may last. */
const LEAST_UNLOCK_MINUTES = 60;

export const project = new Option("--project <ref>", "project that the branches are made from")
  .makeOptionMandatory()
  .argParser((text) => {
    if (isReference(text)) return text;
    throw new PreviewsCommandError("--project takes the project's reference, twenty lower-case letters");
  });

export const repository = new Option(
  "--repository <address>",
  "web address of the repository, as https://forge.example.com/acme/shop (default: that of the job)",
).argParser((text) => {
  if (repositoryAddress.safeParse(text).success) return text;
  throw new PreviewsCommandError(
    `--repository takes the repository's web address, as https://forge.example.com/acme/shop; got ${text}`,
  );
});

export const prefix = new Option("--prefix <text>", "prefix of the previews' names")
  .default(DEFAULT_PREFIX)
  .argParser((text) => {
    if (namePrefix.safeParse(text).success) return text;
    throw new PreviewsCommandError(
      `--prefix takes at most 40 letters, digits, \`.\`, \`_\` and \`-\`, not ending with a digit, as ${DEFAULT_PREFIX}; got ${JSON.stringify(text)}`,
    );
  });

export const number = createNumberOption().makeOptionMandatory();

/** For a command that finds the pull request in another way as well. */
export const optionalNumber = createNumberOption();

function createNumberOption() {
  return new Option("--number <number>", "number of the pull request").argParser((text) => {
    if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
    throw new PreviewsCommandError(`--number takes the number of a pull request; got ${text}`);
  });
}

export function createStackPattern(byDefault: string) {
  const description = `name of the stack, with {name} for the preview's (default: ${byDefault})`;
  return new Option("--stack-pattern <name>", description).argParser((text) => {
    if (text.includes("{name}")) return text;
    throw new PreviewsCommandError(
      "--stack-pattern takes a name with {name}, which is the preview's: a stack belongs to one pull request of one repository",
    );
  });
}

export const workDir = new Option("--work-dir <folder>", "folder of the stack's program").default(
  ".",
  "this one",
);

export const unlockAfter = new Option(
  "--unlock-after-minutes <number>",
  `removes the stack's locks if all of them are older than this; at least ${LEAST_UNLOCK_MINUTES}: longer than any job lasts`,
).argParser((text) => {
  const minutes = createNumberParser("unlock-after-minutes")(text);
  if (minutes >= LEAST_UNLOCK_MINUTES) return minutes;
  throw new PreviewsCommandError(
    `--unlock-after-minutes takes at least ${LEAST_UNLOCK_MINUTES}, longer than any job lasts: a younger lock may be a live one's`,
  );
});

export const unlockEnded = new Option(
  "--unlock-ended-runs",
  "removes the stack's locks if the forge says that the runs that left them are over, as recorded in the comment; needs the job's token",
);

export const allowPackage = new Option(
  "--allow-package <name>",
  "a package, `<package>=<address of its plugin>` or `dynamic`, of which a stack that is removed may run code, beside this package and those of the program's lock file; several times",
)
  .argParser((text, names: readonly string[]) => [...names, text])
  .default<readonly string[]>([], "none");

export const commentAuthor = new Option(
  "--comment-author <login>",
  "on GitHub, the user of GITHUB_TOKEN (default: github-actions[bot], the user of a job's token)",
);

export const topic = new Option(
  "--topic <name>",
  "the comment of this topic, as `production`, in place of the one without",
).argParser((text) => {
  if (/^[a-z][a-z0-9-]{0,39}$/.test(text)) return text;
  throw new PreviewsCommandError(
    `--topic takes at most 40 lower-case letters, digits and \`-\`, as production; got ${JSON.stringify(text)}`,
  );
});

export function createPrefixParser(name: string) {
  return (text: string): string => {
    if (/^[A-Za-z_]\w*$/.test(text)) return text;
    throw new PreviewsCommandError(
      `--${name} takes letters, digits and _, as VITE_; got ${JSON.stringify(text)}`,
    );
  };
}

export function createNumberParser(name: string) {
  return (text: string): number => {
    if (/^\d{1,6}$/.test(text)) return Number(text);
    throw new PreviewsCommandError(`--${name} takes a whole number; got ${text}`);
  };
}

export function toMilliseconds(minutes: number | undefined): number | undefined {
  return minutes === undefined ? undefined : minutes * 60_000;
}

/** What the command line says of previews; their repository is that of the job when absent. */
type PreviewsArguments = Omit<Previews, "repository"> & { readonly repository?: string | undefined };

export function toPreviews({ project, prefix, repository }: PreviewsArguments): Previews {
  const known = repository ?? findRepositoryAddress(process.env);
  if (known === undefined) {
    throw new PreviewsCommandError(
      "Outside a CI job, pass --repository <web address>: the names of previews contain it",
    );
  }
  return { project, prefix, repository: known };
}

/** The forge whose job this is: its pull requests are those of its own repository, and of no other one. */
export function createOwnForge(of: Previews, choice: ForgeChoice = {}): Forge {
  const forge = createForge(process.env, choice);
  const own = findRepositoryAddress(process.env) ?? "";
  const findRepositoryName = (repository: string): string =>
    identifyPreview({ ...of, repository }, 1, "").name;
  if (findRepositoryName(own) === findRepositoryName(of.repository)) return forge;
  throw new ForgeError(
    `This job is of ${own}, whose pull requests say nothing of those of ${of.repository}. Leave --repository out, or run it there.`,
  );
}

/** What the command line says of runs. */
interface AskedRuns extends PreviewsArguments {
  readonly unlockEndedRuns?: true | undefined;
  readonly commentAuthor?: string | undefined;
  readonly topic?: string | undefined;
}

/** The runs of each pull request; undefined where the forge is not to be asked. */
export function createRecordedRuns(
  { unlockEndedRuns, commentAuthor, topic, ...of }: AskedRuns,
  { err }: OutputStreams,
): ((pullRequest: number) => RecordedRuns) | undefined {
  if (unlockEndedRuns !== true) return undefined;
  const forge = createOwnForge(toPreviews(of), { commentAuthor });
  const all = new Map<number, RecordedRuns>();
  return (pullRequest) => {
    const known = all.get(pullRequest);
    if (known !== undefined) return known;
    const runs = new RecordedRuns({ forge, pullRequest, topic, warn: (line) => err(`${line}\n`) });
    all.set(pullRequest, runs);
    return runs;
  };
}

/** Work that uses the stack of a pull request, recorded in its comment while it lasts; it answers whether it met a lock. */
export async function runRecorded<T>(
  runs: RecordedRuns | undefined,
  how: { readonly createsComment: boolean },
  work: () => Promise<{ readonly result: T; readonly wasLocked: boolean }>,
): Promise<T> {
  const own = findJobRun(process.env);
  if (runs === undefined || own === undefined) return (await work()).result;
  await runs.begin(own, how);
  let wasLocked = true;
  try {
    const ended = await work();
    wasLocked = ended.wasLocked;
    return ended.result;
  } finally {
    await runs.end(wasLocked);
  }
}

/** What the command line says of stacks. */
interface AskedStacks {
  readonly stackPattern?: string | undefined;
  readonly workDir: string;
  readonly unlockAfterMinutes?: number | undefined;
  /** Whose code a removal may run; any when absent, as in a job that runs the program of the pull request anyway. */
  readonly allowPackage?: readonly string[] | undefined;
  /** The runs of each pull request, where the forge is asked. */
  readonly runs?: ((pullRequest: number) => RecordedRuns) | undefined;
}

/** None where the command line names none. */
export function createStacks(
  { stackPattern, workDir, unlockAfterMinutes, allowPackage: allowedPackages, runs }: AskedStacks,
  { engine }: PrintedStreams,
  signal: AbortSignal,
): { stacks?: PreviewStacks } {
  if (stackPattern === undefined) return {};
  const unlockAfterMs = toMilliseconds(unlockAfterMinutes);
  const more = {
    ...(allowedPackages !== undefined && { allowedPackages }),
    ...(unlockAfterMs !== undefined && { unlockAfterMs }),
    ...(runs && { isOfEndedRun: (number: number, lock: StackLock) => runs(number).isOfEndedRun(lock) }),
  };
  return {
    stacks: previewStacks({ pattern: stackPattern, workDir, onOutput: engine.err, signal, ...more }),
  };
}
