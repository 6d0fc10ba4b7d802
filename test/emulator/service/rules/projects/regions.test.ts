import { startEmulator, type Emulator } from "../../../../../emulator";
import type { OperationAnswer, OAuthScope, OperationParameters } from "../../../../../spec/operation";
import { operations, type Operations } from "../../../../../spec/table";
import { createRulesWorld, type RulesWorld } from "../rules-world";

type Query = Omit<OperationParameters<Operations["getAvailableRegions"]>, "organization_slug">;

describe("the regions available", () => {
  let service: RulesWorld;
  beforeEach(() => {
    service = createRulesWorld();
  });
  const regionsFor = (query: Query = {}): OperationAnswer<Operations["getAvailableRegions"]> =>
    service.call("getAvailableRegions", { organization_slug: "acme", ...query });
  const recommended = (query: Query = {}): { group: string; codes: string[] } => {
    const { smartGroup, specific } = regionsFor(query).recommendations;
    return { group: smartGroup.code, codes: specific.map(({ code }) => code) };
  };

  it("are all regions and groups that a project can be made in", () => {
    const { all } = regionsFor();
    expect(all.smartGroup.map(({ code, type }) => [code, type])).toEqual([
      ["americas", "smartGroup"],
      ["emea", "smartGroup"],
      ["apac", "smartGroup"],
    ]);
    expect(all.specific).toHaveLength(18);
    expect(new Set(all.specific.map(({ name }) => name)).size).toBe(18);
    for (const { code } of all.specific) {
      const body = { name: code, organization_slug: "acme", db_pass: "pass" };
      const region_selection = { type: "specific" as const, code };
      expect(service.call("createProject", { body: { ...body, region_selection } }).region).toBe(code);
    }
  });

  it("are recommended by continent, and by the group of one that has none", () => {
    expect(recommended({ continent: "EU" })).toEqual({
      group: "emea",
      codes: ["eu-central-1", "eu-central-2", "eu-west-1", "eu-west-2", "eu-west-3", "eu-north-1"],
    });
    expect(recommended({ continent: "OC" })).toEqual({ group: "apac", codes: ["ap-southeast-2"] });
    expect(recommended({ continent: "SA" })).toEqual({ group: "americas", codes: ["sa-east-1"] });
    expect(recommended({ continent: "AF" }).codes).toEqual(recommended({ continent: "EU" }).codes);
    expect(recommended({ continent: "AN" })).toEqual(recommended());
  });

  it("recommend the group whose chosen region is the first one recommended", () => {
    for (const continent of ["NA", "EU", "AS"] as const) {
      const { group, codes } = recommended({ continent });
      const body = { name: "shop", organization_slug: "acme", db_pass: "pass" };
      const code = group as "americas" | "emea" | "apac";
      const made = service.call("createProject", {
        body: { ...body, region_selection: { type: "smartGroup", code } },
      });
      expect(codes[0]).toBe(made.region);
    }
  });

  it("take no project whose size they have no room for; a group finds another region of its own", () => {
    const body = {
      name: "big",
      organization_slug: "acme",
      db_pass: "pass",
      desired_instance_size: "8xlarge",
    } as const;
    Object.assign(service.world.state.regionsFullFrom, { "ap-east-1": "8xlarge", "ap-southeast-1": "micro" });
    const specific = { type: "specific", code: "ap-east-1" } as const;
    expect(service.refusal("createProject", { body: { ...body, region_selection: specific } })).toBe(
      "400 The region ap-east-1 has no capacity for the size 8xlarge",
    );
    const group = { type: "smartGroup", code: "apac" } as const;
    const made = service.call("createProject", { body: { ...body, region_selection: group } });
    expect(made.region).not.toBe("ap-southeast-1");
    expect(made.region).toMatch(/^ap-/);
  });

  it("tell where a size has no room, and do not recommend it there", () => {
    const full = (query: Query): string[] =>
      regionsFor(query).all.specific.flatMap(({ code, status }) => (status === "capacity" ? [code] : []));
    expect(full({})).toEqual([]);
    expect(full({ desired_instance_size: "8xlarge" })).toEqual(["ap-east-1"]);
    expect(full({ desired_instance_size: "24xlarge_high_memory" })).toEqual(["ap-east-1", "eu-central-2"]);
    expect(recommended({ continent: "EU", desired_instance_size: "24xlarge" }).codes).not.toContain(
      "eu-central-2",
    );
    expect(recommended({ continent: "SA", desired_instance_size: "48xlarge" })).toEqual({
      group: "americas",
      codes: [],
    });
    service.world.state.regionsFullFrom["eu-west-1"] = "pico";
    expect(full({})).toEqual(["eu-west-1"]);
  });

  it("are refused for an organization that does not exist", () => {
    expect(service.refusal("getAvailableRegions", { organization_slug: "nobody" })).toBe(
      "404 Organization not found",
    );
  });
});

describe("the call for the regions available", () => {
  const path = "/v1/projects/available-regions?organization_slug=acme";
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator();
  });
  afterEach(() => emulator.close());
  const send = (target: string, accessToken = emulator.accessToken): Promise<Response> =>
    fetch(`${emulator.url}${target}`, { headers: { authorization: `Bearer ${accessToken}` } });

  it("is answered beside the projects, and counts for the account", async () => {
    const answer = await send(`${path}&continent=EU`);
    expect(answer.status).toBe(200);
    operations.getAvailableRegions.success.schema.parse(await answer.json());
    const before = Number(answer.headers.get("x-ratelimit-remaining"));
    const another = await send("/v1/organizations");
    expect(Number(another.headers.get("x-ratelimit-remaining"))).toBe(before - 1);
  });

  it("is refused with every fault of its query", async () => {
    const refused = await send("/v1/projects/available-regions?continent=XX&desired_instance_size=huge");
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      message: [
        "organization_slug: Required",
        expect.stringMatching(/^continent: Invalid enum value. Expected 'NA' \| .*, received 'XX'$/),
        expect.stringMatching(/^desired_instance_size: Invalid enum value. /),
      ],
    });
  });

  it("needs a token, with OAuth one of the scope organizations:read", async () => {
    expect((await fetch(`${emulator.url}${path}`)).status).toBe(401);
    const tokenOf = async (scope: OAuthScope): Promise<string> => {
      const app = emulator.control.createOAuthApp({ scopes: [scope] });
      const body = new URLSearchParams({
        grant_type: "refresh_token",
        client_id: app.clientId,
        client_secret: app.clientSecret,
        refresh_token: app.refreshToken,
      });
      const answer = await fetch(`${emulator.url}/v1/oauth/token`, { method: "POST", body });
      // The emulator compares its answers with the operation table.
      return ((await answer.json()) as { access_token: string }).access_token;
    };
    expect((await send(path, await tokenOf("projects:read"))).status).toBe(403);
    expect((await send(path, await tokenOf("organizations:read"))).status).toBe(200);
  });

  it("is refused beyond 120 calls a minute", async () => {
    for (let count = 0; count < 120; count += 1) expect((await send(path)).status).toBe(200);
    expect((await send(path)).status).toBe(429);
  });
});
