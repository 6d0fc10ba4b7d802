import { startScenario, type Scenario } from "../kit/scenario";
import { invoke } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const USER = "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50";

describe("getJitUsers", () => {
  const read = () => invoke(scenario, "getJitUsers", { projectRef });

  it("returns the users with their roles, until when and from where", async () => {
    expect(await read()).toEqual({ users: [] });
    const role = {
      role: "postgres",
      expires_at: Date.parse("2030-01-31T18:00:00Z") / 1_000,
      allowed_networks: { allowed_cidrs: [{ cidr: "192.0.2.0/24" }], allowed_cidrs_v6: [] },
    };
    const body = { user_id: USER, roles: [role, { role: "read_only_user" }] };
    scenario.emulator.control.call("updateJitUser", { ref: projectRef, body });
    const roles = [
      { role: "postgres", expiresAt: "2030-01-31T18:00:00.000Z", allowedCidrs: ["192.0.2.0/24"] },
      { role: "read_only_user" },
    ];
    expect(await read()).toEqual({ users: [{ userId: USER, roles }] });
  });

  it("returns who is only invited, without an identifier", async () => {
    const body = { items: [{ user_id: null, user_roles: [{ role: "postgres" }] }] };
    scenario.emulator.control.addFault({ operation: "listJitUsers", status: 200, body });
    expect(await read()).toEqual({ users: [{ roles: [{ role: "postgres" }] }] });
  });
});
