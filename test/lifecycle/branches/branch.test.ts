import type { BranchRecord, ProjectRecord } from "../../../emulator/service/world/state";
import type { SettledResource } from "../../../provider/engine/create/create";
import { branch } from "../../../provider/resources/branches/branch/branch";
import type { Values } from "../../../provider/define/values";
import { Machine, messagesOf } from "../../kit/machine";
import type { Declared as Declaration } from "../../kit/model-engine";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { startPluginProcess } from "../../kit/plugin-process";
import { startProviderProcess } from "../../kit/provider-process";

let scenario: Scenario;
let branches: Managed;
let parentRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  branches = scenario.manage(branch);
  parentRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

interface Declared {
  readonly projectRef: string;
  readonly name: string;
  readonly [name: string]: unknown;
}
const preview = (more: Record<string, unknown> = {}): Declared => ({
  projectRef: parentRef,
  name: "preview",
  ...more,
});

function findOnService(ref: string): BranchRecord | undefined {
  return [...scenario.emulator.world.state.branches.values()].find(({ projectRef }) => projectRef === ref);
}

function onService(ref: string): BranchRecord {
  const found = findOnService(ref);
  if (found === undefined) throw new Error(`the emulator has no branch ${ref}`);
  return found;
}

function projectOf(ref: string): ProjectRecord {
  const found = scenario.emulator.world.state.projects.get(ref);
  if (found === undefined) throw new Error(`the emulator has no project ${ref}`);
  return found;
}

const edit = (ref: string, change: (record: BranchRecord) => void): void =>
  scenario.emulator.control.edit(() => change(onService(ref)));

async function refreshed(made: SettledResource): Promise<SettledResource> {
  scenario.nextRun();
  const read = await branches.read(made);
  if (read === undefined) throw new Error("the branch is gone");
  return read;
}

describe("a branch", () => {
  it("is made with a database of its own and shows no difference afterwards", async () => {
    const inputs = preview({
      gitBranch: "feature/a",
      notifyUrl: "https://example.com/hook",
      withData: false,
    });
    const made = await branches.create(inputs);
    const { id, projectRef } = onService(made.id);
    expect(made).toMatchObject({ id: projectRef, state: { branchId: id } });
    expect(onService(made.id)).toMatchObject({ name: "preview", gitBranch: "feature/a", isDefault: false });
    expect(made.state).toMatchObject({
      ref: projectRef,
      parentProjectRef: parentRef,
      isDefault: false,
      status: "FUNCTIONS_DEPLOYED",
      previewProjectStatus: "ACTIVE_HEALTHY",
      password: projectOf(projectRef).dbPass,
      jwtSecret: projectOf(projectRef).jwtSecret,
    });
    expect(branches.diff((await refreshed(made)).state, inputs)).toMatchObject({ changes: false });
  });

  it("regression: requests a review once it is made, and again only when the service shows none", async () => {
    const made = await branches.create(preview({ requestReview: true }));
    expect(made.state).toMatchObject({
      reviewRequestedAt: expect.stringMatching(/^\d{4}-/) as string,
      updatedAt: expect.stringMatching(/^\d{4}-/) as string,
    });
    expect(onService(made.id).reviewRequestedAt).not.toBeNull();
    const requestedAt = onService(made.id).reviewRequestedAt;
    const again = await refreshed(made);
    expect(branches.diff(again.state, preview({ requestReview: true })).changes).toBe(false);
    await branches.update(again, preview({ requestReview: true, gitBranch: "feature/b" }));
    expect(onService(made.id).reviewRequestedAt).toBe(requestedAt);
  });

  it("requests no review where none is declared, and one when it is declared later", async () => {
    const made = await branches.create(preview({ requestReview: false }));
    expect(onService(made.id).reviewRequestedAt).toBeNull();
    scenario.nextRun();
    await branches.update(made, preview({ requestReview: true }));
    expect(onService(made.id).reviewRequestedAt).not.toBeNull();
  });

  it("is read with one listing for all branches and one call for its connection", async () => {
    const one = await branches.create(preview());
    const two = await branches.create(preview({ name: "other" }));
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    await Promise.all([branches.read(one), branches.read(two)]);
    expect(scenario.calls("listBranches")).toBe(1);
    expect(scenario.calls("getBranchConfig")).toBe(2);
    expect(scenario.calls()).toBe(3);
  });

  it("changes its name, Git branch, persistence and notification in place", async () => {
    const made = await branches.create(preview());
    const inputs = preview({
      name: "staging",
      gitBranch: "release",
      persistent: true,
      notifyUrl: "https://example.com/hook",
    });
    const updated = await branches.update(made, inputs);
    expect(updated.id).toBe(made.id);
    expect(onService(made.id)).toMatchObject({
      name: "staging",
      gitBranch: "release",
      persistent: true,
      notifyUrl: "https://example.com/hook",
    });
    expect(branches.diff((await refreshed(updated)).state, inputs)).toMatchObject({ changes: false });
  });

  it("that stands for its project by now is changed by nobody", async () => {
    const made = await branches.create(preview());
    edit(made.id, (record) => (record.isDefault = true));
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    await expect(branches.update(made, preview({ name: "staging" }))).rejects.toThrow(
      "is the default branch, which represents the project",
    );
    expect(scenario.calls("updateBranch")).toBe(0);
    expect(onService(made.id).name).toBe("preview");
  });

  it("shows what was changed elsewhere, and is repaired", async () => {
    const inputs = preview({ gitBranch: "feature/a", persistent: false });
    const made = await branches.create(inputs);
    edit(made.id, (record) => {
      record.gitBranch = null;
      record.persistent = true;
    });
    const seen = await refreshed(made);
    expect([...branches.diff(seen.state, inputs).changed].sort()).toEqual(["gitBranch", "persistent"]);
    const repaired = await branches.update(seen, inputs);
    expect(onService(made.id)).toMatchObject({ gitBranch: "feature/a", persistent: false });
    expect(branches.diff((await refreshed(repaired)).state, inputs)).toMatchObject({ changes: false });
  });

  it("is replaced for what only a new one can have, the old one first, as its name is fixed", async () => {
    const made = await branches.create(preview({ withData: false }));
    for (const change of [
      { region: "us-east-1" },
      { instanceSize: "large" },
      { postgresEngine: "15" },
      { releaseChannel: "beta" },
      { withData: true },
    ]) {
      const [property] = Object.keys(change);
      expect(branches.diff(made.state, preview({ withData: false, ...change }))).toMatchObject({
        replaces: [property],
        deleteBeforeReplace: true,
      });
    }
  });

  it("is gone when it is deleted, and deleting it again succeeds", async () => {
    const made = await branches.create(preview());
    const { ref } = made.state;
    await branches.delete(made);
    expect(findOnService(made.id)).toBeUndefined();
    expect(scenario.emulator.world.state.projects.has(String(ref))).toBe(false);
    await branches.delete(made);
    scenario.nextRun();
    expect(await branches.read(made)).toBeUndefined();
  });

  it("is made of a project only: a branch as the project is named as the fault", async () => {
    const made = await branches.create(preview());
    const { ref } = made.state;
    await expect(branches.create(preview({ projectRef: ref, name: "nested" }))).rejects.toThrow(
      "is a branch, and",
    );
  });

  it("is adopted by its name, without setting secrets that it has already", async () => {
    const body = { branch_name: "preview", secrets: { TOKEN: "a-value" } };
    scenario.emulator.control.call("createBranch", { ref: parentRef, body });
    const made = await branches.create(preview({ adopt: true, secrets: body.secrets, persistent: true }));
    expect(onService(made.id)).toMatchObject({ name: "preview", persistent: true });
    expect(scenario.calls("createSecrets")).toBe(0);
    expect(scenario.calls("createBranch")).toBe(0);
  });

  it("is woken when it has paused by itself", async () => {
    const made = await branches.create(preview());
    scenario.clock.advance(8 * 24 * 3_600_000);
    expect((await refreshed(made)).state).toMatchObject({ previewProjectStatus: "INACTIVE" });
    const updated = await branches.update(made, preview({ gitBranch: "feature/a" }));
    expect(updated.state).toMatchObject({ previewProjectStatus: "ACTIVE_HEALTHY" });
  });
});

describe("the secrets of a branch", () => {
  const declared = { FIRST_TOKEN: "first-value", SECOND_TOKEN: "second-value" };
  const secretsOf = (made: SettledResource): Record<string, string> =>
    Object.fromEntries(
      [...projectOf(onService(made.id).projectRef).secrets].map(([name, { value }]) => [name, value]),
    );

  it("are set with it and changed in place, each with one call", async () => {
    const made = await branches.create(preview({ secrets: declared }));
    expect(secretsOf(made)).toMatchObject(declared);
    scenario.emulator.control.clearCalls();
    const changed = { FIRST_TOKEN: "changed-value", THIRD_TOKEN: "third-value" };
    const updated = await branches.update(made, preview({ secrets: changed }));
    expect(secretsOf(made)).toEqual(changed);
    expect(scenario.calls("createSecrets")).toBe(1);
    expect(scenario.calls("deleteSecrets")).toBe(1);
    expect(branches.diff((await refreshed(updated)).state, preview({ secrets: changed })).changes).toBe(
      false,
    );
  });

  it("show by their hash that one was changed or removed elsewhere, and are repaired", async () => {
    const made = await branches.create(preview({ secrets: declared }));
    const { secrets } = projectOf(onService(made.id).projectRef);
    scenario.emulator.control.edit(() => {
      secrets.delete("FIRST_TOKEN");
      secrets.set("SECOND_TOKEN", { value: "another-value", updatedAt: 0 });
    });
    const seen = await refreshed(made);
    expect(
      branches
        .diff(seen.state, preview({ secrets: declared }))
        .properties.map(({ path }) => path)
        .sort(),
    ).toEqual(["secrets.FIRST_TOKEN", "secrets.SECOND_TOKEN"]);
    await branches.update(seen, preview({ secrets: declared }));
    expect(secretsOf(made)).toMatchObject(declared);
  });
});

describe("a branch that is scheduled for deletion", () => {
  const soft = (): Declared => preview({ softDelete: true });

  it("is what a soft deletion leaves until its hour is over", async () => {
    const made = await branches.create(soft());
    await branches.delete(made);
    expect(onService(made.id).deletionScheduledAt).not.toBeNull();
    await branches.delete(made);
    expect(scenario.calls("deleteBranch")).toBe(1);
  });

  it("is not made a second time: the error tells when it goes and how to keep it", async () => {
    const made = await branches.create(soft());
    await branches.delete(made);
    scenario.nextRun();
    await expect(branches.create(soft())).rejects.toThrow(/scheduled for deletion at .*adopt/);
    expect(scenario.calls("createBranch")).toBe(1);
  });

  it("comes back when it is adopted", async () => {
    const made = await branches.create(soft());
    await branches.delete(made);
    scenario.nextRun();
    const back = await branches.create({ ...soft(), adopt: true, gitBranch: "feature/a" });
    expect(back.id).toBe(made.id);
    expect(onService(made.id)).toMatchObject({ deletionScheduledAt: null, gitBranch: "feature/a" });
  });

  it("comes back once when the answer to that is lost", async () => {
    const made = await branches.create(soft());
    await branches.delete(made);
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "restoreBranch", drop: "after" });
    await branches.create({ ...soft(), adopt: true });
    expect(scenario.calls("restoreBranch")).toBe(1);
    expect(onService(made.id).deletionScheduledAt).toBeNull();
  });

  it("goes at once where the service has soft deletion switched off", async () => {
    scenario.emulator.control.edit((state) => {
      for (const organization of state.organizations.values()) organization.softBranchDeletion = false;
    });
    const made = await branches.create(soft());
    await branches.delete(made);
    expect(findOnService(made.id)).toBeUndefined();
  });

  it("is told when it is seen", async () => {
    const made = await branches.create(preview());
    scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: made.id, force: false });
    const seen = await refreshed(made);
    expect(seen.state["deletionScheduledAt"]).toEqual(expect.any(String));
    expect(scenario.warnings.join("\n")).toContain("scheduled for deletion");
  });
});

describe("a branch that the program has just created", () => {
  const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const beganMs = scenario.clock.now();
    await work();
    return (scenario.clock.now() - beganMs) / 1_000;
  };

  it("has the schema and the history of its project before anything is built on it", async () => {
    const { control } = scenario.emulator;
    const body = { query: "create table a (id int)", name: "a" };
    await control.call("applyMigration", { ref: parentRef, body });
    const { id } = await branches.create(preview());
    const query = "select to_regclass('public.a') as made";
    expect(await control.call("runQuery", { ref: id, body: { query } })).toEqual([{ made: "a" }]);
    expect(await control.call("listMigrations", { ref: id })).toEqual(
      await control.call("listMigrations", { ref: parentRef }),
    );
    const steps = control.call("listActionRuns", { ref: id }).flatMap((run) => run.run_steps);
    expect(steps.map(({ status }) => status)).toEqual(["EXITED", "EXITED", "EXITED", "EXITED"]);
  });

  it.each([
    ["is listed", { status: 200, body: [] }],
    ["the token may see", { status: 403, message: "not allowed" }],
    ["the service knows", { status: 404, message: "Cannot GET" }],
  ])("counts by its status where no run %s for 90 seconds", async (_what, fault) => {
    scenario.emulator.control.addFault({ operation: "listActionRuns", ...fault, times: 1_000 });
    const seconds = await secondsOf(() => branches.create(preview()));
    expect(seconds).toBeGreaterThanOrEqual(90);
    expect(seconds).toBeLessThan(110);
    expect(scenario.progress.join("\n")).toContain("no action run shows yet");
  });

  it.each(["SEEDS_PASSED", null, undefined])(
    "is usable by its run alone where its status is %s",
    async (status) => {
      await scenario.close();
      scenario = await startScenario({ isProxied: true });
      branches = scenario.manage(branch);
      parentRef = scenario.healthyProject();
      scenario.proxy.disturb({
        operation: "listBranches",
        rewrite: ({ body }) => {
          const shown = JSON.parse(body.toString("utf8")) as object[];
          return { body: Buffer.from(JSON.stringify(shown.map((each) => ({ ...each, status })))) };
        },
      });
      const seconds = await secondsOf(() => branches.create(preview()));
      expect(seconds).toBeLessThan(120);
      expect(scenario.progress.join("\n")).toContain("migrate is CREATED");
    },
  );

  it("is held back for no run where it existed before: changed, taken over or refreshed", async () => {
    const made = await branches.create(preview());
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "listActionRuns", status: 200, body: [], times: 1_000 });
    const notifyUrl = "https://example.com/hook";
    expect(await secondsOf(() => branches.update(made, preview({ notifyUrl })))).toBeLessThan(5);
    scenario.nextRun();
    expect(await secondsOf(() => branches.create(preview({ adopt: true })))).toBeLessThan(5);
  });

  it.each<[what: string, operation: "listActionRuns" | "listBranches", change: object]>([
    ["a run without steps", "listActionRuns", { run_steps: [] }],
    ["a run that tells no steps", "listActionRuns", { run_steps: null }],
    [
      "a step of an unknown status",
      "listActionRuns",
      { run_steps: [{ name: "seed", status: "SKIPPED", created_at: null, updated_at: null }] },
    ],
    ["an unknown status", "listBranches", { status: "SEEDS_PASSED" }],
    ["an unknown status of its project", "listBranches", { preview_project_status: "OPTIMIZING" }],
  ])("is not held back for %s where it existed before", async (_what, operation, change) => {
    await scenario.close();
    scenario = await startScenario({ isProxied: true });
    branches = scenario.manage(branch);
    parentRef = scenario.healthyProject();
    const made = await branches.create(preview());
    scenario.nextRun();
    scenario.proxy.disturb({
      operation,
      rewrite: ({ body }) => {
        const shown = JSON.parse(body.toString("utf8")) as object[];
        return { body: Buffer.from(JSON.stringify(shown.map((each) => ({ ...each, ...change })))) };
      },
    });
    const notifyUrl = "https://example.com/hook";
    expect(await secondsOf(() => branches.update(made, preview({ notifyUrl })))).toBeLessThan(5);
  });

  it("names the step that takes longer than the deadline", async () => {
    await expect(branches.create(preview({ timeouts: { create: 30 } }))).rejects.toThrow(
      /the branch [a-z]{20};.*configure is RUNNING, migrate is CREATED, deploy is CREATED/s,
    );
  });

  it("reads nothing of its project for it", async () => {
    await branches.create(preview());
    const ofParent = scenario.emulator.control
      .calls()
      .filter(({ path }) => path.includes(parentRef) && !path.endsWith("/branches"));
    expect(ofParent).toEqual([]);
  });
});

it.each([400, 403, 422])(
  "says that a branch has no branches where the service does, with %d",
  async (status) => {
    const message = "Cannot create preview branch from another branch project";
    scenario.emulator.control.addFault({ operation: "createBranch", status, message });
    await expect(branches.create(preview())).rejects.toThrow(
      `projectRef: ${parentRef} is a branch, and a branch cannot have branches`,
    );
    expect(scenario.calls("createBranch")).toBe(1);
  },
);

describe("the name of a branch", () => {
  it("is the declared one after a rename, also while the listing shows the former one", async () => {
    const made = await branches.create(preview());
    const renamed = preview({ name: "renamed" });
    const updated = await branches.update(made, renamed);
    expect(updated.state).toMatchObject({ name: "renamed" });
    const seen = await refreshed({ id: made.id, state: updated.state });
    expect(branches.diff(seen.state, renamed).changes).toBe(false);
  });
});

describe("the Git branch of a branch", () => {
  it('is detached by "", and stays where the line is removed', async () => {
    const made = await branches.create(preview({ gitBranch: "feature/a" }));
    await branches.update(made, preview());
    expect(onService(made.id).gitBranch).toBe("feature/a");
    const detached = preview({ gitBranch: "" });
    expect(branches.diff(made.state, detached).changes).toBe(true);
    const updated = await branches.update(made, detached);
    expect(onService(made.id).gitBranch).toBeNull();
    const seen = await refreshed({ id: made.id, state: updated.state });
    expect(branches.diff(seen.state, detached).changes).toBe(false);
    edit(made.id, (record) => {
      record.gitBranch = "feature/b";
    });
    const drifted = await refreshed(seen);
    expect(branches.diff(drifted.state, detached).properties.map(({ path }) => path)).toEqual(["gitBranch"]);
  });

  it('is none where a new branch declares ""', async () => {
    const made = await branches.create(preview({ gitBranch: "" }));
    expect(onService(made.id).gitBranch).toBeNull();
    expect(branches.diff((await refreshed(made)).state, preview({ gitBranch: "" })).changes).toBe(false);
  });
});

describe("a branch that does not become usable", () => {
  const failing = (step: "migrate" | "deploy" | "pull", log: string): void =>
    scenario.emulator.control.edit(() => {
      projectOf(parentRef).next.branchFailure = { step, log };
    });

  it("fails with the failed step and the end of its log, without a secret, and stays in state", async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    failing("migrate", [...lines, "token is secret-token-value", 'relation "a" does not exist'].join("\n"));
    const failure: unknown = await branches
      .create(preview({ secrets: { TOKEN: "secret-token-value" } }))
      .catch((error: unknown) => error);
    expect(String(failure)).toContain('the step "migrate" failed');
    expect(String(failure)).toContain('relation "a" does not exist');
    expect(String(failure)).toContain("token is [secret]");
    expect(String(failure)).not.toContain("line 0\n");
    expect(failure).toMatchObject({ state: { name: "preview" } });
    expect(scenario.emulator.world.state.branches.size).toBe(2);
  });

  it.each(["pull", "deploy"] as const)("fails at once when its step %s fails", async (step) => {
    failing(step, "no such thing");
    await expect(branches.create(preview())).rejects.toThrow(`the step "${step}" failed`);
  });

  it("fails with the state's name when its project cannot be started", async () => {
    scenario.emulator.control.edit(() => {
      projectOf(parentRef).next.branchProject = "INIT_FAILED";
    });
    await expect(branches.create(preview())).rejects.toThrow("INIT_FAILED");
  });
});

describe("the default branch that comes with the first one", () => {
  function defaultBranch(): { readonly ref: string; readonly name: string } {
    const found = scenario.emulator.control
      .call("listBranches", { ref: parentRef })
      .find(({ is_default }) => is_default);
    if (found === undefined) throw new Error("there is no default branch");
    return { ref: found.project_ref, name: found.name };
  }

  it("tells that a default branch comes beside the first one, and never takes it for ours", async () => {
    const made = await branches.create(preview());
    expect(scenario.infos.join("\n")).toContain("also creates a default branch");
    expect(made.id).not.toBe(defaultBranch().ref);
    expect(made.state).toMatchObject({ isDefault: false });
    await branches.delete(made);
  });

  it("finds the new branch, not the default one, after a lost answer", async () => {
    scenario.emulator.control.addFault({ operation: "createBranch", drop: "after" });
    const made = await branches.create(preview());
    expect(made.id).not.toBe(defaultBranch().ref);
    expect(scenario.calls("createBranch")).toBe(1);
  });

  it("refuses to make, adopt or delete the default branch, before any call changes anything", async () => {
    const made = await branches.create(preview());
    const { ref, name } = defaultBranch();
    scenario.nextRun();
    await branches.read(made);
    scenario.emulator.control.clearCalls();
    const inputs = preview({ name, gitBranch: "release" });
    await expect(branches.create(inputs)).rejects.toThrow("is the default branch");
    await expect(branches.create({ ...inputs, adopt: true })).rejects.toThrow("is the default branch");
    await expect(branches.create({ ...inputs, adoptId: ref })).rejects.toThrow("is the default branch");
    await expect(branches.delete({ id: ref, state: inputs })).rejects.toThrow("is the default branch");
    const methods = scenario.emulator.control.calls().map(({ method }) => method);
    expect(new Set(methods)).toEqual(new Set(["GET"]));
  });
});

describe("the notice that a branch is the first one", () => {
  it.each([
    ["plugin", startPluginProcess],
    ["dynamic provider", startProviderProcess],
  ] as const)(
    "through the %s, that a branch is the first one is information, told once in a run",
    async (_, start) => {
      const process = await start(scenario, "Branch");
      try {
        const made = ["one", "two", "three"].map(async (name) => {
          const { inputs } = await process.check({ projectRef: parentRef, name });
          return process.create(inputs);
        });
        await Promise.all(made);
        const lasting = ("rows" in process ? process.rows : process.shown).filter(
          (line) => !line.isEphemeral,
        );
        expect(lasting).toEqual([
          expect.objectContaining({
            severity: "info",
            message: expect.stringContaining("this is the first branch") as string,
          }),
        ]);
      } finally {
        await process.close();
      }
    },
  );
});

describe("a branch that counts as made", () => {
  it("is usable when it counts as made: its project, its services and its newest run", async () => {
    const made = await branches.create(preview());
    const ref = String(made.state["ref"]);
    const { control } = scenario.emulator;
    const services = ["auth", "db", "pooler", "realtime", "rest", "storage"] as const;
    const health = control.call("getHealth", { ref, services: [...services] });
    expect(health.filter(({ healthy }) => !healthy)).toEqual([]);
    const steps = control.call("listActionRuns", { ref }).flatMap(({ run_steps }) => run_steps);
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter(({ status }) => status !== "EXITED")).toEqual([]);
    expect(() =>
      control.call("createSecrets", { ref, body: [{ name: "TOKEN", value: "a value" }] }),
    ).not.toThrow();
  });
});

describe("a persistent branch that is destroyed", () => {
  it("is demoted first", async () => {
    const made = await branches.create(preview({ name: "staging", persistent: true }));
    await branches.delete(made);
    expect(scenario.emulator.world.state.branches.has(made.id)).toBe(false);
    expect(scenario.calls("updateBranch")).toBe(1);
    expect(scenario.calls("deleteBranch")).toBe(1);
  });
});

describe("a preview, which never falls back to the production project", () => {
  it("has no value of its parent, from its first answer to its end", async () => {
    const made = await branches.create(preview());
    const parent = scenario.emulator.world.state.projects.get(parentRef);
    const host = scenario.emulator.control.call("getProject", { ref: parentRef }).database.host;
    const { projectRef: declared, parentProjectRef, __declared, ...own } = made.state;
    expect([declared, parentProjectRef]).toEqual([parentRef, parentRef]);
    expect(__declared).toBeDefined();
    expect(Object.values(own)).not.toContain(parentRef);
    expect(Object.values(own)).not.toContain(host);
    expect(Object.values(own)).not.toContain(parent?.dbPass);
    expect(Object.values(own)).not.toContain(parent?.jwtSecret);
  });

  it("has no connection at all while the branch's own is not told", async () => {
    const made = await branches.create(preview());
    scenario.emulator.control.addFault({ operation: "getBranchConfig", status: 404 });
    scenario.nextRun();
    const read = await branches.read(made);
    for (const name of ["host", "port", "user", "password", "jwtSecret"]) {
      expect(read?.state[name]).toBeUndefined();
    }
  });

  it("is gone when it is missing, not replaced by its parent", async () => {
    const made = await branches.create(preview());
    scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: made.id });
    scenario.nextRun();
    expect(await branches.read(made)).toBeUndefined();
  });
});

describe("the reference of a branch where a project's is asked for", () => {
  let branchRef: string;
  beforeEach(async () => {
    branchRef = (await branches.create(preview())).id;
  });

  it("an import says that it is a branch, and how a branch is imported", async () => {
    const plugin = await startPluginProcess(scenario, "Project");
    const other = await startPluginProcess(scenario, "Branch");
    try {
      await expect(plugin.import(branchRef)).rejects.toThrow(
        `is the reference of a branch, not of a project. Import it as a Branch with the ID \`<projectRef>/${branchRef}\``,
      );
      expect(await other.import(`${parentRef}/${branchRef}`)).toMatchObject({ id: branchRef });
      // What neither a project nor a branch has is not there.
      expect(await plugin.import("zzzzzzzzzzzzzzzzzzzz")).toMatchObject({ id: "" });
    } finally {
      await plugin.close();
      await other.close();
    }
  });

  it("an adoption says so too, and makes nothing", async () => {
    const provider = startProviderProcess(scenario, "Project");
    try {
      const { inputs } = await provider.check({
        name: "shop",
        organizationSlug: "acme",
        dbPass: "first-password",
        adoptId: branchRef,
      });
      await expect(provider.create(inputs)).rejects.toThrow(
        `declare a Branch with \`adoptId: "${branchRef}"\``,
      );
      expect(scenario.calls("createProject")).toBe(0);
    } finally {
      await provider.close();
    }
  });

  it("the default branch's says that the project itself is to be imported", async () => {
    const plugin = await startPluginProcess(scenario, "Branch");
    try {
      await expect(plugin.import(`${parentRef}/${parentRef}`)).rejects.toThrow(
        `or the project as a \`Project\`, by its reference ${parentRef}`,
      );
    } finally {
      await plugin.close();
    }
  });
});

describe("a branch that belongs to another project by now", () => {
  const declaring = (inputs: Values): Declaration[] => [{ name: "it", type: "Branch", inputs: () => inputs }];
  let machine: Machine;
  let otherRef: string;
  let ref: string;
  beforeEach(async () => {
    machine = new Machine(scenario);
    otherRef = scenario.healthyProject("other");
    expect(messagesOf(await machine.up(declaring(preview({ persistent: true }))))).toEqual([]);
    ref = machine.engine.get("it")?.id ?? "";
  });
  afterEach(() => machine.leave());
  const move = (): void => edit(ref, (record) => (record.parentRef = otherRef));

  it("is neither forgotten by a refresh nor left behind by a destroy: both say where to take it over", async () => {
    move();
    for (const outcome of [await machine.refresh(), await machine.destroy()])
      expect(messagesOf(outcome)).toEqual([
        expect.stringMatching(
          /exists, but the project \w+ does not list it\..*`pulumi state delete 'urn:pulumi:[^']*'`.*`adopt: true`/,
        ),
      ]);
    machine.engine.stateDelete("it");
    const moved = preview({ projectRef: otherRef, persistent: true });
    expect(messagesOf(await machine.up(declaring({ ...moved, adopt: true })))).toEqual([]);
    expect(machine.engine.get("it")?.id).toBe(ref);
    expect(await machine.up(declaring(moved))).toEqual({ steps: [], failures: [] });
    expect(scenario.emulator.world.state.branches.size).toBe(2);
  });

  it("is gone where it is being removed, or where the token may not ask further", async () => {
    move();
    for (const fault of [
      { status: 200, body: { ref, status: "GOING_DOWN" } },
      { status: 403 },
      { status: 404 },
    ]) {
      scenario.emulator.control.addFault({ operation: "getBranchConfig", ...fault, times: 9 });
      scenario.nextRun();
      const { state } = machine.engine.get("it") ?? { state: {} };
      expect(await branches.read({ id: ref, state })).toBeUndefined();
      scenario.emulator.control.clearFaults();
    }
  });

  it("is kept with both references, where its parent still lists it, and taken over by the one that was found", async () => {
    const shown = scenario.emulator.control
      .call("listBranches", { ref: parentRef })
      .map((each) => (each.project_ref === ref ? { ...each, parent_project_ref: otherRef } : each));
    scenario.emulator.control.addFault({ operation: "listBranches", status: 200, body: shown, times: 1_000 });
    expect(await machine.refresh()).toEqual({ steps: [], failures: [] });
    const [refusal] = messagesOf(await machine.up(declaring(preview({ persistent: true }))));
    expect(refusal).toContain(`The program declares "${parentRef}", the state has "${otherRef}"`);
    expect(findOnService(ref)).toBeDefined();
    const found = preview({ projectRef: otherRef, persistent: true });
    expect(await machine.up(declaring(found))).toEqual({ steps: [], failures: [] });
  });
});

it.each(["adopt", "import"] as const)(
  "is never the default branch, though the listing leaves out what says so: %s",
  async (way) => {
    await branches.create(preview());
    scenario.nextRun();
    const { control } = scenario.emulator;
    const body = control
      .call("listBranches", { ref: parentRef })
      .map((each) => ({ ...each, is_default: null, parent_project_ref: null }));
    const [own] = body.filter(({ project_ref: ref }) => ref === parentRef);
    control.addFault({ operation: "listBranches", status: 200, body, times: 20 });
    const taken = { adopt: { adopt: true }, import: { adoptId: parentRef } }[way];
    const inputs = preview({ __owner: "acme/shop/dev/other", name: own?.name ?? "", ...taken });
    await expect(branches.create(inputs)).rejects.toThrow("is the default branch");
    expect([scenario.calls("updateBranch"), scenario.calls("deleteBranch")]).toEqual([0, 0]);
  },
);
