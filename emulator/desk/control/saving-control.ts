import type { StateStore } from "../../service/world/state-store";
import type { Control } from "./control";

/** What only reads: the page does so twice a second. */
const readers: ReadonlySet<string> = new Set<keyof Control>([
  "calls",
  "countCalls",
  "exchange",
  "pendingFaults",
  "overview",
  "projectContents",
  "snapshot",
  "exportWorld",
]);

/** The control, of which every act saves what it has changed before it returns. */
export function savingControl(control: Control, store: StateStore): Control {
  const save = (): void => {
    // An edit may change a record that was handed out long before.
    store.markAllDirty();
    store.save();
  };
  const members = Object.entries(control).map(([name, member]: [string, unknown]) => [
    name,
    typeof member === "function" && !readers.has(name)
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
