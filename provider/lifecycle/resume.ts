import { InvalidInputError } from "../client/errors";
import type { Context } from "../define/context";
import type { AnyResource, Candidate, Observed } from "../define/resource";
import { theOnlyOne, unproven } from "./candidates";
import { contradiction, tellingOutputs } from "./identify";
import { InitializationError } from "./initialization-error";
import { objectKey } from "./journal-subject";
import { describeSent, isMadeDuring, LANDS_WITHIN_MS, type Entry } from "./journal/entry";
import type { JournalSubject, Leftover } from "./journal/journal";
import type { Runtime } from "./runtime";
import { remember, type Values } from "./state";
import { observe } from "./observe";
import { takeOver, type Made } from "./take-over";

/** How long a process whose engine is gone may take to end, and more. */
const ENDS_WITHIN_MS = 120_000;

export interface Creation {
  readonly runtime: Runtime;
  readonly ctx: Context;
  readonly resource: AnyResource;
  readonly inputs: Values;
  /** Undefined where nothing tells which resource of a program this is. */
  readonly subject: JournalSubject | undefined;
  /** Interrupted creates that nothing was found of, and whose request may still be under way. */
  readonly outstanding: Leftover[];
}

interface Found {
  readonly id: string;
  readonly observed: Observed<Values, Values>;
}

/** Goes on with what an interrupted run made for this resource; undefined when there is nothing. */
export async function resumeInterrupted(creation: Creation): Promise<Made | undefined> {
  const { runtime, ctx, resource, subject } = creation;
  if (subject === undefined) return undefined;
  for (const leftover of runtime.journal.leftovers(subject)) {
    await untilEnded(ctx, leftover);
    const { entry } = leftover;
    if (entry === undefined) continue;
    const found =
      entry.id === undefined
        ? await lookFor(creation, subject, entry)
        : await lookAt(creation, entry, entry.id);
    if (found === undefined) {
      if (entry.id === undefined && landingTimeLeftMs(runtime, entry) > 0)
        creation.outstanding.push(leftover);
      else leftover.forget();
      continue;
    }
    const telling = tellingOutputs(resource, found.observed.outputs, runtime.redact);
    leftover.made(found.id, { ...entry.outputs, ...telling });
    ctx.progress(`going on with ${found.id}, which an interrupted run began`);
    return goOnWith(creation, found);
  }
  await refuseOtherAccounts(creation, subject);
  return undefined;
}

async function goOnWith({ ctx, resource, inputs }: Creation, { id, observed }: Found): Promise<Made> {
  const name = contradiction(resource, inputs, observed);
  if (name === undefined) return takeOver(ctx, resource, { id, inputs, observed });
  throw new InitializationError(
    id,
    remember(resource, inputs, observed),
    new Error(
      `An interrupted run made the ${resource.type} ${id}, whose ${name} is not the one declared now. It is in Pulumi's state ` +
        "from now on, and the next `pulumi up` replaces it; to keep it, declare what it has.",
    ),
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

/** What the service shows under an id that was on record, where it is still the object that was made. */
async function lookAt(
  { ctx, resource, inputs }: Creation,
  { sent, outputs = {} }: Entry,
  id: string,
): Promise<Found | undefined> {
  const observed = await observe(ctx, resource, { id, state: { ...inputs, ...sent, ...outputs } });
  if (observed === undefined || contradiction(resource, sent, observed) !== undefined) return undefined;
  const isAnother = Object.entries(outputs).some(([name, value]) => {
    const seen = observed.outputs[name];
    return typeof value === "string" && seen !== undefined && seen !== value;
  });
  return isAnother ? undefined : { id, observed };
}

/**
 * What a create without an answer made: it was not there before, agrees with every field that was sent and cannot be
 * changed in place, and was made while the create was under way. A request that has left may still land: until it
 * cannot any more, the looks go on.
 */
async function lookFor(
  creation: Creation,
  subject: JournalSubject,
  entry: Entry,
): Promise<Found | undefined> {
  const { runtime, ctx, resource, inputs } = creation;
  if (resource.find === undefined) return undefined;
  const sentInputs = { ...inputs, ...entry.sent };
  const givenUpAtMs = resource.isRepeatable === true ? 0 : ctx.clock.now() + LANDS_WITHIN_MS;
  for (let pauseMs = 1_000; ; pauseMs = Math.min(pauseMs * 2, 8_000)) {
    const candidates = (await resource.find(ctx, sentInputs)).filter(
      ({ id }) =>
        !entry.knownIds.includes(id) &&
        !runtime.journal.isClaimed(subject.stack, objectKey(resource, id, sentInputs)),
    );
    const found = await provenAmong(creation, entry, candidates);
    if (found !== undefined) return found;
    const leftMs = landingTimeLeftMs(runtime, entry);
    const now = ctx.clock.now();
    if (leftMs <= 0 || now >= givenUpAtMs || now >= ctx.deadlineMs) return undefined;
    ctx.progress(`looking for what an interrupted run may have made: its request may still be under way`);
    await ctx.clock.sleep(Math.min(pauseMs, leftMs), ctx.signal);
    ctx.shared.forgetAll();
  }
}

async function provenAmong(
  creation: Creation,
  entry: Entry,
  candidates: readonly Candidate[],
): Promise<Found | undefined> {
  const agreeing: { candidate: Candidate; found: Found }[] = [];
  for (const candidate of candidates) {
    if (isMadeDuring(entry.serviceTime, candidate) === false) continue;
    const found = await lookAt(creation, entry, candidate.id);
    if (found !== undefined) agreeing.push({ candidate, found });
  }
  if (agreeing.length === 0) return undefined;
  const possible = agreeing.map(({ candidate }) => candidate);
  const proven = possible.filter((each) => isMadeDuring(entry.serviceTime, each) === true);
  if (proven.length === 0) throw unproven(creation.resource, possible, entry.beganAtMs);
  const { id } = theOnlyOne(creation.resource, proven);
  return agreeing.find(({ found }) => found.id === id)?.found;
}

/** By the service's own time where it tells it: this machine's clock may have moved. */
function landingTimeLeftMs(runtime: Runtime, { serviceTime, beganAtMs }: Entry): number {
  const now = runtime.client().serviceTimeMs();
  return serviceTime === undefined || now === undefined
    ? beganAtMs + LANDS_WITHIN_MS - runtime.clock.now()
    : serviceTime.lastWriteMs + LANDS_WITHIN_MS - now;
}

/** The token may just have been renewed: what it can see and was made for this very resource must not be made twice. */
async function refuseOtherAccounts(creation: Creation, subject: JournalSubject): Promise<void> {
  const { runtime, ctx, resource, inputs } = creation;
  for (const entry of runtime.journal.underOtherAccounts(subject)) {
    const { id } = entry;
    const isElsewhere = ["projectRef", "organizationSlug"].some((name) => entry.sent[name] !== inputs[name]);
    if (id === undefined || isElsewhere) continue;
    const found = await lookAt({ ...creation, ctx }, entry, id).catch(() => undefined);
    if (found === undefined) continue;
    throw new InvalidInputError(
      "adopt",
      `An interrupted run with another access token made the ${describeSent(entry)} for this resource. Nothing was created. ` +
        `To go on with it, add \`adopt: "${id}"\` to the resource; if it is somebody else's, delete or rename the ${resource.type} first.`,
    );
  }
}
