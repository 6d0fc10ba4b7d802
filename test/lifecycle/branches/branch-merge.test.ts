import { branchMerge } from "../../../provider/actions/branches/branch-merge";
import { InitializationError } from "../../../provider/lifecycle/initialization-error";
import type { Values } from "../../../provider/lifecycle/state";
import { createBranchRef } from "../database/branch-ref";
import { startScenario, type Managed, type Scenario } from "../scenario";

let scenario: Scenario;
let merges: Managed;
let projectRef: string;
let branchRef: string;

beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
  branchRef = createBranchRef(scenario, projectRef);
  merges = scenario.manage(branchMerge);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef, branchRef, ...more });
const migrate = (name: string): Promise<unknown> => {
  scenario.clock.advance(1_000);
  const body = { query: `create table ${name} (id int)`, name };
  return scenario.emulator.control.call("applyMigration", { ref: branchRef, body });
};
const historyOf = async (ref: string) => scenario.emulator.control.call("listMigrations", { ref });
const runs = () =>
  [...scenario.emulator.world.state.branches.values()]
    .flatMap((branch) => branch.runs)
    .filter(({ kind }) => kind === "merge");

it("goes through its life", async () => {
  await migrate("a");
  const made = await merges.create(declared());
  expect(runs().map(({ id }) => id)).toEqual([made.id]);
  const began = new Date(runs()[0]?.since ?? 0).toISOString();
  expect(made.state).toMatchObject({ runId: made.id, ranAt: began });
  expect(await historyOf(projectRef)).toHaveLength(1);
  expect(scenario.progress.join("\n")).toContain(`waiting for the action run ${made.id}: clone is RUNNING`);

  scenario.nextRun();
  expect((await merges.read(made))?.state).toEqual(made.state);
  expect(merges.diff(made.state, declared()).changes).toBe(false);
  expect(merges.diff(made.state, declared({ triggers: ["1.4.1"] }))).toMatchObject({
    replaces: ["triggers"],
    deleteBeforeReplace: false,
  });
  scenario.emulator.control.clearCalls();
  await merges.delete(made);
  await merges.delete(made);
  expect(scenario.calls()).toBe(0);
});

it("merges up to a version", async () => {
  await migrate("a");
  await migrate("b");
  const [first] = await historyOf(branchRef);
  const upTo = { migrationVersion: first?.version };
  const made = await merges.create(declared(upTo));
  expect(await historyOf(projectRef)).toEqual([first]);
  expect(merges.diff(made.state, declared({ migrationVersion: "2" })).replaces).toEqual(["migrationVersion"]);
});

it("is begun once where the answer got lost", async () => {
  scenario.emulator.control.addFault({ operation: "mergeBranch", drop: "after" });
  const made = await merges.create(declared());
  expect(runs().map(({ id }) => id)).toEqual([made.id]);
  expect(scenario.calls("mergeBranch")).toBe(1);
});

describe("a run that fails", () => {
  beforeEach(() => {
    scenario.emulator.control.edit(({ projects, branches }) => {
      const branch = [...branches.values()].find((one) => one.projectRef === branchRef);
      const project = projects.get(projectRef);
      const dbPass = projects.get(branch?.projectRef ?? "")?.dbPass ?? "";
      if (project) project.next.branchFailure = { step: "migrate", log: `pass ${dbPass}\nno table a` };
    });
  });

  it("is an error with the end of its log, without a secret, and is not begun again by itself", async () => {
    const failure: unknown = await merges.create(declared()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InitializationError);
    expect(String(failure)).toContain(
      'failed in its step "migrate". Correct the cause, then change `triggers`',
    );
    expect(String(failure)).toContain("no table a");
    expect(String(failure)).toContain("pass [secret]");
    const { id, state } = failure as InitializationError;
    scenario.nextRun();
    await expect(merges.update({ id, state }, declared())).rejects.toThrow(`The action run ${id}`);
    expect(runs()).toHaveLength(1);

    expect(merges.diff(state, declared({ triggers: [2] })).replaces).toEqual(["triggers"]);
    scenario.nextRun();
    await merges.create(declared({ triggers: [2] }));
    expect(runs()).toHaveLength(2);
  });
});

it("says what the service refuses, and begins nothing", async () => {
  scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: branchRef, force: false });
  await expect(merges.create(declared())).rejects.toThrow("scheduled for deletion");
  expect(runs()).toEqual([]);
});

it("is gone with its branch", async () => {
  const made = await merges.create(declared());
  scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: branchRef });
  scenario.nextRun();
  expect(await merges.read(made)).toBeUndefined();
});
