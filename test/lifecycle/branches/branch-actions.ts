import type { RunKind } from "../../../emulator/rules/records/branch";
import type { Sample } from "../sample";
import type { Scenario } from "../scenario";

/** A project's branch that the sample acts on, by the project's ref: it has to be there before. */
const branchRefs = new Map<string, string>();

function addBranch({ emulator: { control }, clock }: Scenario, ref: string): void {
  const { project_ref: branchRef } = control.call("createBranch", { ref, body: { branch_name: "acted-on" } });
  branchRefs.set(ref, branchRef);
  clock.advance(10 * 60_000);
}

/** What samples of actions on a branch have in common. */
export function onBranch(
  kind: RunKind,
): Pick<
  Sample,
  "needsProject" | "replacedBy" | "needsOwnProject" | "prepare" | "onService" | "isChanged" | "cleanUp"
> & { readonly refs: (projectRef: string) => { projectRef: string; branchRef: string } } {
  return {
    needsProject: true,
    replacedBy: [],
    needsOwnProject: true,
    prepare: addBranch,
    refs: (projectRef) => ({ projectRef, branchRef: branchRefs.get(projectRef) ?? "z".repeat(20) }),
    // How often, the state of the service tells.
    onService: ({ emulator }, ref) => {
      const { branches } = emulator.world.state;
      const runs = [...branches.values()]
        .filter(({ parentRef }) => parentRef === ref)
        .flatMap((one) => one.runs);
      return runs.some((run) => run.kind === kind) ? [{ ran: kind }] : [];
    },
    isChanged: () => true,
    cleanUp: ({ emulator }, ref) =>
      emulator.control.edit(({ branches }) => {
        for (const branch of branches.values()) {
          if (branch.parentRef === ref) branch.runs = branch.runs.filter((run) => run.kind !== kind);
        }
      }),
  };
}
