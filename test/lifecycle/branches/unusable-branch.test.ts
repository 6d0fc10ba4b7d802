import { resourceByType } from "../../../provider/catalog/catalog";
import { messagesOf, startMachine } from "../../kit/machine";
import type { Declared } from "../../kit/model-engine";
import { startScenario } from "../../kit/scenario";

it("a branch whose own run failed is made anew as the message says, with what belongs on it", async () => {
  const { scenario, machine, projectRef } = await startMachine();
  const { control } = scenario.emulator;
  const branch: Declared = {
    name: "branch",
    type: "Branch",
    inputs: () => ({ projectRef, name: "preview" }),
  };
  const secret: Declared = {
    ...{ name: "secret", type: "Secret" },
    inputs: (outputs) => ({ projectRef: outputs("branch")["ref"], name: "GREETING", value: "hello-world" }),
  };
  const program = [branch, secret];
  try {
    control.edit(({ projects }) => {
      const parent = projects.get(projectRef);
      if (parent !== undefined) parent.next.branchFailure = { step: "configure", log: "boom" };
    });
    const [message] = messagesOf(await machine.up(program));
    expect(message).toMatch(/The branch preview \(\w+\) is not usable: the step "configure" failed\./);
    expect(message).toContain("delete the branch in the service's console and run `pulumi up --refresh`");
    // As it is, another run finds the failed one.
    expect(messagesOf(await machine.up(program))).toHaveLength(1);
    const failed = machine.engine.get("branch")?.id ?? "";
    control.call("deleteBranch", { branch_id_or_ref: failed });
    expect(messagesOf(await machine.refresh())).toEqual([]);
    expect(messagesOf(await machine.up(program))).toEqual([]);
    const ref = String(machine.engine.get("branch")?.state["ref"]);
    expect(ref).not.toBe(failed);
    expect(control.call("listSecrets", { ref }).map(({ name }) => name)).toContain("GREETING");
  } finally {
    await machine.close();
  }
});

it("a branch that was used before is to be neither reset nor deleted", async () => {
  const scenario = await startScenario();
  try {
    const projectRef = scenario.healthyProject();
    const branches = scenario.manage(resourceByType("Branch"));
    const declared = { projectRef, name: "staging", persistent: true };
    const branch = await branches.create(declared);
    scenario.clock.advance(24 * 60 * 60_000);
    scenario.nextRun();
    const body = scenario.emulator.control
      .call("listBranches", { ref: projectRef })
      .map((one) => (one.project_ref === branch.id ? { ...one, status: "MIGRATIONS_FAILED" } : one));
    scenario.emulator.control.addFault({ operation: "listBranches", status: 200, body, times: 1_000 });
    const update = branches.update(branch, { ...declared, notifyUrl: "https://example.com/x" });
    const message = await update.then(() => "", String);
    expect(message).toContain("is not usable");
    expect(message).not.toMatch(/delete|reset/);
  } finally {
    await scenario.close();
  }
});
