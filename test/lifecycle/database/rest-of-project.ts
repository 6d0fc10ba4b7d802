import type { Scenario } from "../scenario";

/** As if nothing had been done to the project since it was made. */
export function restOfProject({ emulator }: Scenario, ref: string): void {
  emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project) project.activity = { kind: "rest", since: project.createdAt, outcome: "ACTIVE_HEALTHY" };
  });
}

/** Whether the project is or was restored since. */
export function restoresOf({ emulator }: Scenario, ref: string): unknown[] {
  return emulator.world.state.projects.get(ref)?.activity.kind === "restore" ? [{ restored: true }] : [];
}
