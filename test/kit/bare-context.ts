import { createSharedCalls } from "../../provider/batching/shared-calls";
import type { Context, ObjectLedger } from "../../provider/define/context";
import { EMPTY_PROGRAM } from "../../provider/ledger/program-view";
import { UNKNOWN_URN } from "../../provider/ledger/owner";
import { VirtualClock } from "../../tools/virtual-clock";

/** A context of handlers that talk to no API. */
export function bareContext(keep: ObjectLedger["keep"] = () => undefined): Context {
  const clock = new VirtualClock();
  const ctx: Context = {
    shared: createSharedCalls(clock),
    hasEmptyAnswer: () => false,
    clock,
    deadlineMs: clock.now() + 60_000,
    signal: new AbortController().signal,
    progress: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    ledger: {
      keep,
      kept: {},
      isAdopted: false,
      requireOwnService: () => undefined,
      otherOwners: [],
    },
    program: EMPTY_PROGRAM,
    urn: UNKNOWN_URN,
    findUrn: () => UNKNOWN_URN,
    failures: new Map(),
    inTurn: (queue, work) => ctx.shared.exclusively(queue, work),
    listInTurn: (queue, key, load) => ctx.shared.listInTurn(queue, key, load, () => undefined),
    within: () => ctx,
    once: () => ({ ctx, isMadeMeanwhile: () => undefined }),
    // The handlers here talk to no API.
    api: { ofEveryProject: (_ref, read) => read() } as Context["api"],
  };
  return ctx;
}
