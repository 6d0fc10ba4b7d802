import type { SharedCalls } from "../../define/shared-calls";
import type { SentRequest } from "../../ledger/ledger-record";
import { findableProblems } from "../step/problems";
import { StepDeadline } from "../step/runtime";
import { adjustCreation, type Creation } from "./creation";
import { formatCandidates } from "./existing";
import { findCreated, type CreatedCandidate } from "./find-created";
import { pickIdentifyingInputs } from "./fingerprint";

/** What a create made, by which requests, and what was there before. */
interface MadeObject {
  readonly id: string;
  readonly knownIds: readonly string[];
  readonly requests: readonly SentRequest[];
}

/** How long a look may take, after whatever the create has left of its own time. */
const LOOK_MS = 60_000;

/**
 * Runs the rest of a create whose object is known, then warns of a second object, where the service makes one of a request that
 * arrives twice. The second one is neither taken into the state nor deleted, as nothing tells it from somebody else's.
 */
export async function warnOfDuplicates<T>(
  creation: Creation,
  made: MadeObject,
  finish: () => Promise<T>,
): Promise<T> {
  const { resource, inputs, runtime } = creation;
  if (resource.createsDuplicates?.(inputs) !== true) return finish();
  // Any listing that begins after the answer will do.
  const shared = runtime.shared.fromNow();
  try {
    return await finish();
  } finally {
    // The object is made, whatever this look ends with.
    const found = await findDuplicates(creation, made, shared).catch(() => []);
    if (found.length > 0) {
      const { type } = resource;
      const candidates = formatCandidates(found);
      creation.ctx.warn(findableProblems.madeTwice.message({ type, id: made.id, candidates }));
    }
  }
}

/** New objects of the same identity that no other resource has and that were not made before the first request was sent. */
async function findDuplicates(
  creation: Creation,
  { id, knownIds, requests }: MadeObject,
  shared: SharedCalls,
): Promise<CreatedCandidate[]> {
  const { resource, inputs, runtime } = creation;
  const deadline = new StepDeadline(runtime.clock.now() + LOOK_MS);
  const found = await findCreated(adjustCreation(creation, { shared, deadline }), {
    sent: pickIdentifyingInputs(resource, inputs, runtime.redact),
    withheld: [],
    knownIds: [...knownIds, id],
    // A gateway may send it again after it has passed on the answer.
    requests: requests.map(({ sentAtMs }) => ({ sentAtMs })),
    openMs: Infinity,
    countsWithoutTime: true,
  });
  return found.filter(({ doubt }) => doubt === undefined);
}
