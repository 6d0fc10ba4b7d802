import { userIdOf } from "../../emulator/service/access/caller";
import { ForbiddenError, NotFoundError } from "../../provider/client/errors/errors";
import { startScenario, type Scenario } from "../kit/scenario";
import { errorOf, faults, invoke, NOBODY } from "./invoke";

const userId = userIdOf("owner");

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
  scenario.emulator.control.call("updateJitAccess", { ref: projectRef, body: { state: "enabled" } });
});
afterEach(() => scenario.close());

const grant = (more: object = {}): unknown =>
  scenario.emulator.control.call("updateJitUser", {
    ref: projectRef,
    body: { user_id: userId, roles: [{ role: "postgres", ...more }] },
  });
const wanted = (more: object = {}) => ({ projectRef, role: "postgres", host: "192.0.2.7", ...more });

it("returns who may assume the role, until when and from where", async () => {
  const expires = scenario.clock.now() + 3_600_000;
  grant({
    expires_at: expires / 1_000,
    allowed_networks: { allowed_cidrs: [{ cidr: "192.0.2.0/24" }], allowed_cidrs_v6: [] },
  });
  expect(await invoke(scenario, "getJitAuthorization", wanted())).toEqual({
    userId,
    role: "postgres",
    expiresAt: new Date(expires).toISOString(),
    allowedCidrs: ["192.0.2.0/24"],
    allowedCidrsV6: [],
  });
});

it("returns what there is where the service leaves the rest out", async () => {
  grant();
  expect(await invoke(scenario, "getJitAuthorization", wanted())).toEqual({ userId, role: "postgres" });
  scenario.emulator.control.addFault({ operation: "authorizeJitAccess", status: 200, body: { moon: 1 } });
  expect(await invoke(scenario, "getJitAuthorization", wanted())).toEqual({});
});

it("fails with the service's reason where the user may not", async () => {
  grant({ allowed_networks: { allowed_cidrs: [{ cidr: "198.51.100.0/24" }] } });
  const elsewhere = await errorOf(scenario, "getJitAuthorization", wanted());
  expect(elsewhere).toBeInstanceOf(ForbiddenError);
  expect(elsewhere.message).toContain("may not be assumed from 192.0.2.7");
  const other = await errorOf(scenario, "getJitAuthorization", wanted({ role: "admin" }));
  expect(other.message).toContain("may not assume the role admin");
});

it("names a project that does not exist, and asks for a role", async () => {
  const error = await errorOf(scenario, "getJitAuthorization", wanted({ projectRef: NOBODY }));
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error.message).toContain(`No project or branch has the reference ${NOBODY}`);
  expect(faults("getJitAuthorization", wanted({ role: "" }))).toHaveLength(1);
});

it("makes one call for many at the same time", async () => {
  grant();
  await Promise.all(Array.from({ length: 10 }, () => invoke(scenario, "getJitAuthorization", wanted())));
  expect(scenario.calls("authorizeJitAccess")).toBe(1);
});
