import { branchMerge } from "../../../provider/actions/branches/branch-merge";
import { branchPush } from "../../../provider/actions/branches/branch-push";
import { branchReset } from "../../../provider/actions/branches/branch-reset";
import { createBranchRef } from "../../kit/branch-ref";
import { withJson, type Disturbance } from "../../kit/answer-proxy";
import { startScenario, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let projectRef: string;
let branchRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
  branchRef = createBranchRef(scenario, projectRef);
});
afterEach(() => scenario.close());

const merge = (ref = branchRef) => scenario.manage(branchMerge).create({ projectRef, branchRef: ref });
const push = () => scenario.manage(branchPush).create({ projectRef, branchRef });
const reset = () => scenario.manage(branchReset).create({ projectRef, branchRef, confirm: branchRef });
const begunIds = () =>
  [...scenario.emulator.world.state.branches.values()]
    .flatMap((branch) => branch.runs)
    .flatMap(({ id, kind }) => (kind === "merge" || kind === "push" || kind === "reset" ? [id] : []));
const addBranch = (name: string): string => {
  const body = { branch_name: name };
  const made = scenario.emulator.control.call("createBranch", { ref: projectRef, body });
  scenario.clock.advance(30 * 60_000);
  return made.project_ref;
};

it.each([
  ["a push beside a merge", () => [merge(), push()]],
  ["a merge beside a push", () => [push(), merge()]],
  ["two pushes", () => [push(), push()]],
  ["two merges", () => [merge(), merge()]],
  ["a reset between two pushes", () => [push(), reset(), push()]],
])("%s of one branch wait for each other's run", async (_what, begin) => {
  const made = await Promise.all(begin());
  const begun = new Set(made.map(({ id }) => id));
  expect(begun.size).toBe(made.length);
  expect(new Set(begunIds())).toEqual(begun);
  // None was tried while another one was under way.
  const operations = ["mergeBranch", "pushBranch", "resetBranch"] as const;
  expect(operations.reduce((sum, operation) => sum + scenario.calls(operation), 0)).toBe(made.length);
});

it("merges of two branches of one project wait for each other's run", async () => {
  const other = addBranch("other");
  const made = await Promise.all([merge(), merge(other)]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(2);
});

it("waits for a run that another program has begun", async () => {
  const body = {};
  await scenario.emulator.control.call("pushBranch", { branch_id_or_ref: branchRef, body });
  const made = await push();
  expect(begunIds()).toContain(made.id);
  expect(scenario.progress.join("\n")).toContain(`waiting for other action runs of ${branchRef} to end`);
});

it("waits for one that another program begins between its look and its call", async () => {
  const other = addBranch("other");
  // Only the project's runs show it.
  await scenario.emulator.control.call("mergeBranch", { branch_id_or_ref: other, body: {} });
  const made = await push();
  expect(begunIds()).toContain(made.id);
  expect(scenario.calls("pushBranch")).toBe(2);
});

it("tells a refusal at once for which no run is the reason", async () => {
  scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: branchRef, force: false });
  await expect(push()).rejects.toThrow("scheduled for deletion");
  expect(scenario.calls("pushBranch")).toBe(1);
});

describe("an action run of days ago", () => {
  beforeEach(async () => {
    await scenario.close();
    scenario = await startScenario({ isProxied: true });
    projectRef = scenario.healthyProject();
    branchRef = createBranchRef(scenario, projectRef);
    scenario.clock.advance(3 * 24 * 60 * 60_000);
  });

  it.each<[what: string, steps: unknown]>([
    ["has no steps", []],
    ["tells no steps", null],
    ["has a step of an unknown status", [{ name: "seed", status: "SKIPPED" }]],
  ])("that %s holds no action back, and does not hide a refusal", async (_what, steps) => {
    const before = scenario.clock.now();
    scenario.proxy.disturb({
      operation: "listActionRuns",
      rewrite: (answer) =>
        withJson(answer, (runs) =>
          (runs as { created_at: string }[]).map((run) =>
            Date.parse(run.created_at) < before ? { ...run, run_steps: steps } : run,
          ),
        ),
    });
    await push();
    await merge();
    expect(scenario.clock.now() - before).toBeLessThan(5 * 60_000);
    scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: branchRef, force: false });
    const refused = scenario.clock.now();
    await expect(push()).rejects.toThrow("scheduled for deletion");
    expect(scenario.clock.now() - refused).toBeLessThan(60_000);
  });
});

describe("where the merge of another branch begins while the request is on its way", () => {
  let other: string;
  beforeEach(async () => {
    await scenario.close();
    scenario = await startScenario({ isProxied: true });
    projectRef = scenario.healthyProject();
    branchRef = createBranchRef(scenario, projectRef);
    other = addBranch("other");
  });
  const mergeBeside = async (disturbance: Disturbance) => {
    const request = scenario.proxy.disturb({
      ...{ operation: "mergeBranch", times: 1, isHeld: true },
      ...disturbance,
    });
    const merging = merge();
    await request.held();
    const ofOther = { branch_id_or_ref: other, body: {} };
    const theirs = (await scenario.emulator.control.call("mergeBranch", ofOther)).workflow_run_id;
    request.release();
    return { theirs, own: await merging.then(({ id }) => id, String) };
  };

  const refusal = {
    ...{ status: 400, headers: {} },
    body: Buffer.from(JSON.stringify({ message: "Another run is under way" })),
  };

  it("the refused merge is sent again, and is not taken for the other one", async () => {
    const { control } = scenario.emulator;
    const body = { query: "create table own (id int)", name: "own" };
    await control.call("applyMigration", { ref: branchRef, body });
    const { theirs, own } = await mergeBeside({ instead: refusal });
    expect(own).not.toBe(theirs);
    expect(begunIds().toSorted()).toEqual([own, theirs].toSorted());
    const history = await control.call("listMigrations", { ref: projectRef });
    expect(history.map(({ name }) => name)).toContain("own");
  });

  it("the refused merge brings a function that only the branch has", async () => {
    const { control } = scenario.emulator;
    const file = [{ name: "index.ts", content: new TextEncoder().encode("export {};") }];
    const body = { metadata: { entrypoint_path: "index.ts" }, file };
    control.call("deployFunction", { ref: branchRef, slug: "own", body });
    const { theirs, own } = await mergeBeside({ instead: refusal });
    expect(own).not.toBe(theirs);
  });

  it("a refused merge that would bring nothing is done with the other run", async () => {
    const { theirs, own } = await mergeBeside({ instead: refusal });
    expect(own).toBe(theirs);
    expect(begunIds()).toEqual([theirs]);
  });

  it("a run whose branch the service does not show is not taken for one that was begun without an answer", async () => {
    scenario.proxy.disturb({
      operation: "listActionRuns",
      rewrite: (answer) =>
        withJson(answer, (runs) => (runs as object[]).map((run) => ({ ...run, branch_id: null }))),
    });
    const gone = { status: 502, headers: {}, body: Buffer.from("") };
    const { theirs, own } = await mergeBeside({ instead: gone });
    expect(own).toContain(`${theirs} (an action run of`);
    expect(own).toContain("its branch is not what was sent");
    expect(begunIds()).toEqual([theirs]);
  });
});
