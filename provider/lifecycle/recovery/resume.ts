import { InvalidInputError, isNotFound } from "../../client/errors/errors";
import type { Context } from "../../define/context";
import { fieldsOf } from "../../define/markers";
import type { AnyResource } from "../../define/resource";
import { theProven } from "./candidates";
import { othersBefore } from "../ownership/holding";
import { contradiction, tellingOutputs, withUnshown } from "./identify";
import { InitializationError } from "../operations/initialization-error";
import { describeSent, LANDS_WITHIN_MS, type Entry } from "./journal/entry";
import type { JournalSubject, Leftover } from "./journal/journal";
import { parentInputs } from "../ownership/parent";
import { resourceProblems } from "../problems";
import { findMadeBy, inDoubt, lookAt, sentBefore, type Creation, type Found } from "./recognise";
import type { Runtime } from "../runtime";
import { remember, type Values } from "../state";
import { takeOver, type Made } from "../ownership/take-over";

type Outcome = Pick<Found, "id" | "observed">;

/** How long a process whose engine is gone may take to end, and more. */
const ENDS_WITHIN_MS = 120_000;

/** Goes on with what an interrupted run made for this resource; undefined when there is nothing. */
export async function resumeInterrupted(creation: Creation): Promise<Made | undefined> {
  const { runtime, ctx, resource, subject } = creation;
  if (subject === undefined) return undefined;
  for (const leftover of runtime.journal.leftovers(subject)) {
    await untilEnded(ctx, leftover);
    const { entry } = leftover;
    if (entry === undefined) continue;
    const found = await outcomeOf(creation, entry).catch((error: unknown) => {
      // Of what was begun within another project, nothing is left when that is gone.
      if (!isNotFound(error) || !isElsewhere(creation, entry)) throw error;
      return undefined;
    });
    if (found === undefined) {
      if (entry.id === undefined && landingTimeLeftMs(runtime, entry) > 0)
        creation.outstanding.push(leftover);
      else leftover.forget();
      continue;
    }
    const telling = tellingOutputs(resource, found.observed.outputs, runtime.redact);
    leftover.made(found.id, { ...entry.outputs, ...telling });
    creation.requests.recordIn(leftover, entry.requests);
    for (const other of runtime.journal.leftovers(subject)) {
      // What it may have made is the very object that is known by now.
      if (other.entry?.id === undefined && landsAs(resource, entry.sent, other.entry)) other.forget();
    }
    ctx.progress(`going on with ${found.id}, which an interrupted run began`);
    const observed = withUnshown(resource, entry.sent, found.observed);
    const others = othersBefore(runtime, resource, creation.inputs);
    const keeping: Context = {
      ...ctx,
      others: others.map(({ shared }) => shared),
      kept: entry.outputs ?? {},
      keep: (id, outputs) => leftover.made(id, outputs),
    };
    return goOnWith({ ...creation, ctx: keeping }, { id: found.id, observed });
  }
  await refuseOtherAccounts(creation, subject);
  return undefined;
}

/** Whether a request that lands late makes no other object than what is sent. */
function landsAs(resource: AnyResource, sent: Values, entry: Entry | undefined): boolean {
  if (resource.isRepeatable !== true) return false;
  return entry === undefined || contradiction(resource, sent, { inputs: entry.sent }) === undefined;
}

async function goOnWith({ ctx, resource, inputs }: Creation, { id, observed }: Outcome): Promise<Made> {
  const shown = (await resource.find?.(ctx, inputs))?.find((candidate) => candidate.id === id);
  const unshown = shown?.isDifferentObject === true ? hiddenIdentity(resource, inputs) : [];
  const name = contradiction(resource, inputs, observed) ?? unshown[0];
  if (name === undefined) return takeOver(ctx, resource, { id, inputs, observed });
  // What is left out of state is shown as a replacement by the engine's next diff.
  const declared = Object.fromEntries(Object.entries(inputs).filter(([each]) => !unshown.includes(each)));
  throw new InitializationError(
    id,
    remember(resource, declared, observed),
    new Error(resourceProblems.declaredOtherwise.message({ type: resource.type, id, name })),
  );
}

/** Secrets that the object was made from: the service shows at most that they are others. */
function hiddenIdentity(resource: AnyResource, inputs: Values): string[] {
  return fieldsOf(resource.inputs).flatMap(([name, , { secret, replaces }]) =>
    secret === true && replaces !== undefined && inputs[name] !== undefined ? [name] : [],
  );
}

/** Another process is creating this very resource: one whose engine was killed, or a second run of the stack. */
async function untilEnded(ctx: Context, leftover: Leftover): Promise<void> {
  if (!leftover.isRunning()) return;
  const pid = leftover.entry?.process.pid ?? 0;
  ctx.progress(
    `waiting for the process ${pid}, which an interrupted run left behind and which still creates this`,
  );
  const untilMs = Math.min(ctx.deadlineMs, ctx.clock.now() + ENDS_WITHIN_MS);
  while (leftover.isRunning()) {
    if (ctx.clock.now() >= untilMs) {
      throw new Error(
        `The process ${pid} on this machine is creating this resource and does not end; nothing was created here. ` +
          "If it is another run of this stack, wait for its end; if not, end the process. Then run again.",
      );
    }
    await ctx.clock.sleep(500, ctx.signal);
  }
}

/** What the create made; a listing that was read before may not show it yet. */
async function outcomeOf(creation: Creation, entry: Entry): Promise<Outcome | undefined> {
  const { id } = entry;
  if (id === undefined) return lookFor(creation, entry);
  const observed = (await lookAt(creation, entry, id)) ?? (await lookAfresh(creation, entry, id));
  if (observed === undefined || entry.isAnswered === true) return observed && { id, observed };
  const doubtful = await inDoubt(creation, sentBefore(entry), { id, observed });
  return doubtful === undefined
    ? { id, observed }
    : theProven(creation.resource, [doubtful], entry.beganAtMs);
}

function lookAfresh(creation: Creation, entry: Entry, id: string): ReturnType<typeof lookAt> {
  creation.ctx.shared.forgetAll();
  return lookAt(creation, entry, id);
}

/** What a create without an answer made. A request that has left may still land: until it cannot, the looks go on. */
async function lookFor(creation: Creation, entry: Entry): Promise<Outcome | undefined> {
  const { runtime, ctx, resource } = creation;
  const isHarmless = landsAs(resource, creation.inputs, entry);
  const givenUpAtMs = isHarmless ? 0 : ctx.clock.now() + LANDS_WITHIN_MS;
  for (let pauseMs = 1_000; ; pauseMs = Math.min(pauseMs * 2, 8_000)) {
    // Where a late landing does no harm, one listing serves all that a killed bulk left unanswered.
    if (!isHarmless) ctx.shared.forgetAll();
    const found = theProven(resource, await findMadeBy(creation, sentBefore(entry)), entry.beganAtMs);
    if (found !== undefined) return found;
    const leftMs = landingTimeLeftMs(runtime, entry);
    const now = ctx.clock.now();
    if (leftMs <= 0 || now >= givenUpAtMs || now >= ctx.deadlineMs) return undefined;
    ctx.progress("looking for what an interrupted run may have made: its request may still be under way");
    await ctx.clock.sleep(Math.min(pauseMs, leftMs), ctx.signal);
  }
}

/** By the service's own time where it tells it: this machine's clock may have moved. What was answered is over. */
function landingTimeLeftMs(runtime: Runtime, { requests, beganAtMs }: Entry): number {
  const last = requests.findLast(({ answeredAtMs }) => answeredAtMs === undefined);
  if (last === undefined) return 0;
  const now = runtime.client().serviceTimeMs();
  return last.sentAtMs === undefined || now === undefined
    ? beganAtMs + LANDS_WITHIN_MS - runtime.clock.now()
    : last.sentAtMs + LANDS_WITHIN_MS - now;
}

/** The token may just have been renewed: what it can see and was made for this very resource must not be made twice. */
async function refuseOtherAccounts(creation: Creation, subject: JournalSubject): Promise<void> {
  const { runtime, resource } = creation;
  for (const entry of runtime.journal.underOtherAccounts(subject)) {
    if (isElsewhere(creation, entry)) continue;
    const id = await idSeenOf(creation, entry).catch(() => undefined);
    if (id === undefined) continue;
    throw new InvalidInputError(
      "adoptId",
      `An interrupted run with another access token made the ${describeSent({ ...entry, id })} for this resource. Nothing was created. ` +
        `To go on with it, add \`adoptId: "${id}"\` to the resource; if it is somebody else's, delete or rename the ${resource.type} first.`,
    );
  }
}

/** Whether it was begun within another project or organization than the declared one. */
function isElsewhere({ resource, inputs }: Creation, { sent }: Entry): boolean {
  return parentInputs(resource).some((name) => sent[name] !== inputs[name]);
}

/** The object of another account's create, where these credentials can see it. */
async function idSeenOf(creation: Creation, entry: Entry): Promise<string | undefined> {
  const { id } = entry;
  if (id === undefined)
    return (await findMadeBy(creation, sentBefore(entry))).find(({ doubt }) => doubt === undefined)?.id;
  return (await lookAt(creation, entry, id)) === undefined ? undefined : id;
}
