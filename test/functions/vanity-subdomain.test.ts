import { startScenario, type Scenario } from "../kit/scenario";
import { errorOf, faults, invoke } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

describe("getVanitySubdomainAvailability", () => {
  const ask = (vanitySubdomain: string) =>
    invoke(scenario, "getVanitySubdomainAvailability", { projectRef, vanitySubdomain });

  it("says whether a project can have a name, and takes nothing", async () => {
    const other = scenario.healthyProject("other");
    const body = { vanity_subdomain: "shop" };
    scenario.emulator.control.call("activateVanitySubdomain", { ref: other, body });
    expect(await ask("shop")).toEqual({ available: false });
    expect(await ask("my-shop")).toEqual({ available: true });
    expect(scenario.emulator.world.state.projects.get(projectRef)?.vanitySubdomain).toBeNull();
  });

  it("asks for each name by itself", async () => {
    await Promise.all(["shop", "shop", "my-shop"].map(ask));
    expect(scenario.calls("checkVanitySubdomain")).toBe(2);
  });

  it("passes on why the service does not answer, and refuses what is no name", async () => {
    scenario.emulator.control.set("organizations.acme.plan", "free");
    const error = await errorOf(scenario, "getVanitySubdomainAvailability", {
      projectRef,
      vanitySubdomain: "shop",
    });
    expect(error.message).toContain("need a plan above free");
    expect(faults("getVanitySubdomainAvailability", { projectRef, vanitySubdomain: "My.Shop" })).toEqual([
      'vanitySubdomain: got "My.Shop"; expected at most 63 lowercase letters, digits and hyphens, none of them at an end, as `my-shop`',
    ]);
  });
});
