import { importResource } from "../../../provider/engine/import";
import type { Values } from "../../../provider/define/values";
import { loginRole } from "../../../provider/resources/database/login-role/login-role";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let roles: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  roles = scenario.manage(loginRole);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, readOnly: true, ...more });
const last = () => scenario.emulator.world.state.projects.get(ref)?.lastLoginRole;
const seconds = (count: number): void => scenario.clock.advance(count * 1_000);
const OUTPUTS = ["role", "password", "expiresAt"];

it("makes another role where it changes, and says until when the last one can log in", async () => {
  const began = scenario.clock.now();
  const made = await roles.create(declared());
  expect(made.id).toBe(last()?.role);
  expect(made.state).toMatchObject({ role: made.id, expiresAt: new Date(began + 300_000).toISOString() });
  expect(made.state["password"]).toMatch(/^[\w-]{43}$/);
  expect(last()).toMatchObject({ readOnly: true });

  const updated = await roles.update(made, declared({ readOnly: false }));
  expect(updated.id).toBe(made.id);
  expect(updated.state["role"]).not.toBe(made.state["role"]);
  expect(updated.state["password"]).not.toBe(made.state["password"]);
  expect(last()).toMatchObject({ role: updated.state["role"], readOnly: false });

  scenario.emulator.control.clearCalls();
  await roles.delete(updated);
  expect(scenario.calls()).toBe(0);
  expect(scenario.infos.join("\n")).toContain(`${String(updated.state["role"])} can log in until`);
  seconds(301);
  scenario.infos.length = 0;
  await roles.delete(updated);
  expect(scenario.infos).toEqual([]);
});

it("is made anew by the run that finds it expired or about to expire, and by no refresh", async () => {
  const made = await roles.create(declared());
  seconds(239);
  expect(roles.diff(made.state, declared()).changes).toBe(false);
  seconds(2);
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  expect((await roles.read(made))?.state).toEqual(made.state);
  expect(scenario.calls("createLoginRole")).toBe(0);

  const found = roles.diff(made.state, declared());
  expect(found).toMatchObject({ changes: true, renewed: OUTPUTS, replaces: [] });
  expect(found.changed.size).toBe(0);
  expect(found.properties).toEqual(
    OUTPUTS.map((path) => ({ path, kind: "update", replaces: false, isOutput: true })),
  );
  const renewed = await roles.update(made, declared());
  expect(renewed.id).toBe(made.id);
  expect(renewed.state["password"]).not.toBe(made.state["password"]);
  expect(last()?.role).toBe(renewed.state["role"]);
  expect(roles.diff(renewed.state, declared()).changes).toBe(false);

  seconds(3_600);
  scenario.nextRun();
  expect((await roles.read(renewed))?.state).toEqual(renewed.state);
  expect(roles.diff(renewed.state, declared())).toMatchObject({ changes: true, renewed: OUTPUTS });
});

it("takes from `rotateBefore` when that is, and makes no call for it alone", async () => {
  const made = await roles.create(declared());
  seconds(100);
  scenario.emulator.control.clearCalls();
  const kept = await roles.update(made, declared({ rotateBefore: 199 }));
  expect(scenario.calls()).toBe(0);
  expect(kept.state).toMatchObject({ password: made.state["password"], rotateBefore: 199 });
  expect(roles.diff(kept.state, declared({ rotateBefore: 200 })).renewed).toEqual(OUTPUTS);
  const renewed = await roles.update(kept, declared({ rotateBefore: 200 }));
  expect(renewed.state["role"]).not.toBe(made.state["role"]);
  expect(roles.failures(declared({ rotateBefore: -1 }))[0]).toMatch(/^rotateBefore: /);
  seconds(299);
  expect(roles.diff(renewed.state, declared({ rotateBefore: 0 })).renewed).toEqual([]);
  seconds(1);
  expect(roles.diff(renewed.state, declared({ rotateBefore: 0 })).renewed).toEqual(OUTPUTS);
});

it("is gone with its project, and fails no refresh where nobody says whether that is there", async () => {
  const made = await roles.create(declared());
  scenario.nextRun();
  for (const status of [403, 500]) {
    for (const operation of [
      "getProject",
      "listProjects",
      "listOrganizationProjects",
      "getBranchConfig",
    ] as const)
      scenario.emulator.control.addFault({ operation, status, times: 99 });
    scenario.nextRun();
    expect((await roles.read(made))?.state).toEqual(made.state);
    scenario.emulator.control.clearFaults();
  }
  expect(scenario.progress).toContainEqual(expect.stringContaining(`whether ${ref} still exists is unknown`));
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  seconds(3_600);
  scenario.nextRun();
  expect(await roles.read(made)).toBeUndefined();
});

it("shares one look at the project with the other roles", async () => {
  const one = await roles.create(declared());
  const other = await roles.create(declared({ readOnly: false }));
  expect(other.id).not.toBe(one.id);
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all([roles.read(one), roles.read(other)]);
  expect(scenario.calls()).toBe(1);
});

it("makes another one where the answer got lost", async () => {
  scenario.emulator.control.addFault({ operation: "createLoginRole", drop: "after" });
  const made = await roles.create(declared());
  expect(scenario.calls("createLoginRole")).toBe(2);
  expect(made.state["role"]).toBe(last()?.role);
  seconds(300);
  scenario.emulator.control.clearCalls();
  scenario.emulator.control.addFault({ operation: "createLoginRole", drop: "after" });
  const renewed = await roles.update(made, declared());
  expect(scenario.calls("createLoginRole")).toBe(2);
  expect(renewed.state["role"]).toBe(last()?.role);
});

// service, Reading answers: the role and its password are all that a login needs.
it.each([undefined, null, 0, "300"])(
  "is made once, and anew by the next run, where the service tells %p for how long it lasts",
  async (ttl_seconds) => {
    const body = { role: "cli_login_1", password: "only-shown-once", ttl_seconds };
    scenario.emulator.control.addFault({ operation: "createLoginRole", status: 201, body });
    const began = scenario.clock.now();
    const made = await roles.create(declared());
    expect(scenario.calls("createLoginRole")).toBe(1);
    expect(made).toMatchObject({
      id: "cli_login_1",
      state: { role: "cli_login_1", password: "only-shown-once", expiresAt: new Date(began).toISOString() },
    });
    expect(scenario.warnings).toEqual([
      expect.stringContaining("does not say how long cli_login_1 can log in"),
    ]);
    expect(scenario.warnings.join("\n")).not.toContain("only-shown-once");

    scenario.nextRun();
    expect((await roles.read(made))?.state).toEqual(made.state);
    expect(roles.diff(made.state, declared())).toMatchObject({ renewed: OUTPUTS, replaces: [] });
    const renewed = await roles.update(made, declared());
    expect(renewed.state).toMatchObject({ role: last()?.role });
    expect(roles.diff(renewed.state, declared()).changes).toBe(false);
  },
);

it("makes another one where the password of a known role is lost", async () => {
  const made = await roles.create(declared());
  const adopted = await roles.create(declared({ adoptId: made.id }));
  expect(adopted.id).toBe(made.id);
  expect(adopted.state["role"]).not.toBe(made.id);
  expect(adopted.state["password"]).toMatch(/^[\w-]{43}$/);
});

it("cannot be imported, and says why", async () => {
  const imported = importResource(scenario.runtime, loginRole, `${ref}/cli_login_0`, true);
  await expect(imported).rejects.toThrow("A LoginRole cannot be imported: the service returns the password");
});

it("waits for a project that is starting", async () => {
  const { ref: starting } = scenario.emulator.control.call("createProject", {
    body: {
      name: "starting",
      organization_slug: "acme",
      db_pass: "initial-password",
      region_selection: { type: "specific", code: "eu-central-1" },
    },
  });
  const made = await roles.create(declared({ projectRef: starting }));
  expect(roles.diff(made.state, declared({ projectRef: starting })).changes).toBe(false);
});
