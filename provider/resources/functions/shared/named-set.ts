import { z } from "zod";
import { InvalidInputError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Context } from "../../../define/context";
import { readOption } from "../../../define/markers";
import { formatName, formatPlanLine } from "../../../define/plan-words";
import type { ObjectCandidate, ManagedCollection, SetPart } from "../../../define/resource";
import { formatCodeList } from "../../../define/format-code-list";

/** What to do about a name that exists and is not the set's; each sentence leads on where it is followed. */
export const NAMES_ADVICE =
  "If another program has them, remove them from it and run `pulumi up` there, then here. If you renamed or moved this resource in its program, keep them with the resource option `aliases`. If no other program has them, or only a resource that you remove from this program, take them over with `adopt: true`";

/** What can go wrong with a resource that manages several named things of a project at once. */
export const namedSetProblems = {
  willBePruned: defineProblem({
    says: "{names} exist in the project {ref} but are not declared. With `prune`, the next `pulumi up` deletes them. To keep one, declare it.",
    means:
      "Warning. `prune` deletes only what a preview has listed. This run found these names, and the next preview lists them as a change of `undeclared`.",
    remedy: "Declare the ones to keep, then run `pulumi up` again",
  }),
};

/** Whether what the set does not declare goes; `things` are what it consists of. */
export function pruneInput(things: string) {
  return readOption(
    z
      .boolean()
      .describe(
        `Whether ${things} of the project that the set does not declare are deleted. They are first listed in \`undeclared\`; after a preview has shown them, the next update deletes them. No other resource of the program can then declare ${things} of the project. Default: \`false\`.`,
      ),
  ).optional();
}

export const namedSetOutputs = {
  names: z.array(z.string()).describe("Names that the set manages. Deleting the resource deletes them."),
  undeclared: z
    .array(z.string())
    .describe("With `prune`, undeclared names in the project, which the next update deletes.")
    .optional(),
};

interface NamedSetState {
  readonly names?: readonly string[] | undefined;
  readonly undeclared?: readonly string[] | undefined;
}

interface NamedSetOptions {
  readonly prune?: boolean | undefined;
  readonly adopt?: boolean | undefined;
  readonly adoptId?: string | undefined;
}

/** A set prunes by an update of its own. */
export function listDuePruning(
  { undeclared = [] }: NamedSetState,
  { prune }: NamedSetOptions,
): "undeclared"[] {
  return prune === true && undeclared.length > 0 ? ["undeclared"] : [];
}

/** What an update prunes: the names that a preview has listed. */
export function listPruned(
  { undeclared = [] }: NamedSetState,
  { prune }: NamedSetOptions,
): readonly string[] {
  return prune === true ? undeclared : [];
}

/** What a plan says of that. */
export function describePruning(remembered: NamedSetState, options: NamedSetOptions): string[] {
  return formatPlanLine("will delete", listPruned(remembered, options).map(formatName));
}

/** What is not declared, where the set prunes. */
export function pickUndeclared(
  names: Iterable<string>,
  isUndeclared: (name: string) => boolean,
  isPruning: boolean,
) {
  return isPruning ? { undeclared: [...names].filter(isUndeclared).sort() } : {};
}

export function warnOfPruning(ctx: Context, ref: string, { undeclared = [] }: NamedSetState): void {
  if (undeclared.length > 0)
    ctx.warn(namedSetProblems.willBePruned.message({ ref, names: formatCodeList(undeclared) }));
}

export function mayTakeOver({ adopt, adoptId }: NamedSetOptions): boolean {
  return adopt === true || adoptId !== undefined;
}

/** The names of the state, and those that a run which died had begun to manage since. */
export function listFormerNames(ctx: Context, { names = [] }: NamedSetState): string[] {
  return [...new Set([...names, ...toNames(ctx.ledger.kept)])];
}

interface Ownership {
  readonly present: ReadonlyMap<string, unknown>;
  /** Names that the set has had. */
  readonly own: ReadonlySet<string>;
  readonly isAdopted: boolean;
}

/** Throws where one of the names exists and is somebody else's; `says` makes the message. */
export function refuseForeignNames(
  names: Iterable<string>,
  { present, own, isAdopted }: Ownership,
  says: (foreign: string) => string,
): void {
  const foreign = [...names].filter((name) => present.has(name) && !own.has(name));
  if (foreign.length > 0 && !isAdopted) throw new InvalidInputError("adopt", says(formatCodeList(foreign)));
}

interface ExistingSet<T> {
  readonly ref: string;
  readonly names: Iterable<string>;
  readonly present: ReadonlyMap<string, T>;
  /** What there is to one of the names. */
  readonly partOf: (name: string, thing: T) => SetPart;
  /** Whether the service has the very value that is declared. */
  readonly isAsDeclared: (name: string) => boolean;
  /** The program takes over whatever there is. */
  readonly isAdopted: boolean;
  /** Whether the project came with it: it is taken over, and no part by which a create is recognised. */
  readonly isInherited?: (thing: T) => boolean;
}

/** The set that a project has already, where it has one of the names; not in the way where they all go over from others. */
export async function findExistingSet<T>(ctx: Context, existing: ExistingSet<T>): Promise<ObjectCandidate[]> {
  const { ref, names, present, partOf, isAsDeclared, isAdopted, isInherited = () => false } = existing;
  const there: string[] = [];
  const inherited: string[] = [];
  const parts: SetPart[] = [];
  for (const name of [...names].sort()) {
    const thing = present.get(name);
    if (thing === undefined) continue;
    there.push(name);
    if (isInherited(thing)) inherited.push(name);
    else parts.push(partOf(name, thing));
  }
  if (there.length === 0) return [];
  const others = there.filter((name) => !inherited.includes(name));
  const going = isAdopted ? [] : await waitForHandOver(ctx, others, isAsDeclared);
  const foreign = others.filter((name) => !going.includes(name));
  const label = `it has ${formatCodeList(foreign.length === 0 ? there : foreign)}`;
  return [{ id: ref, label, parts, collides: foreign.length > 0 }];
}

/** The objects as which a name is on record: that of a resource of its own, and the sets of the project. */
export function recordedAs(single: string, set: string): NonNullable<ManagedCollection["recordedAs"]> {
  return (ref, name) => [
    { type: single, scope: ref, id: name },
    { type: set, scope: "", id: ref },
  ];
}

/** How long other resources of a program may take until the engine shows them. */
const REGISTERS_WITHIN_MS = 5_000;

/**
 * Those of the names, which exist already, that another resource of this program has had, and that go over. What is only on
 * record goes over where the service has the very value: somebody else's may have come in its place since.
 */
export async function waitForHandOver(
  ctx: Context,
  names: readonly string[],
  isAsDeclared: (name: string) => boolean,
): Promise<string[]> {
  const isHandedOver = (name: string): boolean => {
    const had = ctx.program.hadElsewhere(name);
    return had === "shown" || (had === "recorded" && isAsDeclared(name));
  };
  const untilMs = Math.min(ctx.clock.now() + REGISTERS_WITHIN_MS, ctx.deadlineMs);
  // The engine may not have come to the other resource yet.
  while (!names.every(isHandedOver) && ctx.clock.now() < untilMs) await ctx.clock.sleep(500, ctx.signal);
  return names.filter(isHandedOver);
}

/** A name of a collection; `key` says which collection of which project. */
interface CollectionName {
  readonly key: string;
  readonly name: string;
}

/** Removes what the resource gives up, unless another one of the program declares it by now. */
export function removeName(
  ctx: Context,
  { key, name }: CollectionName,
  remove: () => Promise<void>,
): Promise<void> {
  return ctx.shared.exclusively(formatRemovalKey(key, name), async () => {
    if (ctx.program.listNamesElsewhere().has(name)) ctx.program.leaveNames([name]);
    else await remove();
  });
}

/** Waits until nobody is removing one of the names any more; as the resource declares them, nobody begins to. */
export async function waitForRemovals(ctx: Context, key: string, names: Iterable<string>): Promise<void> {
  const waitForNothing = (): Promise<void> => Promise.resolve();
  await Promise.all(
    [...names].map((name) => ctx.shared.exclusively(formatRemovalKey(key, name), waitForNothing)),
  );
}

function formatRemovalKey(key: string, name: string): string {
  return `give up:${key}:${name}`;
}

/** Without what other resources declare by now, of this program or of others. */
export function omitNamesElsewhere(ctx: Context, names: readonly string[]): string[] {
  const ofProgram = ctx.program.listNamesElsewhere();
  ctx.program.leaveNames(names.filter((name) => ofProgram.has(name)));
  const elsewhere = new Set([...ofProgram, ...ctx.ledger.otherOwners.flatMap(toNames)]);
  return names.filter((name) => !elsewhere.has(name));
}

function toNames({ names }: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(names) ? names.map(String) : [];
}

/** What became of several things that were done at once. */
export interface BatchOutcome {
  readonly done: number;
  readonly failed: readonly { readonly name: string; readonly reason: Error }[];
}

/** Does it for each by its name, whatever becomes of the others; what failed in this step already has failed. */
export async function runForEach<T>(
  ctx: Context,
  things: ReadonlyMap<string, T>,
  act: (name: string, thing: T) => Promise<unknown>,
): Promise<BatchOutcome> {
  const { failures } = ctx;
  const one = async ([name, thing]: [string, T]): Promise<void> => {
    if (failures.has(name)) return;
    try {
      await act(name, thing);
    } catch (error) {
      failures.set(name, error instanceof Error ? error : new Error(String(error)));
    }
  };
  await Promise.all([...things].map(one));
  const failed = [...failures].flatMap(([name, reason]) => (things.has(name) ? [{ name, reason }] : []));
  return { done: things.size - failed.length, failed };
}

/** Names of what failed in this step before. */
export function listFailures(ctx: Context): string[] {
  return [...ctx.failures.keys()];
}

export function mergeOutcomes(one: BatchOutcome, other: BatchOutcome): BatchOutcome {
  return { done: one.done + other.done, failed: [...one.failed, ...other.failed] };
}
