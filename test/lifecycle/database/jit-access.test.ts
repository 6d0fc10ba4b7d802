import { importResource } from "../../../provider/engine/import";
import { listResources } from "../../../provider/engine/list";
import type { Values } from "../../../provider/define/values";
import { jitAccess } from "../../../provider/resources/database/jit-access/jit-access";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { createBranchRef } from "../../kit/branch-ref";

let scenario: Scenario;
let access: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  scenario.emulator.control.set("jitAccessShowsState", true);
  ref = scenario.healthyProject();
  access = scenario.manage(jitAccess);
});
afterEach(() => scenario.close());

type State = "enabled" | "disabled" | "unavailable";

const declared = (state: State, more: Values = {}): Values => ({ projectRef: ref, state, ...more });
const onService = (of = ref) => scenario.emulator.world.state.projects.get(of)?.jit.state;
const editOutside = (state: State): void => scenario.emulator.control.set(`projects.${ref}.jit.state`, state);
/** The documented answers, which have no state. */
const showNoState = (): void => {
  scenario.emulator.control.set("jitAccessShowsState", false);
  scenario.emulator.control.set("newer", false);
};

it("shows a state that nobody can declare, and restores what it found without a warning", async () => {
  const made = await access.create(declared("enabled"));
  expect(onService()).toBe("enabled");
  expect(made.state).toMatchObject({
    state: "enabled",
    __found: { values: { state: "disabled" }, unset: [] },
  });

  editOutside("unavailable");
  scenario.nextRun();
  const drifted = await access.read(made);
  expect(drifted?.inputs).toMatchObject({ state: "unavailable" });
  const repaired = await access.update({ id: ref, state: drifted?.state ?? {} }, declared("enabled"));
  expect(onService()).toBe("enabled");

  await access.delete(repaired);
  expect(onService()).toBe("disabled");
  expect(scenario.warnings).toEqual([]);
});

it("leaves enabled what was enabled before", async () => {
  editOutside("enabled");
  const made = await access.create(declared("disabled"));
  expect(onService()).toBe("disabled");
  await access.delete(made);
  expect(onService()).toBe("enabled");
});

it("writes nothing where the service has the declared state", async () => {
  await access.create(declared("disabled"));
  expect(scenario.calls("updateJitAccess")).toBe(0);
});

it("is imported with the state that is there", async () => {
  editOutside("enabled");
  const imported = await importResource(scenario.runtime, jitAccess, ref, true);
  expect(imported?.inputs).toEqual(declared("enabled"));
});

it("is not imported where the service does not show its state", async () => {
  showNoState();
  await expect(importResource(scenario.runtime, jitAccess, ref, true)).rejects.toThrow(
    "A JitAccess cannot be imported: the service does not return its `state`. Declare the resource and run `pulumi up`. Remove its entry from the import file, because it stops the others.",
  );
});

it("is left out of the listing of what can be imported where the service does not show its state", async () => {
  const list = () => listResources(scenario.runtime, jitAccess, { projectRef: ref });
  expect(await list()).toEqual([{ id: ref, name: ref }]);
  showNoState();
  scenario.nextRun();
  expect(await list()).toEqual([]);
});

it("is a branch's own by the branch's reference", async () => {
  const branchRef = createBranchRef(scenario, ref);
  const made = await access.create({ projectRef: branchRef, state: "enabled" });
  expect([onService(branchRef), onService()]).toEqual(["enabled", "disabled"]);
  await access.delete(made);
  expect(onService(branchRef)).toBe("disabled");
});

it("sends the state along with a setting of a later version, which the API requires", async () => {
  const made = await access.create(declared("enabled"));
  scenario.emulator.control.clearCalls();
  await access.update(made, declared("enabled", { extraSettings: { reason: "audit" } }));
  expect(scenario.calls("updateJitAccess")).toBe(1);
  expect(onService()).toBe("enabled");
});

it.each([
  ["unavailable", {}],
  ["unavailable (postgres_upgrade_required)", { unavailableReason: "postgres_upgrade_required" }],
])("fails where the service answers that it is %s", async (says, more) => {
  scenario.emulator.control.addFault({
    operation: "updateJitAccess",
    status: 200,
    body: { state: "unavailable", ...more },
  });
  await expect(access.create(declared("enabled"))).rejects.toThrow(
    `just-in-time access of the project ${ref} was set to enabled, but the service returns ${says}. If the state is`,
  );
});

it("changes nothing where an answer says neither the state nor whose roles it shows", async () => {
  scenario.emulator.control.addFault({ operation: "getJitAccess", status: 200, body: {}, times: 100 });
  await expect(access.create(declared("enabled"))).rejects.toThrow(
    `getJitAccess failed: the answer has no state of just-in-time access for ${ref}. Run again.`,
  );
  expect(onService()).toBe("disabled");
});

it("refuses a state that the API does not take", () => {
  expect(access.failures({ projectRef: ref, state: "on" })[0]).toMatch(/^state: /);
  expect(access.failures({ projectRef: ref })[0]).toMatch(/^state: /);
});

// service, Just-in-time access: the documented answer has the caller's roles and no state.
describe("a service that does not show the state", () => {
  beforeEach(showNoState);

  it("is set, is no difference afterwards, and is set again where the program changes", async () => {
    const made = await access.create(declared("enabled"));
    expect(onService()).toBe("enabled");
    expect(made.state).toMatchObject({ state: "enabled" });
    scenario.nextRun();
    const read = await access.read(made);
    expect(read?.inputs).toEqual(declared("enabled"));
    expect(access.diff(read?.state ?? {}, declared("enabled")).changes).toBe(false);
    const updated = await access.update({ id: ref, state: read?.state ?? {} }, declared("disabled"));
    expect(onService()).toBe("disabled");
    expect(updated.state).toMatchObject({ state: "disabled" });
  });

  it("is left as it is by a delete, with a warning, since nothing says what was there before", async () => {
    const made = await access.create(declared("enabled"));
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    await access.delete(made);
    expect(onService()).toBe("enabled");
    expect(scenario.calls("updateJitAccess")).toBe(0);
    expect(scenario.warnings.join("\n")).toContain(
      `the service does not return \`state\` of the JitAccess ${ref}, so the value from before`,
    );
  });

  it("is restored all the same where it was shown once", async () => {
    scenario.emulator.control.set("jitAccessShowsState", true);
    const made = await access.create(declared("enabled"));
    showNoState();
    scenario.nextRun();
    await access.delete(made);
    expect(onService()).toBe("disabled");
    expect(scenario.warnings).toEqual([]);
  });

  it("shows the state as it is once it is upgraded", async () => {
    const made = await access.create(declared("enabled"));
    scenario.emulator.control.set("jitAccessShowsState", true);
    editOutside("disabled");
    scenario.nextRun();
    const read = await access.read(made);
    expect([...access.diff(read?.state ?? {}, declared("enabled")).changed]).toEqual(["state"]);
  });
});

it("takes a state that the service does not show for no ignored setting", async () => {
  showNoState();
  await access.create(declared("enabled"));
  expect(onService()).toBe("enabled");
  expect(scenario.warnings).toEqual([]);
});
