import { importResource } from "../../../provider/engine/import";
import type { Values } from "../../../provider/define/values";
import { jitUser } from "../../../provider/resources/database/jit-user/jit-user";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let users: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  users = scenario.manage(jitUser);
});
afterEach(() => scenario.close());

const USER = "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50";
const declared = (roles: readonly Values[], more: Values = {}): Values => ({
  projectRef: ref,
  userId: USER,
  roles,
  ...more,
});
const onService = (user = USER) => scenario.emulator.world.state.projects.get(ref)?.jit.users.get(user);
const editOutside = (roles: NonNullable<ReturnType<typeof onService>>): void =>
  scenario.emulator.control.edit(({ projects }) => void projects.get(ref)?.jit.users.set(USER, roles));
const inSeconds = (seconds: number): string => new Date(scenario.clock.now() + seconds * 1_000).toISOString();

it("writes times and networks as the service takes them, and takes back a role that others gave", async () => {
  const inputs = declared([
    { role: "postgres", expiresAt: "2040-01-31T18:00:00Z", allowedCidrs: ["192.0.2.0/24"] },
    { role: "read_only_user", allowedCidrsV6: ["2001:db8::/32"] },
  ]);
  const made = await users.create(inputs);
  expect(made.id).toBe(USER);
  expect(onService()).toEqual([
    {
      role: "postgres",
      expires_at: Date.parse("2040-01-31T18:00:00Z") / 1_000,
      allowed_networks: { allowed_cidrs: [{ cidr: "192.0.2.0/24" }], allowed_cidrs_v6: [] },
    },
    {
      role: "read_only_user",
      allowed_networks: { allowed_cidrs: [], allowed_cidrs_v6: [{ cidr: "2001:db8::/32" }] },
    },
  ]);

  const changed = declared([{ role: "postgres" }]);
  expect(users.diff(made.state, changed)).toMatchObject({ replaces: [] });
  const updated = await users.update(made, changed);
  expect(onService()).toEqual([{ role: "postgres" }]);

  editOutside([{ role: "postgres" }, { role: "admin" }]);
  scenario.nextRun();
  const drifted = await users.read(updated);
  expect([...users.diff(drifted?.state ?? {}, changed).changed]).toEqual(["roles"]);
  await users.update({ id: USER, state: drifted?.state ?? {} }, changed);
  expect(onService()).toEqual([{ role: "postgres" }]);
});

it("takes order and spellings of networks and times for nothing", async () => {
  const made = await users.create(
    declared([
      { role: "a", allowedCidrs: ["192.0.2.0/24", "198.51.100.7/32"], expiresAt: "2040-01-31T18:00:00Z" },
      { role: "b", allowedCidrsV6: ["2001:db8::/32"] },
    ]),
  );
  const others = declared([
    { role: "b", allowedCidrsV6: ["2001:0DB8:0:0::1/32"] },
    {
      role: "a",
      allowedCidrs: ["198.51.100.7/32", "192.0.2.9/24"],
      expiresAt: "2040-01-31T20:00:00.400+02:00",
    },
  ]);
  expect(users.diff(made.state, others).changes).toBe(false);
  const another = declared([{ role: "a" }, { role: "b", allowedCidrsV6: ["2001:db8::/33"] }]);
  expect([...users.diff(made.state, another).changed]).toEqual(["roles"]);
});

it("warns of a role that has expired, and neither grants nor misses it", async () => {
  const inputs = declared([{ role: "postgres", expiresAt: inSeconds(600) }, { role: "admin" }]);
  const made = await users.create(inputs);
  expect(scenario.warnings).toEqual([]);
  scenario.clock.advance(601_000);
  editOutside([{ role: "admin" }]);
  scenario.nextRun();
  const read = await users.read(made);
  expect(users.diff(read?.state ?? {}, inputs).changes).toBe(false);
  expect(scenario.warnings.join("\n")).toContain(`the access of user ${USER} to postgres`);

  const changed = declared([{ role: "postgres", expiresAt: inSeconds(-1) }, { role: "reader" }]);
  await users.update({ id: USER, state: read?.state ?? {} }, changed);
  expect(onService()).toEqual([{ role: "reader" }]);
});

it("stays in state when all its roles have expired and the service forgets the user", async () => {
  const inputs = declared([{ role: "postgres", expiresAt: inSeconds(600) }]);
  const made = await users.create(inputs);
  scenario.clock.advance(601_000);
  scenario.emulator.control.call("deleteJitUser", { ref, user_id: USER });
  scenario.nextRun();
  const read = await users.read(made);
  expect(users.diff(read?.state ?? {}, inputs).changes).toBe(false);
  await users.delete(made);
});

it("passes over people who are only invited", async () => {
  const made = await users.create(declared([{ role: "postgres" }]));
  const { items } = scenario.emulator.control.call("listJitUsers", { ref });
  const invited = { user_id: null, user_roles: [{ role: "postgres" }] };
  scenario.emulator.control.addFault({
    operation: "listJitUsers",
    status: 200,
    body: { items: [invited, ...items] },
  });
  scenario.nextRun();
  const read = await users.read(made);
  expect(users.diff(read?.state ?? {}, declared([{ role: "postgres" }])).changes).toBe(false);
});

it.each(["absent", "null"])("is no user without roles where the listing has them %s", async (how) => {
  const made = await users.create(declared([{ role: "postgres" }]));
  const items = scenario.emulator.control
    .call("listJitUsers", { ref })
    .items.map(({ user_roles: _roles, ...user }) => ({
      ...user,
      ...(how === "null" && { user_roles: null }),
    }));
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "listJitUsers", status: 200, body: { items }, times: 10 });
  await expect(users.read(made)).rejects.toThrow("items[0].user_roles");
});

it("takes no roles away that somebody else granted, unless it is told to take them over", async () => {
  await users.create(declared([{ role: "admin" }], { __owner: SOMEBODY }));
  scenario.nextRun();
  await expect(users.create(declared([{ role: "postgres" }]))).rejects.toThrow("already exists");
  expect(onService()).toEqual([{ role: "admin" }]);
  await users.create(declared([{ role: "postgres" }], { adopt: true }));
  expect(onService()).toEqual([{ role: "postgres" }]);
});

it("is imported with the roles that the user has", async () => {
  editOutside([{ role: "admin", allowed_networks: { allowed_cidrs: [{ cidr: "192.0.2.0/24" }] } }]);
  const imported = await importResource(scenario.runtime, jitUser, `${ref}/${USER}`, true);
  expect(imported?.inputs).toEqual(declared([{ role: "admin", allowedCidrs: ["192.0.2.0/24"] }]));
});

it("reads ten users in one call", async () => {
  const ids = Array.from({ length: 10 }, (_, index) => USER.replace(/^../, `a${index}`));
  const made = await Promise.all(
    ids.map((userId) => users.create(declared([{ role: "postgres" }], { userId }))),
  );
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all(made.map((each) => users.read(each)));
  expect(scenario.calls()).toBe(1);
});

it("limits a role to branches, and leaves that as it is where the program does not say", async () => {
  const limited = declared([{ role: "postgres", branchesOnly: true }]);
  const made = await users.create(limited);
  expect(onService()).toEqual([{ role: "postgres", branches_only: true }]);
  scenario.nextRun();
  expect(users.diff((await users.read(made))?.state ?? {}, limited).changes).toBe(false);

  const open = declared([{ role: "postgres", expiresAt: "2040-01-31T18:00:00Z" }]);
  const updated = await users.update(made, open);
  expect(onService()).toMatchObject([{ role: "postgres", branches_only: true }]);
  scenario.nextRun();
  expect(users.diff((await users.read(updated))?.state ?? {}, open).changes).toBe(false);

  await users.update(updated, declared([{ role: "postgres", branchesOnly: false }]));
  expect(onService()).toEqual([{ role: "postgres", branches_only: false }]);
});

it("says what is wrong with its inputs", () => {
  const reasons = (role: Values): string => users.failures(declared([role])).join("\n");
  expect(reasons({ role: "a", allowedCidrs: ["192.0.2.0"] })).toMatch(
    /^roles\[0\]\.allowedCidrs\[0\]: .*expected a range of IPv4 addresses in CIDR notation/,
  );
  expect(reasons({ role: "a", allowedCidrs: ["2001:db8::/32"] })).toContain(
    "expected a range of IPv4 addresses",
  );
  expect(reasons({ role: "a", allowedCidrsV6: ["192.0.2.0/24"] })).toContain(
    "expected a range of IPv6 addresses",
  );
  expect(reasons({ role: "a", allowedCidrs: [] })).toMatch(/^roles\[0\]\.allowedCidrs: /);
  expect(reasons({ role: "a", expiresAt: "tomorrow" })).toContain("expected a time in ISO 8601");
  expect(users.failures(declared([{ role: "a" }, { role: "a" }]))).toEqual([
    "roles[1].role: the role a is declared twice: declare it once, with all its networks",
  ]);
  expect(users.failures(declared([]))[0]).toMatch(/^roles: /);
  expect(users.failures(declared([{ role: "a" }], { userId: "me" }))[0]).toMatch(/^userId: /);
});
