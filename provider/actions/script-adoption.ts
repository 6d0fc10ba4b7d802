import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { InvalidInputError } from "../client/errors/errors";
import type { Context } from "../define/context";
import { scriptProblems as problems } from "./script-problems";
import { readyRecordOf, recordAsDone, type Recorded, type ScriptRun } from "./script-records";

/** Tells a run from another one of a script of the same name. */
export const runBookkeeping = z.object({ __run: z.string().optional() });

/** What tells runs of a script apart that may be adopted. */
interface Script {
  readonly name: string;
  readonly query: string;
  readonly triggers?: unknown;
  readonly adopt?: boolean | undefined;
}

/** One that may be adopted is known by its query: a machine that has forgotten it finds the same. */
export function newRun({ adopt, name, query, triggers }: Script): string {
  if (adopt !== true) return randomUUID();
  const hash = createHash("sha256").update(JSON.stringify([name, query, triggers ?? null]));
  return hash.digest("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

/** The run that a state, or what a run that died kept, names. */
export function runIn(values: object): string | undefined {
  return runBookkeeping.catch({}).parse(values).__run;
}

/** What the database records under the name of a script that is to be run; refuses what `adopt` cannot take for its own. */
export async function recordedFor(
  ctx: Context,
  { projectRef: ref, readOnly, ...script }: Script & { projectRef: string; readOnly?: boolean | undefined },
): Promise<Recorded | undefined> {
  const { name, adopt } = script;
  if (readOnly === true) return undefined;
  const recorded = await readyRecordOf(ctx, { ref, name });
  if (adopt === true && recorded !== undefined && recorded.run !== newRun(script))
    throw new InvalidInputError("adopt", problems.otherQuery.message({ ref, name }));
  return recorded;
}

/** Takes a script as done, whatever the database records of it; returns what the state keeps. */
export async function takenAsDone(ctx: Context, script: ScriptRun, recorded: Recorded | undefined) {
  if (recorded?.finishedAt === undefined) await recordAsDone(ctx, script);
  return { __run: recorded?.run ?? script.run, ranAt: recorded?.finishedAt };
}
