import type { Values } from "../../../provider/define/values";
import { restLayerConfig } from "../../../provider/resources/services/rest-layer-config/rest-layer-config";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let configs: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  configs = scenario.manage(restLayerConfig);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, ...more });
const onService = () => scenario.emulator.world.state.projects.get(ref)?.restLayer;
const editOutside = (edit: Partial<NonNullable<ReturnType<typeof onService>>>): void =>
  scenario.emulator.control.edit(({ projects }) => {
    Object.assign(projects.get(ref)?.restLayer ?? {}, edit);
  });

it("writes just what is declared, and restores what it found but not what others set", async () => {
  const inputs = declared({ dbSchema: "public,api", maxRows: 500 });
  const made = await configs.create(inputs);
  expect(onService()).toMatchObject({ dbSchema: "public,api", maxRows: 500, dbPool: null });
  expect(made.state).toMatchObject({
    dbSchema: "public,api",
    maxRows: 500,
    jwtSecret: scenario.emulator.world.state.projects.get(ref)?.jwtSecret,
    __found: { values: { dbSchema: "public,graphql_public", maxRows: 1000 }, unset: [] },
  });

  scenario.nextRun();
  const changed = declared({ dbSchema: "public,api", maxRows: 250 });
  expect([...configs.diff(made.state, changed).changed]).toEqual(["maxRows"]);
  const updated = await configs.update(made, changed);
  expect(onService()).toMatchObject({ dbSchema: "public,api", maxRows: 250 });

  editOutside({ maxRows: 7, dbExtraSearchPath: "theirs" });
  scenario.nextRun();
  const drifted = await configs.read(updated);
  expect(drifted?.inputs).toMatchObject({ maxRows: 7 });
  expect([...configs.diff(drifted?.state ?? {}, changed).changed]).toEqual(["maxRows"]);
  const repaired = await configs.update({ id: ref, state: drifted?.state ?? {} }, changed);
  expect(onService()).toMatchObject({ maxRows: 250, dbExtraSearchPath: "theirs" });

  const before = { dbSchema: "public,graphql_public", maxRows: 1000, dbExtraSearchPath: "theirs" };
  await configs.delete(repaired);
  expect(onService()).toMatchObject(before);
});

it("has the JWT secret that the answer to a change lacks", async () => {
  const made = await configs.create(declared({ maxRows: 5 }));
  expect(made.state["jwtSecret"]).toBe(scenario.emulator.world.state.projects.get(ref)?.jwtSecret);
});

it("takes the spaces between the names of schemas for no difference, and their order for one", async () => {
  const made = await configs.create(declared({ dbExtraSearchPath: "public,extensions" }));
  expect(scenario.calls("updateRestLayerConfig")).toBe(0);
  const diff = (dbExtraSearchPath: string) => configs.diff(made.state, declared({ dbExtraSearchPath }));
  expect(diff("public , extensions").changed.size).toBe(0);
  expect([...diff("extensions, public").changed]).toEqual(["dbExtraSearchPath"]);
});

it("sees a pool that was reset outside, and sets it again", async () => {
  const made = await configs.create(declared({ dbPool: 20 }));
  editOutside({ dbPool: null });
  scenario.nextRun();
  const read = await configs.read(made);
  expect(read?.inputs).not.toHaveProperty("dbPool");
  expect([...configs.diff(read?.state ?? {}, declared({ dbPool: 20 })).changed]).toEqual(["dbPool"]);
  await configs.update({ id: ref, state: read?.state ?? {} }, declared({ dbPool: 20 }));
  expect(onService()).toMatchObject({ dbPool: 20 });
});

it("leaves a pool that had no size before, as the API cannot unset one, and says so", async () => {
  const made = await configs.create(declared({ dbPool: 20, maxRows: 5 }));
  const updated = await configs.update(made, declared({ maxRows: 6 }));
  expect(onService()).toMatchObject({ dbPool: 20, maxRows: 6 });
  expect(scenario.warnings.join()).toContain("the API cannot unset `dbPool` of the RestLayerConfig");
  expect(updated.state).toMatchObject({ __found: { values: { maxRows: 1000 }, unset: [] } });

  const again = await configs.create(declared({ dbPool: 30 }));
  await configs.delete(again);
  expect(onService()).toMatchObject({ dbPool: 20 });
});

describe("an empty schema", () => {
  it("is set with a warning, and set right again while the service is unhealthy", async () => {
    const made = await configs.create(declared({ dbSchema: "" }));
    expect(onService()).toMatchObject({ dbSchema: "" });
    expect(scenario.warnings.join()).toContain(`\`dbSchema\` of the project ${ref} is empty`);
    const health = scenario.emulator.control.call("getHealth", { ref, services: ["rest"] });
    expect(health).toMatchObject([{ status: "UNHEALTHY" }]);
    scenario.warnings.length = 0;
    await configs.delete(made);
    expect(onService()).toMatchObject({ dbSchema: "public,graphql_public" });
    expect(scenario.warnings).toEqual([]);
  });

  it("is warned of where it is there already", async () => {
    editOutside({ dbSchema: "" });
    await configs.create(declared({ dbSchema: " " }));
    expect(scenario.calls("updateRestLayerConfig")).toBe(0);
    expect(scenario.warnings).toHaveLength(1);
  });
});

it("sets and restores a setting of a later version, and keeps it otherwise", async () => {
  scenario.emulator.control.set("newer", true);
  const acquisition = () =>
    scenario.emulator.control.call("getRestLayerConfig", { ref }) as { db_pool_acquisition_timeout?: number };
  const inputs = declared({ extraSettings: { db_pool_acquisition_timeout: 30 } });
  const made = await configs.create(inputs);
  const others = await configs.create(declared({ maxRows: 5 }));
  expect(acquisition()).toMatchObject({ db_pool_acquisition_timeout: 30, max_rows: 5 });
  scenario.nextRun();
  const read = await configs.read(made);
  expect(configs.diff(read?.state ?? {}, inputs).changes).toBe(false);
  await configs.delete(made);
  expect(acquisition()).toMatchObject({ db_pool_acquisition_timeout: 10, max_rows: 5 });
  await configs.delete(others);
});

it("refuses the wire's names of settings that have a property", () => {
  expect(configs.failures(declared({ extraSettings: { max_rows: 5 } }))).toEqual([
    "extraSettings.max_rows: declare `maxRows` instead, which this version supports",
  ]);
});

it("is gone with its project", async () => {
  const made = await configs.create(declared({ maxRows: 5 }));
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  scenario.clock.advance(10 * 60_000);
  scenario.nextRun();
  expect(await configs.read(made)).toBeUndefined();
  await configs.delete(made);
});
