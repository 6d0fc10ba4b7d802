import type { Scenario } from "./scenario";

/** The ref of a new branch of the project, after it has settled. */
export function createBranchRef(scenario: Scenario, parentRef: string): string {
  scenario.emulator.control.call("createBranch", { ref: parentRef, body: { branch_name: "main" } });
  const branch = scenario.emulator.control.call("createBranch", {
    ref: parentRef,
    body: { branch_name: "preview" },
  });
  scenario.clock.advance(30 * 60_000);
  return branch.project_ref;
}
