import { createState } from "../../../../emulator/service/create-state";
import { createRulesWorld } from "./rules-world";

describe("the state", () => {
  it("is plain data that can be copied as a whole", () => {
    const service = createRulesWorld();
    const ref = service.healthyProject();
    service.call("createBranch", { ref, body: { branch_name: "preview" } });
    service.call("createApiKey", { ref, body: { type: "secret", name: "backend" } });
    expect(structuredClone(service.world.state)).toEqual(service.world.state);
  });

  it("begins with the seeded organizations and nothing else, each time anew", () => {
    const seed = { organizations: [{ slug: "acme", name: "Acme" }] };
    const first = createState(seed);
    first.signingKeyMoves.in_use.push("revoked");
    first.functionQuotas.pro = 1;
    const second = createState(seed);
    expect([...second.organizations.keys()]).toEqual(["acme"]);
    expect([second.projects.size, second.branches.size]).toEqual([0, 0]);
    expect(second.signingKeyMoves.in_use).toEqual([]);
    expect(second.functionQuotas.pro).toBe(1_000);
  });

  it("settles anew when a test moves the beginning of an activity", () => {
    const service = createRulesWorld();
    const ref = service.healthyProject();
    const project = service.projectRecord(ref);
    project.activity = { kind: "restart", since: service.world.clock.now(), outcome: "ACTIVE_HEALTHY" };
    expect(service.call("getProject", { ref }).status).toBe("RESTARTING");
    project.activity = { kind: "rest", since: service.world.clock.now(), outcome: "ACTIVE_HEALTHY" };
    expect(service.call("getHealth", { ref, services: ["pooler"] })[0]?.healthy).toBe(true);
  });
});
