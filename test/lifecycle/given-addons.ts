import type { Scenario } from "./scenario";

/** Gives a project the compute size that add-ons and read replicas take. */
export function giveLargerCompute({ emulator }: Scenario, ref: string): void {
  emulator.control.edit(({ projects }) => {
    projects.get(ref)?.addons.set("compute_instance", "ci_xlarge");
  });
}

/** Gives a project the add-on that a custom hostname takes, also while the service is at work on another add-on of it. */
export function giveDomainAddon({ emulator }: Scenario, ref: string): void {
  emulator.control.edit(({ projects }) => {
    projects.get(ref)?.addons.set("custom_domain", "cd_default");
  });
}
