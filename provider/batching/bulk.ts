import DataLoader from "dataloader";
import { ApiError, CancelledError, isContentRefusal, TimeoutError } from "../client/errors/errors";
import type { Clock } from "../client/clock";
import type { BulkItem, Limits } from "../define/shared-calls";
import { Gathering, type Wave } from "./gathering";

const LARGEST_BULK = 1_000;

type Waiting = Pick<Clock, "now" | "sleep">;

/** An item on its way, and what of it concerns the bulk. */
interface Passenger extends BulkItem<unknown> {
  /** The limits of the bulk that it has left in. */
  departure?: Limits;
  hasGivenUp: boolean;
  /** Told when it gives up after it has left. */
  onGivingUp: () => void;
}

/** Items that arrive in short succession, or while one bulk is under way, leave together. */
export interface Bulk {
  /** `wasGathered`: it has waited before for others like it. */
  add(item: BulkItem<unknown>, wasGathered: boolean): Promise<void>;
}

export function createBulk(clock: Waiting, wave: Wave): Bulk {
  let underWay: Promise<unknown> = Promise.resolve();
  const gathering = new Gathering(clock, wave);
  const gather = async (): Promise<void> => {
    await underWay;
    await gathering.untilQuiet();
  };
  const loader = new DataLoader<Passenger, true>(
    async (passengers) => {
      const sending = sendTogether(passengers);
      underWay = sending.catch(() => undefined);
      return sending;
    },
    {
      cache: false,
      maxBatchSize: LARGEST_BULK,
      batchScheduleFn: (dispatch) => void gather().then(dispatch, dispatch),
    },
  );
  return {
    add: async (item, wasGathered) => {
      gathering.arrive({ wasGathered });
      const passenger: Passenger = { ...item, hasGivenUp: false, onGivingUp: () => undefined };
      await withinItsLimits(passenger, loader.load(passenger), clock);
    },
  };
}

/** The answer to the bulk, unless the item's own time is over before; a cancelled write that has left is awaited. */
async function withinItsLimits(
  passenger: Passenger,
  arrival: Promise<unknown>,
  clock: Waiting,
): Promise<void> {
  const { limits } = passenger;
  const waiting = new AbortController();
  const giveUp = (): void => {
    passenger.hasGivenUp = true;
    passenger.onGivingUp();
  };
  const outOfTime = async (): Promise<unknown> => {
    await clock.sleep(limits.deadlineMs - clock.now(), waiting.signal);
    const { departure } = passenger;
    // The bulk ends now as well, and knows better why.
    if (departure?.deadlineMs === limits.deadlineMs) return arrival;
    giveUp();
    const why =
      departure === undefined ? "other bulks were under way" : "the bulk it left in has no answer yet";
    throw new TimeoutError(
      `It was not done by its deadline: ${why}. The next run looks up what became of it; raise \`timeouts\` if it needs longer.`,
      departure !== undefined,
    );
  };
  const cancelled = Promise.withResolvers<never>();
  const onAbort = (): void => {
    giveUp();
    if (passenger.departure === undefined)
      cancelled.reject(new CancelledError("It was cancelled before it was sent."));
  };
  if (limits.signal.aborted) onAbort();
  else limits.signal.addEventListener("abort", onAbort, { once: true });
  const ends = [arrival, cancelled.promise, ...(Number.isFinite(limits.deadlineMs) ? [outOfTime()] : [])];
  // Whichever comes later is nobody's any more.
  for (const end of ends) end.catch(() => undefined);
  try {
    await Promise.race(ends);
  } finally {
    limits.signal.removeEventListener("abort", onAbort);
    waiting.abort(new CancelledError("It has arrived."));
  }
}

/** Sends what has not given up; when the service refuses it for its content, halves it until the bad ones stand alone. */
async function sendTogether(passengers: readonly Passenger[]): Promise<(true | Error)[]> {
  const present = passengers.filter(({ hasGivenUp }) => !hasGivenUp);
  const [patient] = [...present].sort((a, b) => b.limits.deadlineMs - a.limits.deadlineMs);
  if (patient === undefined) return passengers.map(() => true);
  const items = present.map(({ item }) => item);
  try {
    await patient.send(items, sharedLimits(present, patient.limits.deadlineMs));
    return passengers.map(() => true);
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    // Of what is too large together, a half may not be.
    const isContentRefused = isContentRefusal(error) || (error instanceof ApiError && error.status === 413);
    if (!isContentRefused || passengers.length === 1) return passengers.map(() => failure);
    const middle = Math.ceil(passengers.length / 2);
    const first = await sendTogether(passengers.slice(0, middle));
    return [...first, ...(await sendTogether(passengers.slice(middle)))];
  }
}

/** The bulk has as long as the most patient of its items, and is cancelled when none wants it any more. */
function sharedLimits(passengers: readonly Passenger[], deadlineMs: number): Limits {
  const unwanted = new AbortController();
  const onWrite = (): (() => void) => {
    const answered = passengers.map(({ limits: own }) => own.onWrite?.());
    return () => answered.forEach((tell) => tell?.());
  };
  const sendsOnce = passengers.some(({ limits: own }) => own.sendsOnce === true);
  const limits: Limits = { deadlineMs, signal: unwanted.signal, onWrite, sendsOnce };
  for (const passenger of passengers) {
    passenger.departure = limits;
    passenger.onGivingUp = () => {
      if (passengers.every(({ hasGivenUp }) => hasGivenUp)) {
        unwanted.abort(new CancelledError("Nobody waits for the bulk any more.", true));
      }
    };
  }
  return limits;
}
