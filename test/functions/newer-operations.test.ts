import { asDocumented, asMeasured } from "../../tools/fixtures/documented-service";
import { startScenario, type Scenario } from "../kit/scenario";
import { errorOf, faults, invoke, NOBODY } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

it.each([
  ["getProfile", {}],
  ["getEntitlements", { organizationSlug: "acme" }],
  ["getRestorePoints", {}],
  ["getDatabaseOpenapi", {}],
])("%s says that an installation does not have the operation", async (name, given) => {
  scenario.emulator.control.set("newerOperationsOffered", false);
  const isOfProject = ["getRestorePoints", "getDatabaseOpenapi"].includes(name);
  const error = await errorOf(scenario, name, isOfProject ? { projectRef, ...given } : given);
  expect(error.message).toContain("This installation does not have the operation get");
});

describe("getProfile", () => {
  it("returns whose token it is", async () => {
    const found = await invoke(scenario, "getProfile", {});
    expect(found).toMatchObject({ username: "owner", primaryEmail: "owner@example.com" });
    expect(found["authId"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("getEntitlements", () => {
  const read = async (organizationSlug: string): Promise<object[]> =>
    (await invoke<{ entitlements: object[] }>(scenario, "getEntitlements", { organizationSlug }))
      .entitlements;

  it("returns what the plan allows, of each type", async () => {
    const paid = await read("acme");
    expect(paid).toContainEqual({
      feature: "custom_domain",
      type: "boolean",
      hasAccess: true,
      enabled: true,
    });
    expect(paid).toContainEqual({
      feature: "function.max_count",
      type: "numeric",
      hasAccess: true,
      enabled: true,
      value: 1000,
      unlimited: false,
      unit: "functions",
    });
    expect(paid).toContainEqual({
      feature: "pitr.available_variants",
      type: "set",
      hasAccess: true,
      enabled: true,
      values: ["pitr_7", "pitr_14", "pitr_28"],
    });
    const free = await read("hobby");
    expect(free).toHaveLength(paid.length);
    expect(free).toContainEqual({
      feature: "custom_domain",
      type: "boolean",
      hasAccess: false,
      enabled: false,
    });
  });

  it("says which organization is not there, and does without what an answer lacks", async () => {
    const error = await errorOf(scenario, "getEntitlements", { organizationSlug: "nobody" });
    expect(error.message).toContain("No organization has the slug nobody");
    scenario.emulator.control.addFault({
      operation: "getEntitlements",
      status: 200,
      body: { entitlements: [{ feature: { key: "moon" }, config: null }] },
    });
    expect(await read("acme")).toEqual([{ feature: "moon" }]);
  });
});

describe("getRestorePoints", () => {
  beforeEach(() => scenario.emulator.control.edit(asDocumented));
  const read = (given: object = {}) => invoke(scenario, "getRestorePoints", { projectRef, ...given });

  it("returns the latest one, or the one of a name, or none", async () => {
    expect(await read()).toEqual({ restorePoints: [] });
    const { control } = scenario.emulator;
    control.call("createRestorePoint", { ref: projectRef, body: { name: "first" } });
    scenario.clock.advance(60_000);
    control.call("createRestorePoint", { ref: projectRef, body: { name: "second" } });
    const completedAt = new Date(scenario.clock.now()).toISOString();
    expect(await read()).toEqual({ restorePoints: [{ name: "second", status: "PENDING" }] });
    expect(await read({ name: "first" })).toEqual({
      restorePoints: [{ name: "first", status: "AVAILABLE", completedAt }],
    });
    expect(await read({ name: "third" })).toEqual({ restorePoints: [] });
  });

  // service, Backups: refused to every project and plan.
  it("says that the service does not offer restore points", async () => {
    scenario.emulator.control.edit(asMeasured);
    const error = await errorOf(scenario, "getRestorePoints", { projectRef });
    expect(error.message).toMatch(/does not offer restore points at the moment.*unavailable at the moment/);
  });

  it("says which project is not there, and refuses a longer name", async () => {
    const error = await errorOf(scenario, "getRestorePoints", { projectRef: NOBODY });
    expect(error.message).toContain(`the reference ${NOBODY}`);
    expect(faults("getRestorePoints", { projectRef, name: "a-name-of-over-20-letters" })).toHaveLength(1);
  });
});

describe("getDatabaseOpenapi", () => {
  it("describes the tables of a schema", async () => {
    const query = "create table public.products (id int primary key, name text not null, price numeric)";
    await scenario.emulator.control.call("runQuery", { ref: projectRef, body: { query } });
    const { document } = await invoke<{ document: string }>(scenario, "getDatabaseOpenapi", { projectRef });
    expect(JSON.parse(document)).toMatchObject({
      swagger: "2.0",
      paths: { "/products": { get: {}, post: {}, patch: {}, delete: {} } },
      definitions: {
        products: {
          required: ["id", "name"],
          properties: {
            id: { type: "integer", format: "int4" },
            name: { type: "string", format: "text" },
            price: { type: "number", format: "numeric" },
          },
        },
      },
    });
    const error = await errorOf(scenario, "getDatabaseOpenapi", { projectRef, schema: "moon" });
    expect(error.message).toContain("There is no schema called moon");
  });
});
