import { decide, type CiFacts, type PullState, type StackFacts } from "../../previews/ci/decision";
import type { CiEvent, EventKind } from "../../previews/ci/event";

// The whole table: events, whose they are, the pull request, the stack and other runs.

const KINDS: readonly EventKind[] = ["push", "recreate", "close", "stop", "sweep", "merge group", "other"];
const ORIGINS: readonly CiEvent["origin"][] = ["own", "fork", "Dependabot"];
const PULLS: readonly PullState[] = ["current", "superseded", "closed", "draft", "fork", "untold"];
const STACKS: readonly StackFacts[] = ["none", "ours", "gone", "another's", "foreign code"];

interface Cell {
  readonly event: Pick<CiEvent, "kind" | "origin" | "isDraft">;
  readonly known: Required<Pick<CiFacts, "pull" | "stack">> & CiFacts;
  readonly drafts: boolean;
  readonly does: string;
}

const flags = [true, false];
const CELLS: readonly Cell[] = KINDS.flatMap((kind) =>
  ORIGINS.flatMap((origin) =>
    flags.flatMap((drafts) =>
      flags.flatMap((isDraft) =>
        PULLS.flatMap((pull) =>
          STACKS.flatMap((stack) =>
            flags.map((isLocked): Cell => {
              const [event, known] = [
                { kind, origin, isDraft },
                { pull, stack, isLocked },
              ];
              return { event, known, drafts, does: decide(event, known, { drafts }).does };
            }),
          ),
        ),
      ),
    ),
  ),
);
const where = (holds: (cell: Cell) => boolean): Cell[] => CELLS.filter(holds);
/** What is done in cells that there are. */
function doneIn(cells: readonly Cell[]): string[] {
  expect(cells.length).toBeGreaterThan(0);
  return [...new Set(cells.map(({ does }) => does))].sort();
}
const isRemoval = ({ event: { kind } }: Cell): boolean => kind === "close" || kind === "stop";
const isMaking = ({ event: { kind } }: Cell): boolean => kind === "push" || kind === "recreate";
const isOwn = ({ event }: Cell): boolean => event.origin === "own";

it("has 5040 cells, each with an end", () => {
  expect(CELLS).toHaveLength(5_040);
  expect(doneIn(CELLS)).toEqual(["change", "make", "nothing", "recreate", "refuse", "remove", "sweep"]);
});

it("nothing is done for a fork or for Dependabot, whatever else is so, and nothing is asked for it", () => {
  const ofPulls = (cell: Cell): boolean => isRemoval(cell) || isMaking(cell);
  const theirs = where((cell) => ofPulls(cell) && !isOwn(cell));
  expect(doneIn(theirs)).toEqual(["nothing"]);
  for (const { event, drafts } of theirs) expect(decide(event, {}, { drafts }).does).toBe("nothing");
  // The forge's word counts where the event says otherwise; a stop asks for none.
  expect(
    doneIn(where((cell) => cell.known.pull === "fork" && ofPulls(cell) && cell.event.kind !== "stop")),
  ).toEqual(["nothing"]);
});

it("the schedule sweeps, and a merge group and other events end at once", () => {
  expect(doneIn(where(({ event }) => event.kind === "sweep"))).toEqual(["sweep"]);
  expect(doneIn(where(({ event }) => event.kind === "merge group"))).toEqual(["nothing"]);
  expect(doneIn(where(({ event }) => event.kind === "other"))).toEqual(["nothing"]);
});

it("a preview is made for the last commit of an open pull request alone", () => {
  const made = where(({ does }) => ["make", "change", "recreate"].includes(does));
  for (const cell of made) {
    expect(isMaking(cell) && isOwn(cell)).toBe(true);
    expect(["current", "untold", "draft"]).toContain(cell.known.pull);
    if (cell.event.isDraft || cell.known.pull === "draft") expect(cell.drafts).toBe(true);
    expect(cell.known.stack).not.toBe("another's");
    expect(cell.known.isLocked).toBe(false);
  }
});

it("a stack is removed only for a pull request that is not open, unless its environment is stopped", () => {
  const removed = where(({ does }) => does === "remove");
  for (const cell of removed) {
    expect(isRemoval(cell) && isOwn(cell)).toBe(true);
    if (cell.event.kind === "close") expect(["closed", "untold"]).toContain(cell.known.pull);
    expect(["another's", "foreign code"]).not.toContain(cell.known.stack);
  }
  expect(doneIn(where((cell) => cell.event.kind === "close" && cell.known.pull === "current"))).toEqual([
    "nothing",
  ]);
});

it.each<[string, EventKind, StackFacts, string]>([
  ["no stack", "push", "none", "make"],
  ["its stack", "push", "ours", "change"],
  ["a branch that somebody deleted", "push", "gone", "recreate"],
  ["the label", "recreate", "ours", "recreate"],
  ["the label and no stack", "recreate", "none", "make"],
  ["a stack of another Git branch, as one that was renamed", "push", "another's", "refuse"],
])("with %s, %s of stack %s: %s", (_what, kind, stack, does) => {
  const cells = where(
    ({ event, known, drafts }) =>
      event.kind === kind &&
      event.origin === "own" &&
      drafts &&
      known.pull === "current" &&
      known.stack === stack &&
      !known.isLocked,
  );
  expect(doneIn(cells)).toEqual([does]);
});

it("the forge is asked before the stack, and the stack only where something is done with it", () => {
  for (const { event, known, drafts } of CELLS) {
    const first = decide(event, {}, { drafts });
    const second = decide(event, { pull: known.pull }, { drafts });
    if (first.does === "ask") expect(first.about).toBe(event.kind === "stop" ? "stack" : "pull request");
    if (second.does === "ask") expect(second.about).toBe("stack");
  }
});
