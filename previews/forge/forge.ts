/** A pull request as the forge has it now. */
export interface PullRequest {
  /** False once it is closed or merged. */
  readonly isOpen: boolean;
  readonly gitBranch: string;
  /** The last commit of its branch. */
  readonly commit: string;
  /** Whether its branch is in another repository. */
  readonly isFork: boolean;
  readonly isDraft: boolean;
}

/** A run of a job, by the forge's own name for it; another attempt is another run. */
export interface JobRun {
  readonly id: string;
  readonly attempt: number;
}

/** A run as the forge has it now. */
export interface JobRunState {
  readonly startedMs: number;
  /** Undefined while it is not over. */
  readonly endedMs: number | undefined;
}

/** What is asked of the place where the pull requests are. */
export interface Forge {
  /** The summary of a preview in the words of the forge, as `merge request !7`. */
  inOwnWords(summary: string): string;
  /** An error, as of a token that may not see it, says nothing of a pull request. */
  pullRequest(number: number): Promise<PullRequest>;
  /** The pull request that brought a commit to the branch that it was merged into; undefined where there is none. */
  pullRequestOf(commit: string): Promise<number | undefined>;
  /** The names of what is set for the jobs of the repository, its own and those of whom it belongs to. */
  listSettings(): Promise<{ readonly secrets: readonly string[]; readonly variables: readonly string[] }>;
  /** The last commit of a branch. */
  lastCommit(gitBranch: string): Promise<string>;
  /** An error, as of a run that the forge does not know, does not say that it is over. */
  jobRun(run: JobRun): Promise<JobRunState>;
  /**
   * Writes the one comment that this command has on a pull request, or the one of a topic; one of another author is left alone. It
   * gets what the comment says, and where it answers undefined nothing is written.
   */
  comment(
    number: number,
    write: (before: string | undefined) => string | undefined,
    topic?: string,
  ): Promise<void>;
}

/** A forge that does not answer as it should, or that is not known. */
export class ForgeError extends Error {}

/** A forge that gave no answer to a call, or none but that it is overloaded: nothing is wrong with the call itself. */
export class ForgeUnavailableError extends ForgeError {}

/** What a comment of ours begins with; nobody sees it. That of one topic does not begin as that of another. */
function markOf(topic: string | undefined): string {
  return `<!-- management-previews${topic === undefined ? "" : ` ${topic}`} -->`;
}

/** Whether a comment bears our mark, which anybody can write: its author has to be looked at as well. */
export function isMarked(body: string | null | undefined, topic?: string): boolean {
  return body?.startsWith(markOf(topic)) === true;
}

/** What a marked comment says. */
export function omitMark(body: string): string {
  return body.replace(/^<!--.*?-->\s*/s, "");
}

/** The whole comment. */
export function formatComment(text: string, topic?: string): string {
  return `${markOf(topic)}\n${disableQuickActions(text).trim()}\n`;
}

/** What GitLab and bots take for a command of the comment's author, and drop before they look for one. */
const QUICK_ACTION = /(?<![^\n])((?:(?!\n)[\s\p{C}])*)\/(?=\p{L})/gu;

/** The same text to a reader, in which no line begins with a command. */
export function disableQuickActions(text: string): string {
  return text.replaceAll(QUICK_ACTION, String.raw`$1\/`);
}
