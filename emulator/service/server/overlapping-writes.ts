import { setImmediate } from "node:timers/promises";
import type { OperationName } from "../../../spec/table";
import { isAsMeasured } from "../world/state";
import type { World } from "../world/world";
import type { ApiRequest } from "./request";

const WRITES: readonly OperationName[] = ["createFunction", "deployFunction", "deleteFunction"];

/** Turns of the event loop before an answer: requests that are sent side by side arrive within them. */
const TURNS = 20;

/** Deploys and deletes of functions that are not answered yet. The service loses those that overlap (service, Edge functions). */
export class OverlappingWrites {
  readonly #unanswered = new Map<string, number>();

  /** To be called when a request arrives: whether it will be lost, and what to wait for before its answer is sent. */
  begin(world: World, { target, params }: ApiRequest): { isLost: boolean; end: () => Promise<void> } {
    const { ref } = params;
    const isCounted = target !== undefined && WRITES.includes(target.name) && isAsMeasured(world.state);
    if (!isCounted || ref === undefined) return { isLost: false, end: () => Promise.resolve() };
    const others = this.#unanswered.get(ref) ?? 0;
    this.#unanswered.set(ref, others + 1);
    const end = async (): Promise<void> => {
      for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
      const left = (this.#unanswered.get(ref) ?? 1) - 1;
      if (left > 0) this.#unanswered.set(ref, left);
      else this.#unanswered.delete(ref);
    };
    return { isLost: others > 0, end };
  }
}
