import type { Scenario } from "./scenario";

/** Gives a project the compute size that add-ons and read replicas take. */
export function giveLargerCompute({ emulator }: Scenario, ref: string): void {
  emulator.control.edit(({ projects }) => {
    projects.get(ref)?.addons.set("compute_instance", "ci_xlarge");
  });
}
