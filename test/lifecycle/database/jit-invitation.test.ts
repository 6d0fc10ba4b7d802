import { userIdOf } from "../../../emulator/service/access/caller";
import type { JitRecord, JitRole } from "../../../emulator/service/world/records/database";
import type { Values } from "../../../provider/define/values";
import { importResource } from "../../../provider/engine/import";
import { listResources } from "../../../provider/engine/list";
import { jitUser } from "../../../provider/resources/database/jit-user/jit-user";
import type { OrganizationPlan } from "../../../emulator/service/world/state";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let users: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  users = scenario.manage(jitUser);
  setPlan("platform");
});
afterEach(() => scenario.close());

const EMAIL = "ana@example.com";
const ANA = userIdOf("ana");
const WEEK_MS = 7 * 24 * 3_600_000;

const declared = (roles: readonly Values[] = [{ role: "postgres" }], more: Values = {}): Values => ({
  projectRef: ref,
  email: EMAIL,
  roles,
  ...more,
});

function setPlan(plan: OrganizationPlan): void {
  scenario.emulator.control.edit(({ organizations }) => {
    const organization = organizations.get("acme");
    if (organization) organization.plan = plan;
  });
}

function jit(): JitRecord {
  const project = scenario.emulator.world.state.projects.get(ref);
  if (project === undefined) throw new Error("The project is gone");
  return project.jit;
}

function editJit(change: (record: JitRecord) => void): void {
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project) change(project.jit);
  });
}

/** Invitations as address and roles. */
const invited = () => jit().invitations.map(({ email, roles }) => [email, roles.map(({ role }) => role)]);

/** Ana opens the mail. */
function accept(): void {
  scenario.emulator.control.createToken({ user: "ana" });
  editJit((record) => {
    const [invitation] = record.invitations.splice(0, 1);
    record.users.set(ANA, invitation?.roles ?? []);
  });
}

const inviteAside = (roles: JitRole[] = [{ role: "admin" }], email = EMAIL) =>
  scenario.emulator.control.call("inviteJitUser", { ref, body: { email, roles } });

it("invites somebody who has no access yet, and is pending until the invitation is accepted", async () => {
  const inputs = declared([{ role: "postgres", allowedCidrs: ["192.0.2.0/24"] }]);
  const made = await users.create(inputs);
  expect(made.id).toBe(EMAIL);
  expect(invited()).toEqual([[EMAIL, ["postgres"]]]);
  const expiresAt = new Date(jit().invitations[0]?.expiresAt ?? 0).toISOString();
  expect(made.state).toMatchObject({ status: "pending", invitationExpiresAt: expiresAt });
  scenario.nextRun();
  const pending = await users.read(made);
  expect(users.diff(pending?.state ?? {}, inputs).changes).toBe(false);

  accept();
  scenario.nextRun();
  const accepted = await users.read(made);
  expect(accepted?.id).toBe(EMAIL);
  expect(accepted?.state).toMatchObject({ status: "accepted", acceptedBy: ANA });
  expect(accepted?.state).not.toHaveProperty("invitationExpiresAt");
  expect(users.diff(accepted?.state ?? {}, inputs).changes).toBe(false);

  await users.update({ id: EMAIL, state: accepted?.state ?? {} }, declared([{ role: "reader" }]));
  expect(jit().users.get(ANA)).toEqual([{ role: "reader" }]);
  expect(invited()).toEqual([]);
  scenario.nextRun();
  await users.delete({ id: EMAIL, state: accepted?.state ?? {} });
  expect(jit().users.size).toBe(0);
});

it("grants the roles at once to a user of the address, in whatever case it is written", async () => {
  scenario.emulator.control.createToken({ user: "ana" });
  editJit((record) => void record.users.set(ANA, [{ role: "admin" }]));
  await expect(users.create(declared([{ role: "postgres" }], { email: "Ana@Example.com" }))).rejects.toThrow(
    "already exists",
  );
  const made = await users.create(
    declared([{ role: "postgres" }], { email: "Ana@Example.com", adopt: true }),
  );
  expect(made.id).toBe(EMAIL);
  expect(made.state).toMatchObject({ email: "Ana@Example.com", status: "accepted", acceptedBy: ANA });
  expect(jit().users.get(ANA)).toEqual([{ role: "postgres" }]);
  expect(invited()).toEqual([]);
});

it("withdraws a pending invitation whose roles change, and sends another one", async () => {
  const made = await users.create(declared());
  const before = jit().invitations[0]?.id;
  const changed = declared([{ role: "postgres" }, { role: "reader" }]);
  expect(users.diff(made.state, changed).replaces).toEqual([]);
  const updated = await users.update(made, changed);
  expect(invited()).toEqual([[EMAIL, ["postgres", "reader"]]]);
  expect(jit().invitations[0]?.id).not.toBe(before);
  scenario.nextRun();
  expect(users.diff((await users.read(updated))?.state ?? {}, changed).changes).toBe(false);
});

it("keeps a limit to branches of a pending invitation that the program does not declare", async () => {
  const made = await users.create(declared([{ role: "postgres", branchesOnly: true }]));
  const open = declared([{ role: "postgres" }, { role: "reader" }]);
  await users.update(made, open);
  expect(jit().invitations[0]?.roles).toEqual([
    { role: "postgres", branches_only: true },
    { role: "reader" },
  ]);
});

it("gives the changed roles to whoever accepted between the listing and the withdrawal", async () => {
  const made = await users.create(declared());
  scenario.nextRun();
  scenario.emulator.control.createToken({ user: "ana" });
  const { items } = scenario.emulator.control.call("listJitUsers", { ref });
  accept();
  scenario.emulator.control.addFault({ operation: "listJitUsers", status: 200, body: { items } });
  const updated = await users.update(made, declared([{ role: "reader" }]));
  expect(jit().users.get(ANA)).toEqual([{ role: "reader" }]);
  expect(invited()).toEqual([]);
  expect(updated.state).toMatchObject({ status: "accepted", acceptedBy: ANA });
});

it("revokes the roles of whoever accepted between the listing and the delete", async () => {
  const made = await users.create(declared());
  scenario.nextRun();
  scenario.emulator.control.createToken({ user: "ana" });
  const { items } = scenario.emulator.control.call("listJitUsers", { ref });
  accept();
  scenario.emulator.control.addFault({ operation: "listJitUsers", status: 200, body: { items } });
  await users.delete(made);
  expect(jit().users.size).toBe(0);
});

it("sends another invitation where one has expired, with a warning and without a refresh", async () => {
  const made = await users.create(declared());
  scenario.clock.advance(WEEK_MS);
  expect(users.diff(made.state, declared()).changes).toBe(true);
  scenario.nextRun();
  const expired = await users.read(made);
  expect(expired?.state).toMatchObject({ status: "expired" });
  expect(scenario.warnings.join("\n")).toContain(`the invitation of ${EMAIL} expired at `);
  const state = expired?.state ?? {};
  expect(users.diff(state, declared()).changes).toBe(true);
  const renewed = await users.update({ id: EMAIL, state }, declared());
  expect(renewed.state).toMatchObject({ status: "pending" });
  expect(jit().invitations).toHaveLength(1);
  expect(users.diff(renewed.state, declared()).changes).toBe(false);
});

it("is gone where the service lists neither a user nor an invitation, and is invited anew", async () => {
  const made = await users.create(declared());
  editJit((record) => void record.invitations.splice(0));
  scenario.nextRun();
  expect(await users.read(made)).toBeUndefined();
  await users.delete(made);
  await users.create(declared());
  expect(invited()).toEqual([[EMAIL, ["postgres"]]]);
});

it("withdraws a pending invitation when it is deleted, twice without harm", async () => {
  const made = await users.create(declared());
  inviteAside([{ role: "admin" }], "ben@example.com");
  scenario.nextRun();
  await users.delete(made);
  expect(invited()).toEqual([["ben@example.com", ["admin"]]]);
  scenario.nextRun();
  await users.delete(made);
});

it("leaves an invitation of somebody else alone, unless it is told to take it over", async () => {
  inviteAside();
  await expect(users.create(declared([{ role: "postgres" }], { __owner: SOMEBODY }))).rejects.toThrow(
    "invited to admin until",
  );
  expect(invited()).toEqual([[EMAIL, ["admin"]]]);
  await users.create(declared([{ role: "postgres" }], { adopt: true }));
  expect(invited()).toEqual([[EMAIL, ["postgres"]]]);
});

it.each(["reset after the work", "500 after the work"])(
  "sends no second invitation where the answer to one is lost: %s",
  async (kind) => {
    const fault = kind.startsWith("500") ? { status: 500, after: true } : { drop: "after" as const };
    scenario.emulator.control.addFault({ operation: "inviteJitUser", ...fault });
    const made = await users.create(declared());
    expect(invited()).toEqual([[EMAIL, ["postgres"]]]);
    expect(scenario.calls("inviteJitUser")).toBe(1);
    expect(made.state).toMatchObject({ status: "pending" });
  },
);

it("withdraws one of two invitations, where a request has arrived late or twice", async () => {
  const made = await users.create(declared());
  inviteAside([{ role: "postgres" }]);
  scenario.nextRun();
  const seen = await users.read(made);
  expect(users.diff(seen?.state ?? {}, declared()).changes).toBe(true);
  const updated = await users.update({ id: EMAIL, state: seen?.state ?? {} }, declared());
  expect(invited()).toEqual([[EMAIL, ["postgres"]]]);
  expect(users.diff(updated.state, declared()).changes).toBe(false);
});

it("leaves no invitation that a user could accept beside the roles of the program", async () => {
  const made = await users.create(declared());
  accept();
  inviteAside([{ role: "admin" }]);
  scenario.nextRun();
  const seen = await users.read(made);
  expect(users.diff(seen?.state ?? {}, declared()).changes).toBe(true);
  await users.update({ id: EMAIL, state: seen?.state ?? {} }, declared());
  expect(invited()).toEqual([]);
  expect(jit().users.get(ANA)).toEqual([{ role: "postgres" }]);
});

it("says plainly that a smaller plan answers 500 to an invitation, and asks once", async () => {
  setPlan("pro");
  await expect(users.create(declared())).rejects.toThrow(
    /inviteJitUser.*500.*lists no invitation of ana@example\.com, so nobody was invited.*the plan may not include invitations/s,
  );
  expect(scenario.calls("inviteJitUser")).toBe(1);
});

it("says plainly that an installation or a plan has no invitations", async () => {
  scenario.emulator.control.addFault({ operation: "inviteJitUser", status: 402, body: { message: "no" } });
  await expect(users.create(declared())).rejects.toThrow(/402/);
  scenario.nextRun();
  scenario.emulator.control.set("newerOperationsOffered", false);
  await expect(users.create(declared())).rejects.toThrow(/inviteJitUser.*404/s);
  expect(invited()).toEqual([]);
});

it("finds nobody by an address where the service shows none, or two users of one", async () => {
  const user = { user_id: ANA, user_roles: [{ role: "postgres" }] };
  const list = (...items: readonly Values[]): void => {
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "listJitUsers", status: 200, body: { items } });
  };
  list(user);
  await expect(users.create(declared())).rejects.toThrow("declare `userId` in place of `email`");
  const of = { primary_email: EMAIL, invite_id: null, expires_at: null };
  list({ ...user, ...of }, { ...user, ...of, user_id: userIdOf("ben") });
  await expect(users.create(declared())).rejects.toThrow("lists several users with the address");
  expect(invited()).toEqual([]);
});

it("invites nobody to roles that have all expired", async () => {
  const past = new Date(scenario.clock.now() - 1_000).toISOString();
  const inputs = declared([{ role: "postgres", expiresAt: past }]);
  const made = await users.create(inputs);
  expect(invited()).toEqual([]);
  scenario.nextRun();
  const read = await users.read(made);
  expect(users.diff(read?.state ?? {}, inputs).changes).toBe(false);
});

it("is imported and listed by its address while it is pending", async () => {
  inviteAside([{ role: "admin" }]);
  const imported = await importResource(scenario.runtime, jitUser, `${ref}/Ana@example.com`, true);
  expect(imported?.inputs).toEqual(declared([{ role: "admin" }]));
  scenario.nextRun();
  expect(await listResources(scenario.runtime, jitUser, { projectRef: ref })).toEqual([
    { id: `${ref}/${EMAIL}`, name: `${EMAIL} (invited)` },
  ]);
});

it("is replaced where the program names another person, and first deleted where it is the same one", async () => {
  const made = await users.create(declared());
  const byId = (userId: string): Values => ({ projectRef: ref, userId, roles: [{ role: "postgres" }] });
  expect(
    users.diff(made.state, declared([{ role: "postgres" }], { email: "ben@example.com" })),
  ).toMatchObject({
    replaces: ["email"],
    deleteBeforeReplace: false,
  });
  accept();
  scenario.nextRun();
  const state = (await users.read(made))?.state ?? {};
  expect(users.diff(state, byId(ANA))).toMatchObject({ replaces: ["userId"], deleteBeforeReplace: true });
  expect(users.diff(state, byId(userIdOf("ben")))).toMatchObject({ deleteBeforeReplace: false });
});

it("says what is wrong with its inputs", () => {
  expect(users.failures(declared([{ role: "a" }], { email: "ana" }))[0]).toMatch(/^email: /);
  expect(users.failures(declared([{ role: "a" }], { userId: ANA }))).toEqual([
    "email: `userId` and `email` cannot be combined: keep the one that you know. For two persons, declare two resources",
  ]);
  expect(users.failures({ projectRef: ref, roles: [{ role: "a" }] })).toEqual([
    "userId: one of `userId` and `email` is required",
  ]);
});
