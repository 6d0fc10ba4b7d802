/** A pull request as the forge has it now. */
export interface PullRequest {
  readonly isOpen: boolean;
  /** The last commit of its branch. */
  readonly commit: string;
}

/** What is asked of the place where the pull requests are. */
export interface Forge {
  pullRequest(number: number): Promise<PullRequest>;
  /** Numbers of all open pull requests, or an error: never a part of them. */
  openPullRequests(): Promise<ReadonlySet<number>>;
  /** Writes the one comment that this command has on a pull request. */
  comment(number: number, text: string): Promise<void>;
}

/** A forge that does not answer as it should, or that is not known. */
export class ForgeError extends Error {}

/** What a comment of ours begins with; nobody sees it. */
const MARK = "<!-- management-previews -->";
/** Both forges take a little more. */
const LONGEST_COMMENT = 60_000;

export function isOurs(body: string | null | undefined): boolean {
  return body?.startsWith(MARK) === true;
}

export function commentOf(text: string): string {
  const cut = text.length > LONGEST_COMMENT ? `${text.slice(0, LONGEST_COMMENT)}\n\n(cut here)` : text;
  return `${MARK}\n${cut.trim()}\n`;
}
