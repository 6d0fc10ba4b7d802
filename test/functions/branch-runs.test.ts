import {
  ApiError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
} from "../../provider/client/errors/errors";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, invokeWrapped, errorOf, faults, NOBODY } from "./invoke";
import { makeBranch } from "./scenes";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const branchOf = (name: string, more?: object) => makeBranch(scenario, projectRef, name, more);

describe("getBranches", () => {
  const list = async (): Promise<object[]> =>
    (await invoke<{ branches: object[] }>(scenario, "getBranches", { projectRef })).branches;

  it("returns every branch, the default one among them, in one call for many", async () => {
    expect(await list()).toEqual([]);
    scenario.nextRun();
    const { id, ref } = branchOf("preview", {
      git_branch: "feature",
      notify_url: "https://example.com/hook",
    });
    scenario.emulator.control.clearCalls();
    const [branches] = await Promise.all(Array.from({ length: 10 }, list));
    expect(branches).toHaveLength(2);
    expect(branches).toContainEqual(expect.objectContaining({ ref: projectRef, isDefault: true }));
    expect(branches).toContainEqual({
      ref,
      branchId: id,
      name: "preview",
      parentProjectRef: projectRef,
      isDefault: false,
      gitBranch: "feature",
      notifyUrl: "https://example.com/hook",
      persistent: false,
      withData: false,
      status: "FUNCTIONS_DEPLOYED",
      previewProjectStatus: "ACTIVE_HEALTHY",
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
    expect(scenario.calls()).toBe(1);
  });

  it("says which project is not there, and that a branch has no branches", async () => {
    const { ref } = branchOf("preview");
    const missing = await errorOf(scenario, "getBranches", { projectRef: NOBODY });
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing.message).toContain(NOBODY);
    const ofBranch = await errorOf(scenario, "getBranches", { projectRef: ref });
    expect(ofBranch).toBeInstanceOf(InvalidInputError);
    expect(ofBranch.message).toContain("is a branch, and");
  });
});

describe("getBranchDiff", () => {
  const CONSTANT = /pg_net|tr_check_filters/;
  const query = (ref: string, text: string): Promise<unknown> =>
    scenario.client.runQuery({ ref, body: { query: text } });

  it("returns the SQL between a project and its branch, of some schemas only where it is asked so", async () => {
    const { ref } = branchOf("preview");
    // The service puts the same statements into every difference.
    for (const pgdelta of [false, true]) {
      const equal = await invoke(scenario, "getBranchDiff", { branchRef: ref, pgdelta });
      expect(equal).toEqual({ sql: "", hasChanges: false });
    }
    await query(ref, "create schema app; create table app.a (id int); create table public.b (id int)");
    const { sql, hasChanges } = await invoke(scenario, "getBranchDiff", { branchRef: ref });
    expect(hasChanges).toBe(true);
    expect(sql).toContain("create table app.a");
    expect(sql).toMatch(/^create schema/);
    expect(sql).toContain("create table public.b");
    expect(sql).not.toMatch(CONSTANT);
    const some = { branchRef: ref, includedSchemas: ["public"], pgdelta: true };
    const part = await invoke<{ sql: string }>(scenario, "getBranchDiff", some);
    expect(part.sql).toContain("create table public.b");
    expect(part.sql).not.toContain("app.a");
    expect(part.sql).not.toMatch(CONSTANT);
    scenario.emulator.control.clearCalls();
    await Promise.all(Array.from({ length: 5 }, () => invoke(scenario, "getBranchDiff", some)));
    expect(scenario.calls("diffBranch")).toBe(1);
  });

  it("says which branch is not there, what cannot be compared, and what a token lacks", async () => {
    const missing = await errorOf(scenario, "getBranchDiff", { branchRef: NOBODY });
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing.message).toContain(`No branch has the reference ${NOBODY}: check \`branchRef\``);
    branchOf("preview");
    const ofDefault = await errorOf(scenario, "getBranchDiff", { branchRef: projectRef });
    expect(ofDefault).toBeInstanceOf(ApiError);
    expect(ofDefault.message).toContain("the default branch");
    scenario.emulator.control.addFault({ operation: "diffBranch", status: 403, message: "not allowed" });
    expect(await errorOf(scenario, "getBranchDiff", { branchRef: NOBODY })).toBeInstanceOf(ForbiddenError);
    expect(faults("getBranchDiff", { branchRef: NOBODY, includedSchemas: ["a,b"] })).toEqual([
      'includedSchemas[0]: got "a,b"; expected a name without commas, as `public`',
    ]);
  });
});

describe("getActionRuns", () => {
  interface Run {
    readonly runId: string;
    readonly branchId?: string;
    readonly steps?: readonly { readonly name?: string; readonly status?: string }[];
    readonly logs?: string;
  }
  const list = async (more: object = {}): Promise<Run[]> =>
    (await invoke<{ runs: Run[] }>(scenario, "getActionRuns", { projectRef, ...more })).runs;

  it("returns the runs of all branches, the newest first, and of a branch its own", async () => {
    const first = branchOf("first", { git_branch: "feature" });
    const second = branchOf("second");
    const runs = await list();
    expect(runs.map(({ branchId }) => branchId)).toEqual([second.id, first.id]);
    const [answer] = scenario.emulator.control.call("listActionRuns", { ref: first.ref });
    expect(await list({ projectRef: first.ref })).toEqual([
      {
        runId: answer?.id,
        branchId: first.id,
        steps: answer?.run_steps.map(({ name, status, created_at, updated_at }) => ({
          name,
          status,
          createdAt: created_at,
          updatedAt: updated_at,
        })),
        gitConfig: { branch: "feature" },
        createdAt: answer?.created_at,
        updatedAt: answer?.updated_at,
      },
    ]);
  });

  it("reads whole listings, page by page, once for many", async () => {
    const { id } = branchOf("preview");
    scenario.emulator.control.edit(({ branches }) => {
      const runs = branches.get(id)?.runs ?? [];
      const [run] = runs;
      if (run === undefined) throw new Error("The branch has no run");
      for (let index = 1; index < 130; index += 1) {
        runs.push({ ...run, id: `run-${index}`, since: run.since + index * 1000, reports: new Map() });
      }
    });
    scenario.emulator.control.clearCalls();
    const [all, newest] = await Promise.all([list(), list({ newest: 2 })]);
    expect(all).toHaveLength(130);
    expect(newest.map(({ runId }) => runId)).toEqual(["run-129", "run-128"]);
    // Two pages and the end, which nothing but an empty page shows.
    expect(scenario.calls("listActionRuns")).toBe(3);
  });

  it("reads the logs on request only, as Pulumi secrets", async () => {
    const { ref } = branchOf("preview");
    expect((await list({ projectRef: ref }))[0]).not.toHaveProperty("logs");
    expect(scenario.calls("getActionRunLogs")).toBe(0);
    const wanted = { projectRef: ref, newest: 1, withLogs: true };
    const { runs } = (await invokeWrapped(scenario, "getActionRuns", wanted)) as { runs: Run[] };
    expect(runs).toHaveLength(1);
    expect(runs[0]?.logs).toEqual({ secret: expect.stringContaining("[deploy]") as string });
    expect(scenario.calls("getActionRunLogs")).toBe(1);
    scenario.emulator.control.addFault({ operation: "getActionRunLogs", status: 404 });
    expect((await list(wanted))[0]).not.toHaveProperty("logs");
  });

  it("says which project is not there, and what a token lacks", async () => {
    const error = await errorOf(scenario, "getActionRuns", { projectRef: NOBODY });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain(`the reference ${NOBODY}: check \`projectRef\``);
    const { ref } = branchOf("preview");
    scenario.emulator.control.addFault({
      operation: "getActionRunLogs",
      status: 403,
      message: "not allowed",
    });
    const refused = await errorOf(scenario, "getActionRuns", { projectRef: ref, withLogs: true });
    expect(refused).toBeInstanceOf(ForbiddenError);
    expect(faults("getActionRuns", { projectRef, newest: 0 })).toEqual([
      "newest: got 0; at least 1 required",
    ]);
  });
});
