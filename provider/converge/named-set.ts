import { z } from "zod";
import { InvalidInputError } from "../client/errors";
import { defineProblem } from "../client/problem";
import type { Context } from "../define/context";
import { readOption } from "../define/markers";
import type { Candidate, Part } from "../define/resource";
import { listed } from "../define/listed";

/** What can go wrong with a resource that manages several named things of a project at once. */
export const namedSetProblems = {
  willBePruned: defineProblem({
    says: "{names} exist in the project {ref} and are not declared: with `prune` the next `pulumi up` removes them. To keep one, declare it.",
    means:
      "`prune` removes only what a preview has listed. This run found these names; the next preview shows them as a change of `undeclared`.",
    remedy: "Declare what is to stay, then run `pulumi up` again",
  }),
};

/** Whether what the set does not declare goes; `things` are what it consists of. */
export function pruneInput(things: string) {
  return readOption(
    z
      .boolean()
      .describe(
        `Whether ${things} of the project that the set does not declare are removed; by default \`false\`. They are first listed in \`undeclared\`, and removed by the update that a later preview shows. No other resource of the program can declare ${things} of the project then.`,
      ),
  ).optional();
}

export const namedSetOutputs = {
  names: z.array(z.string()).describe("Names of what the set manages; a delete removes them."),
  undeclared: z
    .array(z.string())
    .describe("With `prune`, names in the project that are not declared and that the next update removes.")
    .optional(),
};

interface Remembered {
  readonly names?: readonly string[] | undefined;
  readonly undeclared?: readonly string[] | undefined;
}

interface Options {
  readonly prune?: boolean | undefined;
  readonly adopt?: boolean | undefined;
  readonly adoptId?: string | undefined;
}

/** A set prunes by an update of its own. */
export function duePruning({ undeclared = [] }: Remembered, { prune }: Options): "undeclared"[] {
  return prune === true && undeclared.length > 0 ? ["undeclared"] : [];
}

/** What an update prunes: the names that a preview has listed. */
export function pruned({ undeclared = [] }: Remembered, { prune }: Options): readonly string[] {
  return prune === true ? undeclared : [];
}

/** What is not declared, where the set prunes. */
export function undeclaredAmong(
  names: Iterable<string>,
  isUndeclared: (name: string) => boolean,
  isPruning: boolean,
) {
  return isPruning ? { undeclared: [...names].filter(isUndeclared).sort() } : {};
}

export function warnOfPruning(ctx: Context, ref: string, { undeclared = [] }: Remembered): void {
  if (undeclared.length > 0)
    ctx.warn(namedSetProblems.willBePruned.message({ ref, names: listed(undeclared) }));
}

export function mayTakeOver({ adopt, adoptId }: Options): boolean {
  return adopt === true || adoptId !== undefined;
}

/** The names of the state, and those that a run which died had begun to manage since. */
export function namesHad(ctx: Context, { names = [] }: Remembered): string[] {
  return [...new Set([...names, ...namesIn(ctx.kept)])];
}

interface Ownership {
  readonly present: ReadonlyMap<string, unknown>;
  /** Names that the set has had. */
  readonly own: ReadonlySet<string>;
  readonly isTakenOver: boolean;
}

/** Throws where one of the names exists and is somebody else's; `says` makes the message. */
export function requireOwn(
  names: Iterable<string>,
  { present, own, isTakenOver }: Ownership,
  says: (foreign: string) => string,
): void {
  const foreign = [...names].filter((name) => present.has(name) && !own.has(name));
  if (foreign.length > 0 && !isTakenOver) throw new InvalidInputError("adopt", says(listed(foreign)));
}

/** The set that a project has already, where it has one of the names; `partOf` says what there is to one. */
export function foundSet<T>(
  ref: string,
  names: Iterable<string>,
  present: ReadonlyMap<string, T>,
  partOf: (name: string, thing: T) => Part,
): Candidate[] {
  const there: string[] = [];
  const parts: Part[] = [];
  for (const name of [...names].sort()) {
    const thing = present.get(name);
    if (thing === undefined) continue;
    there.push(name);
    parts.push(partOf(name, thing));
  }
  return there.length === 0 ? [] : [{ id: ref, label: `it has ${listed(there)}`, parts }];
}

/** Without what other resources declare by now, of this program or of others. */
export function unlessElsewhere(ctx: Context, names: readonly string[]): string[] {
  const elsewhere = new Set([...ctx.declaredElsewhere(), ...ctx.others.flatMap(namesIn)]);
  return names.filter((name) => !elsewhere.has(name));
}

function namesIn({ names }: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(names) ? names.map(String) : [];
}

/** What became of several things that were done at once. */
export interface Outcome {
  readonly done: number;
  readonly failed: readonly { readonly name: string; readonly reason: Error }[];
}

/** What failed in a step, by what the step has kept: what settles the set afterwards does not try it a second time. */
const failedIn = new WeakMap<Context["kept"], Map<string, Error>>();

/** Does it for each by its name, whatever becomes of the others; what failed in this step already has failed. */
export async function together<T>(
  ctx: Context,
  things: ReadonlyMap<string, T>,
  act: (name: string, thing: T) => Promise<unknown>,
): Promise<Outcome> {
  const reasons = failedIn.get(ctx.kept) ?? new Map<string, Error>();
  failedIn.set(ctx.kept, reasons);
  const one = async ([name, thing]: [string, T]): Promise<void> => {
    if (reasons.has(name)) return;
    try {
      await act(name, thing);
    } catch (error) {
      reasons.set(name, error instanceof Error ? error : new Error(String(error)));
    }
  };
  await Promise.all([...things].map(one));
  const failed = [...reasons].flatMap(([name, reason]) => (things.has(name) ? [{ name, reason }] : []));
  return { done: things.size - failed.length, failed };
}

/** Names of what failed in this step before. */
export function failedBefore(ctx: Context): string[] {
  return [...(failedIn.get(ctx.kept)?.keys() ?? [])];
}

export function bothOf(one: Outcome, other: Outcome): Outcome {
  return { done: one.done + other.done, failed: [...one.failed, ...other.failed] };
}
