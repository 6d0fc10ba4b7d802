import { quoteText } from "../../../spec/shown-text";
import { InvalidInputError, isNotFound } from "../../client/errors/errors";
import type { Context } from "../../define/context";
import { listMarkedFields } from "../../define/markers";
import type { AnyResource } from "../../define/resource";
import { InitializationError } from "../step/errors";
import { listOtherSharers } from "../step/ownership";
import { createClaim, parentInputs } from "../../ledger/claim";
import { convergeExisting } from "./adopt";
import { type SettledResource } from "../step/settle";
import { resourceProblems } from "../step/problems";
import type { Runtime } from "../step/runtime";
import type { Values } from "../../define/values";
import { composeState } from "../step/state";
import { trackRequests, adjustCreation, type Creation } from "./creation";
import {
  findCreated,
  findDoubtfulSet,
  readSentObject,
  toSentCreate,
  requireProven,
  type CreatedCandidate,
} from "./find-created";
import { warnOfDuplicates } from "./find-duplicates";
import { findContradiction, isRepeatable, pickIdentifyingOutputs, addUnshownInputs } from "./fingerprint";
import { describeSent, IN_FLIGHT_GRACE_MS, type LedgerRecord } from "../../ledger/ledger-record";
import type { PendingCreate } from "../../ledger/pending-create";
import { pick } from "../../define/values";

type ProvenObject = Pick<CreatedCandidate, "id" | "observed">;

/** What became of earlier creates of the same resource. */
export interface EarlierCreates {
  /** The object of the create that is proven, brought to what is declared now. */
  readonly made: SettledResource | undefined;
  /** Creates that stay sent: nothing was found of them, and their request may still be carried out. */
  readonly undecided: readonly PendingCreate[];
}

/** Longer than a process takes to end once its engine has ended. */
const ENDS_WITHIN_MS = 120_000;

/**
 * Decides about the pending creates that interrupted runs of this resource left as sent or answered
 * (`ledger/pending-create.ts`). The first whose object is found becomes proven, and this step continues it. Each other one is
 * forgotten, or stays sent while its request may still be carried out.
 */
export async function resumeInterrupted(creation: Creation): Promise<EarlierCreates> {
  const { runtime, ctx, claim } = creation;
  const undecided: PendingCreate[] = [];
  for (const pending of runtime.ledger.listPendingCreates(claim)) {
    await waitForOtherProcess(ctx, pending);
    const { record } = pending;
    // The other process has recorded or forgotten it meanwhile.
    if (record === undefined) continue;
    const found = await findOutcome(creation, record);
    if (found !== undefined) {
      const resumed = recordProof(creation, pending, record, found);
      const { id } = found;
      const finish = (): Promise<SettledResource> => finishProven(resumed, record, found);
      return { made: await warnOfDuplicates(resumed, { ...record, id }, finish), undecided };
    }
    if (record.id === undefined && inFlightTimeLeftMs(runtime, record) > 0) undecided.push(pending);
    else pending.forget();
  }
  await refuseOtherAccounts(creation);
  return { made: undefined, undecided };
}

/** Sent or answered → proven. Returns the step that continues it. */
function recordProof(
  creation: Creation,
  pending: PendingCreate,
  record: LedgerRecord,
  { id, observed }: ProvenObject,
): Creation {
  const { runtime, ctx, resource, claim } = creation;
  const identifying = pickIdentifyingOutputs(resource, observed.outputs, runtime.redact);
  pending.recordProof(id, { ...record.outputs, ...identifying });
  for (const other of runtime.ledger.listPendingCreates(claim)) {
    // It may have made only the object that is known by now.
    if (other.record?.id === undefined && isIdempotentReplay(resource, record.sent, other.record))
      other.forget();
  }
  ctx.progress(`resuming ${id}, which an interrupted run created`);
  return adjustCreation(creation, {
    ledger: {
      otherOwners: listOtherSharers(runtime, claim).map(({ shared }) => shared),
      kept: record.outputs ?? {},
      keep: (of, outputs) => pending.recordOutputs(of, outputs),
    },
    onWrite: trackRequests(creation, (all) => pending.recordRequests(all), record.requests).onWrite,
  });
}

/** Brings the proven object to what is declared now. What only a replacement can change is left to the engine. */
async function finishProven(
  { ctx, resource, inputs }: Creation,
  { sent }: LedgerRecord,
  { id, observed: seen }: ProvenObject,
): Promise<SettledResource> {
  const observed = addUnshownInputs(resource, sent, seen);
  const shown = (await resource.find?.(ctx, inputs))?.find((candidate) => candidate.id === id);
  const unshown = shown?.isDifferentObject === true ? listHiddenIdentity(resource, inputs) : [];
  const name = findContradiction(resource, inputs, observed) ?? unshown[0];
  if (name === undefined) return convergeExisting(ctx, resource, { id, inputs, observed });
  // The engine's next diff shows a replacement for an input that is not in the state.
  const declared = Object.fromEntries(Object.entries(inputs).filter(([each]) => !unshown.includes(each)));
  throw new InitializationError(
    id,
    composeState(resource, declared, observed),
    new Error(resourceProblems.declaredOtherwise.message({ type: resource.type, id, name })),
  );
}

/** Whether a request that is carried out late makes the same object as the one that is sent now. */
function isIdempotentReplay(resource: AnyResource, sent: Values, record: LedgerRecord | undefined): boolean {
  if (!isRepeatable(resource, sent)) return false;
  return record === undefined || findContradiction(resource, sent, { inputs: record.sent }) === undefined;
}

/** Declared secrets that only a replacement can change: the service shows at most that they differ. */
function listHiddenIdentity(resource: AnyResource, inputs: Values): string[] {
  return listMarkedFields(resource.inputs).flatMap(([name, , { secret, replaces }]) =>
    secret === true && replaces !== undefined && inputs[name] !== undefined ? [name] : [],
  );
}

/** Waits for another process that is creating this very resource: one whose engine was killed, or a second run of the stack. */
async function waitForOtherProcess(ctx: Context, pending: PendingCreate): Promise<void> {
  if (!pending.isRunning()) return;
  const pid = pending.record?.process.pid ?? 0;
  ctx.progress(`waiting for the process ${pid} of an interrupted run, which is still creating this`);
  const untilMs = Math.min(ctx.deadlineMs, ctx.clock.now() + ENDS_WITHIN_MS);
  while (pending.isRunning()) {
    if (ctx.clock.now() >= untilMs) {
      throw new Error(
        `Timed out waiting for the process ${pid} on this machine, which is creating this resource. Nothing was created. ` +
          "If it is another run of this stack, wait until it ends. If not, end the process. Then run again.",
      );
    }
    await ctx.clock.sleep(500, ctx.signal);
  }
}

/** The object that the create made; undefined where none is found. */
async function findOutcome(creation: Creation, record: LedgerRecord): Promise<ProvenObject | undefined> {
  try {
    const { id } = record;
    return id === undefined
      ? await findBySentInputs(creation, record)
      : await findUnderId(creation, record, id);
  } catch (error) {
    // The create was begun in another project, and that project is gone with everything in it.
    if (isNotFound(error) && isElsewhere(creation, record)) return undefined;
    throw error;
  }
}

/** The object of a known id. An id that the service has not answered with yet proves nothing by itself. */
async function findUnderId(
  creation: Creation,
  record: LedgerRecord,
  id: string,
): Promise<ProvenObject | undefined> {
  const observed =
    (await readSentObject(creation, record, id)) ?? (await readSentObjectAnew(creation, record, id));
  if (observed === undefined || record.isAnswered === true) return observed && { id, observed };
  const doubtful = await findDoubtfulSet(creation, toSentCreate(record), { id, observed });
  return doubtful === undefined
    ? { id, observed }
    : requireProven(creation.resource, [doubtful], record.beganAtMs);
}

/** Reads again without shared listings, as one that was read before may lack the object. */
function readSentObjectAnew(
  creation: Creation,
  record: LedgerRecord,
  id: string,
): ReturnType<typeof readSentObject> {
  creation.ctx.shared.forgetAll();
  return readSentObject(creation, record, id);
}

/** Looks for the object by what was sent, until the request can no longer make it. */
async function findBySentInputs(creation: Creation, record: LedgerRecord): Promise<ProvenObject | undefined> {
  const { runtime, ctx, resource, inputs } = creation;
  const isHarmless = isIdempotentReplay(resource, inputs, record);
  const givenUpAtMs = isHarmless ? 0 : ctx.clock.now() + IN_FLIGHT_GRACE_MS;
  for (let pauseMs = 1_000; ; pauseMs = Math.min(pauseMs * 2, 8_000)) {
    // Where a late request does no harm, one listing serves all creates that a killed bulk left.
    if (!isHarmless) ctx.shared.forgetAll();
    const found = requireProven(
      resource,
      await findCreated(creation, toSentCreate(record)),
      record.beganAtMs,
    );
    if (found !== undefined) return found;
    const leftMs = inFlightTimeLeftMs(runtime, record);
    const now = ctx.clock.now();
    if (leftMs <= 0 || now >= givenUpAtMs || now >= ctx.deadlineMs) return undefined;
    ctx.progress("looking for the object of an interrupted run, whose request may still be in progress");
    await ctx.clock.sleep(Math.min(pauseMs, leftMs), ctx.signal);
  }
}

/**
 * For how many milliseconds the last request may still be carried out, 0 where it was answered. By the service's own time where it
 * is known, as the clock of this machine may have been changed.
 */
function inFlightTimeLeftMs(runtime: Runtime, { requests, beganAtMs }: LedgerRecord): number {
  const last = requests.findLast(({ answeredAtMs }) => answeredAtMs === undefined);
  if (last === undefined) return 0;
  const now = runtime.client().serviceTimeMs();
  return last.sentAtMs === undefined || now === undefined
    ? beganAtMs + IN_FLIGHT_GRACE_MS - runtime.clock.now()
    : last.sentAtMs + IN_FLIGHT_GRACE_MS - now;
}

/** The access token may just have been renewed: an object that it sees and that was made for this resource must not be made twice. */
async function refuseOtherAccounts(creation: Creation): Promise<void> {
  const { runtime, resource, claim } = creation;
  for (const record of runtime.ledger.listCreatesOfOtherAccounts(claim)) {
    if (isElsewhere(creation, record)) continue;
    const id = await findVisibleId(creation, record).catch(() => undefined);
    if (id === undefined) continue;
    throw new InvalidInputError(
      "adoptId",
      `An interrupted run with another access token created the ${describeSent({ ...record, id })} for this resource. Nothing was created. ` +
        `To keep it, add \`adoptId: ${quoteText(id)}\` to the resource. If it belongs to someone else, rename this resource in the program and declare another name, or have them remove that ${resource.type} first.`,
    );
  }
}

/** Whether the create was begun in another project or organization than the declared one. */
function isElsewhere({ resource, inputs }: Creation, { sent }: LedgerRecord): boolean {
  return parentInputs(resource).some((name) => sent[name] !== inputs[name]);
}

/** The id of the object that another account's create made, where these credentials can see it. */
async function findVisibleId(creation: Creation, record: LedgerRecord): Promise<string | undefined> {
  const { id } = record;
  if (id === undefined)
    return (await findCreated(creation, toSentCreate(record))).find(({ doubt }) => doubt === undefined)?.id;
  return (await readSentObject(creation, record, id)) === undefined ? undefined : id;
}

/** Names that an interrupted create of the resource made up: its object has them. */
export function readInterruptedNames(
  { ledger }: Pick<Runtime, "ledger">,
  resource: AnyResource,
  values: Values,
): Values {
  const names = listMarkedFields(resource.inputs).flatMap(([name, , { autonamed }]) =>
    autonamed === undefined ? [] : [name],
  );
  if (names.length === 0) return {};
  try {
    const [pending] = ledger.listPendingCreates(createClaim(resource, values));
    return pick(pending?.record?.sent ?? {}, names);
  } catch (error) {
    // Without a complete configuration nothing was begun with it either.
    if (error instanceof InvalidInputError) return {};
    throw error;
  }
}
