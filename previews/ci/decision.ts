import type { CiEvent } from "./event";

/** What is known of a pull request: `untold` where no forge can be asked. */
export type PullState = "current" | "superseded" | "closed" | "draft" | "fork" | "untold";

/**
 * What is known of the stack: that its branches are gone from the service, that it is something else than the preview, or that its
 * removal would run code that the repository does not have.
 */
export type StackFacts = "none" | "ours" | "gone" | "another's" | "foreign code";

/** What was looked at so far. */
export interface CiFacts {
  readonly pull?: PullState | undefined;
  readonly stack?: StackFacts | undefined;
  /** Whether the engine met the lock of a run that may be at work. */
  readonly isLocked?: boolean | undefined;
}

export type Decision =
  | Question
  | { readonly does: "make" | "change" | "recreate"; readonly why: string }
  | { readonly does: "remove" | "sweep"; readonly why: string }
  /** Done, without a preview. */
  | { readonly does: "nothing"; readonly why: string }
  /** An error. */
  | { readonly does: "refuse"; readonly why: string };

interface Question {
  readonly does: "ask";
  readonly about: "pull request" | "stack";
}

/** To make the preview, or to change it. */
export type Making = Extract<Decision, { does: "make" | "change" | "recreate" }>;

type CiEventFacts = Pick<CiEvent, "kind" | "origin" | "isDraft">;

const ASK_PULL_REQUEST: Question = { does: "ask", about: "pull request" };
const ASK_STACK: Question = { does: "ask", about: "stack" };

/** What a job does, or what it has to look at before that is known. Nothing is looked at that makes no difference. */
export function decide(
  { kind, origin, isDraft }: CiEventFacts,
  { pull, stack, isLocked = false }: CiFacts,
  { drafts }: { readonly drafts: boolean },
): Decision {
  if (kind === "sweep") return { does: "sweep", why: "it is time to" };
  if (kind === "merge group") return decideNothing("a merge group has no preview: its pull requests have");
  if (kind === "other") return decideNothing("previews have nothing to do with this event");
  if (origin !== "own")
    return decideNothing(`a pull request of ${nameOf(origin)} gets no secrets, and so no preview`);
  const isRemoval = kind === "close" || kind === "stop";
  if (!isRemoval && isDraft && !drafts) return decideNothing("a draft has none");
  // A stop button is for an open one as well.
  if (kind !== "stop") {
    if (pull === undefined) return ASK_PULL_REQUEST;
    if (pull === "fork") return decideNothing("a pull request of a fork gets no secrets, and so no preview");
    if (isRemoval && pull !== "closed" && pull !== "untold")
      return decideNothing("the pull request is open again");
    if (!isRemoval && pull === "closed") return decideNothing("the pull request is closed");
    if (!isRemoval && pull === "superseded")
      return decideNothing(
        `the pull request has a later commit, whose job makes it${kind === "recreate" ? ". To have a new preview of that one, ask for it again" : ""}`,
      );
    if (!isRemoval && pull === "draft" && !drafts) return decideNothing("a draft has none");
  }
  if (stack === undefined) return ASK_STACK;
  if (stack === "another's") return decideRefusal("its stack is not the preview of this pull request");
  if (stack === "foreign code" && isRemoval)
    return decideRefusal("its removal would run code that a pull request chose");
  if (isLocked) return decideRefusal("another job uses its stack, or was killed");
  const why = "the stack is its own";
  if (isRemoval) return { does: "remove", why };
  if (kind === "recreate" && stack !== "none") return { does: "recreate", why: "that was asked for" };
  if (stack === "gone") return { does: "recreate", why: "its branch no longer exists" };
  return { does: stack === "none" ? "make" : "change", why };
}

function decideNothing(why: string): Decision {
  return { does: "nothing", why };
}

function decideRefusal(why: string): Decision {
  return { does: "refuse", why };
}

function nameOf(origin: "fork" | "Dependabot"): string {
  return origin === "fork" ? "a fork" : origin;
}
