import { createSharedCalls } from "../../provider/batching/shared-calls";
import type { Context } from "../../provider/define/context";
import { NOTHING_TO_HAND_OVER } from "../../provider/ledger/hand-over";
import { VirtualClock } from "../../tools/virtual-clock";

/** A context of handlers that talk to no API. */
export function bareContext(keep: Context["keep"] = () => undefined): Context {
  const clock = new VirtualClock();
  const ctx: Context = {
    shared: createSharedCalls(clock),
    clock,
    deadlineMs: clock.now() + 60_000,
    signal: new AbortController().signal,
    progress: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    keep,
    kept: {},
    isAdopted: false,
    requireOwnService: () => undefined,
    successor: undefined,
    others: [],
    declaredElsewhere: () => new Set(),
    handOver: NOTHING_TO_HAND_OVER,
    inTurn: (queue, work) => ctx.shared.exclusively(queue, work),
    listInTurn: (queue, key, load) => ctx.shared.listInTurn(queue, key, load, () => undefined),
    within: () => ctx,
    once: () => ({ ctx, isMadeMeanwhile: () => undefined }),
    // The handlers here talk to no API.
    api: { ofEveryProject: (_ref, read) => read() } as Context["api"],
  };
  return ctx;
}
