import { startEmulator, type Emulator } from "../../../../../emulator";
import { userIdOf } from "../../../../../emulator/service/access/caller";
import type { JitRole } from "../../../../../emulator/service/world/records/database";
import { createRulesWorld, START, type RulesWorld } from "../rules-world";

const owner = userIdOf("owner");
const ana = userIdOf("ana");

describe("just-in-time access", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
    service.caller.identity = "user:ana";
  });
  const now = (): number => service.world.clock.now() / 1_000;
  const setState = (state: "enabled" | "disabled" | "unavailable") =>
    service.call("updateJitAccess", { ref, body: { state } });
  const grant = (roles: JitRole[], userId = ana) =>
    service.call("updateJitUser", { ref, body: { user_id: userId, roles } });
  const grantRefusal = (...roles: JitRole[]): string =>
    service.refusal("updateJitUser", { ref, body: { user_id: ana, roles } });
  const authorize = (role = "postgres", rhost = "192.0.2.1") =>
    service.call("authorizeJitAccess", { ref, body: { role, rhost } });
  const refusal = (role = "postgres", rhost = "192.0.2.1"): string =>
    service.refusal("authorizeJitAccess", { ref, body: { role, rhost } });

  it("lets a user with a role assume it while it is enabled", () => {
    grant([{ role: "postgres" }]);
    expect(refusal()).toBe("403 Just-in-time access is disabled for this project");
    expect(setState("enabled")).toEqual({ user_id: ana, user_roles: [{ role: "postgres" }] });
    expect(authorize()).toEqual({ user_id: ana, user_role: { role: "postgres" } });
    setState("unavailable");
    expect(refusal()).toBe("403 Just-in-time access is unavailable for this project");
    expect(service.projectRecord(ref).jit.state).toBe("unavailable");
  });

  it("tells callers of their own roles, and everybody of all", () => {
    grant([{ role: "postgres" }]);
    grant([{ role: "reader" }, { role: "writer" }], owner);
    const anas = { user_id: ana, user_roles: [{ role: "postgres" }] };
    const owners = { user_id: owner, user_roles: [{ role: "reader" }, { role: "writer" }] };
    expect(service.call("getJitUser", { ref })).toEqual(anas);
    expect(service.call("getJitAccess", { ref })).toEqual(anas);
    const shown = { invite_id: null, expires_at: null };
    expect(service.call("listJitUsers", { ref })).toEqual({
      items: [
        // She is no member of the organization.
        { ...anas, ...shown, primary_email: null },
        { ...owners, ...shown, primary_email: "owner@example.com" },
      ],
    });
    service.caller.identity = "user:nobody";
    expect(service.refusal("getJitUser", { ref })).toMatch(/^406 /);
    service.world.state.service = "2026-06";
    expect(service.call("getJitUser", { ref })).toEqual({ user_id: userIdOf("nobody"), user_roles: [] });
    expect(service.call("listJitUsers", { ref })).toEqual({ items: [anas, owners] });
  });

  it("answers its state in place of the caller where the service does so", () => {
    grant([{ role: "postgres" }]);
    service.world.state.jitAccessShowsState = true;
    expect(service.call("getJitAccess", { ref })).toEqual({ state: "disabled" });
    expect(setState("enabled")).toEqual({ state: "enabled" });
    expect(service.call("getJitUser", { ref })).toHaveProperty("user_id", ana);
  });

  it("is only for the roles that the user has, which a later grant replaces", () => {
    setState("enabled");
    expect(refusal()).toBe(`403 User ${ana} may not assume the role postgres`);
    grant([{ role: "postgres" }]);
    authorize();
    expect(refusal("reader")).toMatch(/^403 .*may not assume the role reader/);
    grant([{ role: "reader" }]);
    authorize("reader");
    expect(refusal()).toMatch(/^403/);
  });

  it("ends at the time given", () => {
    setState("enabled");
    grant([{ role: "postgres", expires_at: now() + 60 }]);
    service.advance(59);
    authorize();
    service.advance(1);
    expect(refusal()).toBe(`403 The access of user ${ana} to the role postgres has expired`);
  });

  it.each([
    ["192.0.2.77", true],
    ["::ffff:192.0.2.77", true],
    ["192.0.3.1", false],
    ["2001:db8::1", true],
    ["2001:db9::1", false],
  ])("from %s is allowed by the role's networks: %p", (rhost, isAllowed) => {
    setState("enabled");
    const networks = {
      allowed_cidrs: [{ cidr: "192.0.2.0/24" }],
      allowed_cidrs_v6: [{ cidr: "2001:db8::/32" }],
    };
    grant([{ role: "postgres", allowed_networks: networks }]);
    if (isAllowed) expect(authorize("postgres", rhost).user_role.role).toBe("postgres");
    else expect(refusal("postgres", rhost)).toBe(`403 The role postgres may not be assumed from ${rhost}`);
  });

  it("from networks of one family only is refused from the other", () => {
    setState("enabled");
    grant([{ role: "postgres", allowed_networks: { allowed_cidrs: [{ cidr: "0.0.0.0/0" }] } }]);
    authorize();
    expect(refusal("postgres", "2001:db8::1")).toMatch(/^403/);
    grant([{ role: "postgres", allowed_networks: {} }]);
    authorize("postgres", "2001:db8::1");
    expect(refusal("postgres", "db.example.com")).toBe(
      "400 rhost: Expected an IP address, received db.example.com",
    );
  });

  it("is granted with valid roles only, and a refused grant changes nothing", () => {
    grant([{ role: "postgres" }]);
    expect(grantRefusal({ role: "a" }, { role: "a" })).toBe("400 roles.1: the role a is given twice");
    expect(grantRefusal({ role: "a", expires_at: now() })).toMatch(/^400 roles.0.expires_at: .*over already/);
    expect(grantRefusal({ role: "a", expires_at: START + 60_000 })).toMatch(/^400 .*no time in seconds/);
    const v4 = { allowed_cidrs: [{ cidr: "2001:db8::/32" }] };
    expect(grantRefusal({ role: "a", allowed_networks: v4 })).toBe(
      "400 roles.0.allowed_networks.allowed_cidrs: 2001:db8::/32 is no IPv4 network in CIDR notation",
    );
    const v6 = { allowed_cidrs_v6: [{ cidr: "192.0.2.0/33" }] };
    expect(grantRefusal({ role: "a", allowed_networks: v6 })).toMatch(/allowed_cidrs_v6: 192.0.2.0\/33/);
    expect(service.projectRecord(ref).jit.users.get(ana)).toEqual([{ role: "postgres" }]);
  });

  it("is taken from a user with all roles", () => {
    setState("enabled");
    grant([{ role: "postgres" }, { role: "reader" }]);
    service.call("deleteJitUser", { ref, user_id: ana });
    expect(refusal("reader")).toMatch(/^403/);
    expect(service.call("listJitUsers", { ref })).toEqual({ items: [] });
    expect(service.refusal("deleteJitUser", { ref, user_id: ana })).toMatch(/^404 .*no just-in-time access/);
  });
});

describe("an invitation to just-in-time access", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const setPlan = (plan: "free" | "pro" | "team" | "enterprise" | "platform"): void => {
    const organization = service.world.state.organizations.get("acme");
    if (organization === undefined) throw new Error("There is no such organization");
    organization.plan = plan;
  };
  const roles = [{ role: "postgres" }];
  const invite = (email = "ana@example.com") =>
    service.call("inviteJitUser", { ref, body: { email, roles } });

  it("is listed until it is withdrawn", () => {
    setPlan("platform");
    const { invite_id: id, ...rest } = invite();
    expect(rest).toEqual({ email: "ana@example.com", user_roles: roles });
    expect(service.call("listJitUsers", { ref }).items).toEqual([
      {
        user_id: null,
        primary_email: "ana@example.com",
        invite_id: id,
        expires_at: new Date(service.world.clock.now() + 7 * 24 * 3_600_000).toISOString(),
        user_roles: roles,
      },
    ]);
    service.call("deleteJitInvitation", { ref, invite_id: id });
    expect(service.call("listJitUsers", { ref }).items).toEqual([]);
    expect(service.refusal("deleteJitInvitation", { ref, invite_id: id })).toMatch(/^404 /);
  });

  it("is 500 on smaller plans, and of a request that is invalid 400", () => {
    const body = { email: "ana@example.com", roles };
    expect(service.refusal("inviteJitUser", { ref, body })).toMatch(/^500 /);
    setPlan("team");
    const twice = { ...body, roles: [...roles, ...roles] };
    expect(service.refusal("inviteJitUser", { ref, body: twice })).toMatch(/^400 roles.1: .*twice/);
    expect(service.call("listJitUsers", { ref }).items).toEqual([]);
  });
});

describe("the user of just-in-time access", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator({ pace: 0 });
  });
  afterEach(() => emulator.close());

  it("is the one whose token it is, who is a member under the same id", async () => {
    const { control } = emulator;
    const body = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
    const { ref } = control.call("createProject", { body });
    const userOf = async (token: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${emulator.url}/v1/projects/${ref}/jit-access`, { headers });
      return ((await answer.json()) as { user_id: unknown }).user_id;
    };
    const app = control.createOAuthApp({ scopes: ["database:read"], user: "ben" });
    const refresh = {
      grant_type: "refresh_token",
      client_id: app.clientId,
      client_secret: app.clientSecret,
      refresh_token: app.refreshToken,
    };
    const token = await fetch(`${emulator.url}/v1/oauth/token`, {
      method: "POST",
      body: new URLSearchParams(refresh),
    });
    // The emulator compares its answers with the operation table.
    const { access_token: accessToken } = (await token.json()) as { access_token: string };
    expect(await userOf(emulator.accessToken)).toBe(owner);
    expect(await userOf(control.createToken({ user: "ana" }))).toBe(ana);
    expect(await userOf(accessToken)).toBe(userIdOf("ben"));
    const members = control.call("listMembers", { slug: "acme" }).map((member) => member.user_id);
    expect(members).toEqual(expect.arrayContaining([owner, ana]));
  });
});
