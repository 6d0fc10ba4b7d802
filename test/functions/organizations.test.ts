import { ForbiddenError, NotFoundError } from "../../provider/client/errors/errors";
import { startScenario, type Scenario } from "../kit/scenario";
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
    expect(error.message).toContain("No organization has the slug nobody");
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

describe("getOrganizations", () => {
  const list = async (given: object = {}): Promise<object[]> =>
    (await invoke<{ organizations: object[] }>(scenario, "getOrganizations", { ...given })).organizations;

  it("returns every organization, or those of a name, in one call for many", async () => {
    const made = scenario.emulator.control.call("createOrganization", { body: { name: "Second" } });
    scenario.emulator.control.clearCalls();
    const [all, ofName, none] = await Promise.all([
      list(),
      list({ name: "Second" }),
      list({ name: "Third" }),
    ]);
    expect(all).toContainEqual({ slug: "acme", id: "acme", name: "Acme" });
    expect(all).toHaveLength(scenario.emulator.world.state.organizations.size);
    expect(ofName).toEqual([{ slug: made.slug, id: made.id, name: "Second" }]);
    expect(none).toEqual([]);
    expect(scenario.calls("listOrganizations")).toBe(1);
  });

  it("says what a token lacks, and refuses bad arguments", async () => {
    scenario.emulator.control.addFault({
      operation: "listOrganizations",
      status: 403,
      message: "not allowed",
    });
    expect(await errorOf(scenario, "getOrganizations", {})).toBeInstanceOf(ForbiddenError);
    expect(faults("getOrganizations", { slug: "acme" })).toEqual(["slug: unknown property; known: name"]);
  });
});

describe("getMembers", () => {
  const list = async (): Promise<object[]> =>
    (await invoke<{ members: object[] }>(scenario, "getMembers", { organizationSlug: "acme" })).members;

  it("returns every member with its role, in one call for many", async () => {
    scenario.emulator.control.edit(({ organizations }) => {
      const member = { user: "eve", name: "Eve", email: null, role: "Read-only", mfaEnabled: true } as const;
      organizations.get("acme")?.members.set("eve", member);
    });
    const [members] = await Promise.all(Array.from({ length: 10 }, list));
    const answer = scenario.emulator.control.call("listMembers", { slug: "acme" });
    expect(members).toHaveLength(answer.length);
    expect(members).toContainEqual({
      userId: answer.find(({ user_name }) => user_name === "Eve")?.user_id,
      userName: "Eve",
      roleName: "Read-only",
      mfaEnabled: true,
    });
    expect(members).toContainEqual(
      expect.objectContaining({ roleName: "Owner", email: expect.stringContaining("@") as string }),
    );
    expect(scenario.calls("listMembers")).toBe(1);
  });

  it("says which organization is not there, and what a token lacks", async () => {
    const error = await errorOf(scenario, "getMembers", { organizationSlug: "nobody" });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain("No organization has the slug nobody");
    scenario.emulator.control.addFault({ operation: "listMembers", status: 403, message: "not allowed" });
    const refused = await errorOf(scenario, "getMembers", { organizationSlug: "acme" });
    expect(refused).toBeInstanceOf(ForbiddenError);
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
    const { all, recommendations } = await regions({ continent: "EU", instanceSize: "xlarge" });
    expect(all.specific.find(({ code }) => code === "eu-west-1")?.status).toBe("capacity");
    expect(all.specific.find(({ code }) => code === "eu-west-2")).not.toHaveProperty("status");
    expect(recommendations.specific.map(({ code }) => code)).not.toContain("eu-west-1");
  });

  it("says which organization is not there, and refuses bad arguments", async () => {
    const error = await errorOf(scenario, "getAvailableRegions", { organizationSlug: "nobody" });
    expect(error).toBeInstanceOf(NotFoundError);
    const lines = faults("getAvailableRegions", { continent: "EUROPE", instanceSize: "huge" });
    expect(lines[0]).toBe("organizationSlug: required, but missing: expected a string");
    // Lists of the service may have more by now.
    expect(lines).toHaveLength(1);
  });

  it("leaves out what the service leaves out", async () => {
    const body = { all: { specific: [{ code: "eu-west-1" }] } };
    scenario.emulator.control.addFault({ operation: "getAvailableRegions", status: 200, body });
    expect(await regions()).toEqual(body);
  });
});
