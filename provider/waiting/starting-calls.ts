import type { ConditionalCall, Step } from "../define/conditional-call";

export const REFUSED = "when a starting project refuses a write";
export const REALTIME_LAST = "when realtime is the only unhealthy service";
export const BRANCH_REFUSED = "when a starting branch refuses a write";

/** A write that a project refuses, as it is starting or paused, looks at its state and waits for its health. */
export function startingCalls(...steps: readonly Step[]): readonly ConditionalCall[] {
  return [
    ["getProject", steps, REFUSED],
    ["getBranchConfig", steps, BRANCH_REFUSED],
    ["getHealth", steps, REFUSED],
  ];
}
