import { NotFoundError } from "../../provider/client/errors";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { invoke, errorOf, faults } from "./invoke";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

describe("getOrganization", () => {
  it("tells the organization as the service has it", async () => {
    scenario.emulator.control.set("organizations.acme.plan", "team");
    scenario.emulator.control.set("organizations.acme.optInTags", ["AI_LOG_GENERATOR_OPT_IN"]);
    expect(await invoke(scenario, "getOrganization", { slug: "acme" })).toEqual({
      slug: "acme",
      id: "acme",
      name: "Acme",
      plan: "team",
      optInTags: ["AI_LOG_GENERATOR_OPT_IN"],
      allowedReleaseChannels: ["ga"],
    });
  });

  it("says which organization is not there, and refuses bad arguments", async () => {
    const error = await errorOf(scenario, "getOrganization", { slug: "nobody" });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain("no organization with the slug nobody");
    expect(faults("getOrganization", { slug: "a b", name: "Acme" })).toEqual([
      'slug: got "a b"; expected a slug of letters, digits, `_` and `-`, as `acme`',
      "name: unknown property; known: slug",
    ]);
  });

  it("asks once for many that ask at the same time", async () => {
    await Promise.all(
      Array.from({ length: 20 }, () => invoke(scenario, "getOrganization", { slug: "acme" })),
    );
    expect(scenario.calls("getOrganization")).toBe(1);
  });
});

describe("getAvailableRegions", () => {
  interface Options {
    readonly smartGroup: unknown;
    readonly specific: readonly { readonly code: string; readonly status?: string }[];
  }
  const regions = (more: object = {}): Promise<{ recommendations: Options; all: Options }> =>
    invoke(scenario, "getAvailableRegions", { organizationSlug: "acme", ...more });

  it("tells what the service has and recommends", async () => {
    const onService = scenario.emulator.control.call("getAvailableRegions", {
      organization_slug: "acme",
      continent: "AS",
    });
    expect(await regions({ continent: "AS" })).toEqual(onService);
    expect((await regions({ continent: "EU" })).recommendations.smartGroup).toEqual({
      code: "emea",
      name: "Europe, Middle East and Africa",
      type: "smartGroup",
    });
  });

  it("tells where a compute size has no room", async () => {
    scenario.emulator.control.set(["regionsFullFrom", "eu-west-1"], "large", { create: true });
    const { all, recommendations } = await regions({ continent: "EU", desiredInstanceSize: "xlarge" });
    expect(all.specific.find(({ code }) => code === "eu-west-1")?.status).toBe("capacity");
    expect(all.specific.find(({ code }) => code === "eu-west-2")).not.toHaveProperty("status");
    expect(recommendations.specific.map(({ code }) => code)).not.toContain("eu-west-1");
  });

  it("says which organization is not there, and refuses bad arguments", async () => {
    const error = await errorOf(scenario, "getAvailableRegions", { organizationSlug: "nobody" });
    expect(error).toBeInstanceOf(NotFoundError);
    const lines = faults("getAvailableRegions", { continent: "EUROPE", desiredInstanceSize: "huge" });
    expect(lines[0]).toBe("organizationSlug: required, but missing: expected a string");
    expect(lines[1]).toBe('continent: got "EUROPE"; allowed: "NA", "SA", "EU", "AF", "AS", "OC", "AN"');
    expect(lines[2]).toContain('desiredInstanceSize: got "huge"; allowed: "pico"');
  });

  it("leaves out what the service leaves out", async () => {
    const body = { all: { specific: [{ code: "eu-west-1" }] } };
    scenario.emulator.control.addFault({ operation: "getAvailableRegions", status: 200, body });
    expect(await regions()).toEqual(body);
  });
});
