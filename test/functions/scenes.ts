import type { Scenario } from "../kit/scenario";

/** A project as the emulator keeps it. */
export function recordOf({ emulator }: Scenario, ref: string) {
  const found = emulator.world.state.projects.get(ref);
  if (found === undefined) throw new Error("There is no such project");
  return found;
}

interface Branch {
  readonly id: string;
  readonly ref: string;
}

/** A branch that is ready. */
export function makeBranch(
  { emulator, clock }: Scenario,
  ref: string,
  name: string,
  more: object = {},
): Branch {
  const branch = emulator.control.call("createBranch", { ref, body: { branch_name: name, ...more } });
  clock.advance(10 * 60_000);
  return { id: branch.id, ref: branch.project_ref };
}
