import { randomInt, randomUUID } from "node:crypto";
import { RunningStatements } from "./running-statements";
import type { WorldState } from "./state";
import type { World } from "./world";

/** The emulated service, with what only control may do to it. */
export interface OwnedWorld {
  readonly world: World;
  /** All references given out so far. */
  readonly usedRefs: ReadonlySet<string>;
  setPace(pace: number): void;
  /** Throws the state and the databases away for fresh ones; references given out before stay used. */
  resetState(): void;
}

export interface WorldParts extends Pick<World, "clock" | "calls" | "databases" | "addresses" | "issued"> {
  readonly pace: number;
  readonly newState: () => WorldState;
}

export function createWorld(
  { clock, pace, newState, calls, databases, addresses, issued }: WorldParts,
  before?: { readonly state: WorldState; readonly usedRefs: ReadonlySet<string> },
): OwnedWorld {
  const usedRefs = new Set(before?.usedRefs);
  let state = before?.state ?? newState();
  let currentPace = checkedPace(pace);
  return {
    world: {
      get state() {
        return state;
      },
      get pace() {
        return currentPace;
      },
      clock,
      calls,
      databases,
      statements: new RunningStatements(clock),
      addresses,
      issued,
      newId: () => randomUUID(),
      newRef() {
        let ref = randomRef();
        while (usedRefs.has(ref)) ref = randomRef();
        usedRefs.add(ref);
        return ref;
      },
    },
    usedRefs,
    setPace(next) {
      currentPace = checkedPace(next);
    },
    resetState() {
      state = newState();
      databases.dropAll();
    },
  };
}

function checkedPace(pace: number): number {
  if (!Number.isFinite(pace) || pace < 0) throw new RangeError(`A pace is a number from 0 up: got ${pace}`);
  return pace;
}

function randomRef(): string {
  return Array.from({ length: 20 }, () => String.fromCharCode(97 + randomInt(26))).join("");
}
