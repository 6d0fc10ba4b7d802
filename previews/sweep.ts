import { NotThePreviewError, identifyPreview } from "./preview";
import { listPreviews, type PreviewBranch } from "./preview-branch";
import { redactSecrets } from "./redaction";
import { removePreview, type RemovalOptions } from "./removal";
import { explainClosedRequest, explainStaleness, type PullRequestState } from "./stale";

export interface SweepOptions extends RemovalOptions {
  /** Asks for one pull request; asked again before each removal. Where it throws, the preview stays. */
  readonly pullRequest: (number: number) => Promise<PullRequestState>;
  /** When what `stateOf` answers was so, in milliseconds since 1970; now when absent. */
  readonly asOfMs?: number;
  /** A branch that was younger then, in milliseconds, stays; one hour when absent. */
  readonly graceMs?: number;
  /** The most previews that are removed; 10 when absent. One whose removal fails is not counted. */
  readonly max?: number;
  /** Whether anything is removed; when absent, the answer says what would be. */
  readonly yes?: boolean;
  readonly warn?: (line: string) => void;
  /** Hears of the pull requests that have a preview, before the first is asked for. */
  readonly onListed?: (pullRequests: readonly number[]) => void;
  /** Hears of the closed pull requests whose previews are kept as they are younger than `graceMs`. */
  readonly onYoung?: (pullRequests: readonly number[]) => void;
}

/** What became of a preview that is stale, or of which that is not known. */
export interface Swept {
  readonly name: string;
  readonly pullRequest: number;
  /** Reference of the branch; absent where there is only a stack. */
  readonly ref?: string;
  /** Why it is stale. */
  readonly reason: string;
  /**
   * `would be removed` without `yes`; `removed`, `removed with its stack`; `gone already`, by another sweep or somebody;
   * `stays`, as it is stale no longer; `not the preview`, as the branch or the stack is something else; `not known`, as the
   * pull request could not be asked for; `left for the next sweep`, beyond `max`; `failed`.
   */
  readonly outcome:
    | "would be removed"
    | "removed"
    | "removed with its stack"
    | "gone already"
    | "stays"
    | "not the preview"
    | "not known"
    | "left for the next sweep"
    | "failed";
  readonly error?: string;
}

/** A branch, or the stack of a pull request that has no branch. */
interface SweepCandidate {
  readonly name: string;
  readonly pullRequest: number;
  readonly branch?: PreviewBranch;
}

const DEFAULT_GRACE_MS = 3_600_000;
const DEFAULT_MAX = 10;
const COUNTED: readonly Swept["outcome"][] = ["would be removed", "removed", "removed with its stack"];

/**
 * Removes the previews whose pull request is closed or merged, or that are older than they are to be. Throws, with nothing
 * removed, where the branches or the stacks cannot be listed completely.
 */
export async function sweepPreviews(options: SweepOptions): Promise<Swept[]> {
  const { max = DEFAULT_MAX, yes = false, signal } = options;
  const swept: Swept[] = [];
  let removed = 0;
  for (const candidate of await listCandidates(options)) {
    signal?.throwIfAborted();
    const found = await inspectCandidate(options, candidate);
    if (found === undefined) continue;
    const { name, pullRequest, branch } = candidate;
    const { reason } = found;
    const one = { name, pullRequest, ...(branch === undefined ? {} : { ref: branch.ref }), reason };
    let end: SweepResult;
    if (found.isUnknown) end = { outcome: "not known", error: found.error };
    else if (removed >= max) end = { outcome: "left for the next sweep" };
    else if (!yes) end = { outcome: "would be removed" };
    else end = await removeIfStale(options, candidate);
    if (COUNTED.includes(end.outcome)) removed += 1;
    swept.push({ ...one, ...end });
  }
  return swept;
}

type SweepResult = Pick<Swept, "outcome" | "error">;

/** What is older than the grace, oldest first, and then the stacks whose branch is gone. */
async function listCandidates(options: SweepOptions): Promise<SweepCandidate[]> {
  const { client, stacks, graceMs = DEFAULT_GRACE_MS, asOfMs = Date.now() } = options;
  const branches = await listPreviews(client, options, options.warn);
  const numbers = (await stacks?.pullRequests(options)) ?? [];
  const alone = numbers.filter((number) => !branches.some(({ pullRequest }) => pullRequest === number));
  options.onListed?.([...branches.map(({ pullRequest }) => pullRequest), ...alone]);
  const old = branches.filter(({ createdMs }) => asOfMs - createdMs >= graceMs);
  if (options.onYoung !== undefined) {
    const young = branches.filter((branch) => !old.includes(branch) && branch.createdMs <= asOfMs);
    options.onYoung(await listClosed(options, young));
  }
  return [
    ...old.map((branch) => ({ name: branch.name, pullRequest: branch.pullRequest, branch })),
    ...alone.map((pullRequest) => ({ name: identifyPreview(options, pullRequest, "").name, pullRequest })),
  ];
}

/** Without those of which the forge does not tell. */
async function listClosed(options: SweepOptions, branches: readonly PreviewBranch[]): Promise<number[]> {
  const closed: number[] = [];
  for (const { pullRequest } of branches) {
    options.signal?.throwIfAborted();
    const asked = await options.pullRequest(pullRequest).catch(() => undefined);
    if (asked?.isOpen === false) closed.push(pullRequest);
  }
  return closed;
}

type StaleVerdict =
  | { readonly isUnknown: false; readonly reason: string; readonly gitBranch: string | undefined }
  | { readonly isUnknown: true; readonly reason: string; readonly error: string };

/** Why a preview has to go; undefined while it is to stay. */
async function inspectCandidate(
  options: SweepOptions,
  { pullRequest, branch }: SweepCandidate,
): Promise<StaleVerdict | undefined> {
  const { client, warn = () => undefined } = options;
  let asked: PullRequestState;
  try {
    asked = await options.pullRequest(pullRequest);
  } catch (error) {
    const reason = `the state of pull request ${pullRequest} is unknown`;
    return { isUnknown: true, reason, error: formatReason(error) };
  }
  const reason =
    branch === undefined
      ? explainClosedRequest(asked, pullRequest)
      : await explainStaleness(client, asked, branch, warn);
  const { gitBranch = branch?.gitBranch } = asked;
  return reason === undefined ? undefined : { isUnknown: false, reason, gitBranch };
}

/** Looks once more, as minutes may have passed since the listing, and removes. */
async function removeIfStale(options: SweepOptions, candidate: SweepCandidate): Promise<SweepResult> {
  const { branch, pullRequest } = candidate;
  try {
    const now = branch === undefined ? undefined : await findAgain(options, branch);
    if (branch !== undefined && now === undefined) return { outcome: "gone already" };
    const found = await inspectCandidate(options, {
      ...candidate,
      ...(now === undefined ? {} : { branch: now }),
    });
    if (found === undefined) return { outcome: "stays" };
    if (found.isUnknown) return { outcome: "not known", error: found.error };
    return { outcome: await removePreview(options, { pullRequest, gitBranch: found.gitBranch }) };
  } catch (error) {
    // Not one failure among others: nothing further begins.
    options.signal?.throwIfAborted();
    const outcome = error instanceof NotThePreviewError ? "not the preview" : "failed";
    return { outcome, error: formatReason(error) };
  }
}

/** The same branch as it is now: not another one of its name. */
async function findAgain(
  options: SweepOptions,
  { branchId }: PreviewBranch,
): Promise<PreviewBranch | undefined> {
  const previews = await listPreviews(options.client, options);
  return previews.find((each) => each.branchId === branchId);
}

function formatReason(error: unknown): string {
  return redactSecrets(error instanceof Error ? error.message : String(error));
}
