import type { Keeper } from "../persistence/state-store";
import type { Control } from "./control";

/** What only looks: the page does so twice a second. */
const looks: ReadonlySet<string> = new Set<keyof Control>([
  "calls",
  "countCalls",
  "pendingFaults",
  "overview",
  "snapshot",
]);

/** The control, of which every act saves what it has changed before it returns. */
export function savingControl(control: Control, keeper: Keeper): Control {
  const save = (): void => {
    // Who edits may have held a record for long.
    keeper.suspectAll();
    keeper.save();
  };
  const members = Object.entries(control).map(([name, member]: [string, unknown]) => [
    name,
    typeof member === "function" && !looks.has(name)
      ? saving(member as (...parameters: unknown[]) => unknown, save)
      : member,
  ]);
  // The same members under the same names, called alike.
  return Object.fromEntries(members) as Control;
}

function saving(
  act: (...parameters: unknown[]) => unknown,
  save: () => void,
): (...parameters: unknown[]) => unknown {
  return (...parameters) => {
    let answer: unknown;
    try {
      answer = act(...parameters);
    } finally {
      // Also when it failed half-way.
      save();
    }
    return answer instanceof Promise ? answer.finally(save) : answer;
  };
}
