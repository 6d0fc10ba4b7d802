import type { Values } from "../../../provider/define/values";
import { poolerConfig } from "../../../provider/resources/database/pooler-config/pooler-config";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let configs: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  configs = scenario.manage(poolerConfig);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, ...more });
const onService = () => scenario.emulator.world.state.projects.get(ref)?.pooler;
const editOutside = (edit: Partial<NonNullable<ReturnType<typeof onService>>>): void =>
  scenario.emulator.control.edit(({ projects }) => {
    Object.assign(projects.get(ref)?.pooler ?? {}, edit);
  });

it("shows where the pooler listens in each mode, and unsets what it found unset", async () => {
  const inputs = declared({ defaultPoolSize: 20 });
  const made = await configs.create(inputs);
  expect(onService()).toMatchObject({ defaultPoolSize: 20, poolMode: "transaction" });
  expect(made.state).toMatchObject({
    defaultPoolSize: 20,
    dbPort: 6543,
    dbUser: `postgres.${ref}`,
    dbName: "postgres",
    isUsingScramAuth: true,
    connectionString: expect.stringContaining(`postgresql://postgres.${ref}:`) as unknown,
    __found: { values: {}, unset: ["defaultPoolSize"] },
  });

  scenario.nextRun();
  const changed = declared({ defaultPoolSize: 20, poolMode: "session" });
  expect([...configs.diff(made.state, changed).changed]).toEqual(["poolMode"]);
  const updated = await configs.update(made, changed);
  expect(onService()).toMatchObject({ defaultPoolSize: 20, poolMode: "session" });
  expect(updated.state).toMatchObject({
    dbPort: 5432,
    connectionString: expect.stringContaining(":5432/") as unknown,
  });

  editOutside({ defaultPoolSize: null });
  scenario.nextRun();
  const drifted = await configs.read(updated);
  expect(drifted?.inputs).not.toHaveProperty("defaultPoolSize");
  expect([...configs.diff(drifted?.state ?? {}, changed).changed]).toEqual(["defaultPoolSize"]);
  const repaired = await configs.update({ id: ref, state: drifted?.state ?? {} }, changed);
  expect(onService()).toMatchObject({ defaultPoolSize: 20, poolMode: "session" });

  await configs.delete(repaired);
  expect(onService()).toMatchObject({ defaultPoolSize: null, poolMode: "transaction" });
  expect(scenario.warnings).toEqual([]);
});

it("gives the decision on the size back to the service when it is declared no longer", async () => {
  const made = await configs.create(declared({ defaultPoolSize: 20, poolMode: "session" }));
  await configs.update(made, declared({ poolMode: "session" }));
  expect(onService()).toMatchObject({ defaultPoolSize: null, poolMode: "session" });
});

it("leaves the mode alone that somebody else sets", async () => {
  const made = await configs.create(declared({ defaultPoolSize: 20 }));
  editOutside({ poolMode: "session" });
  scenario.nextRun();
  const read = await configs.read(made);
  expect(configs.diff(read?.state ?? {}, declared({ defaultPoolSize: 20 })).changes).toBe(false);
  expect(read?.state).toMatchObject({ dbPort: 5432 });
  await configs.delete(made);
  expect(onService()).toMatchObject({ defaultPoolSize: null, poolMode: "session" });
});

it("configures the project's own pooler where there are read replicas", async () => {
  const { control } = scenario.emulator;
  const small = { addon_type: "compute_instance", addon_variant: "ci_small" } as const;
  control.call("applyAddon", { ref, body: small });
  scenario.clock.advance(30 * 60_000);
  control.call("setUpReadReplica", { ref, body: { read_replica_region: "us-west-1" } });
  scenario.clock.advance(30 * 60_000);
  expect(control.call("listPoolerConfigs", { ref })).toHaveLength(2);
  const made = await configs.create(declared({ defaultPoolSize: 20 }));
  expect(made.state).toMatchObject({ dbUser: `postgres.${ref}` });
});

describe("a pooler that the service does not list yet", () => {
  const nothingListed = (times: number): void => {
    scenario.emulator.control.addFault({ operation: "listPoolerConfigs", status: 200, body: [], times });
  };

  it("is waited for while it is configured", async () => {
    nothingListed(1);
    await configs.create(declared({ defaultPoolSize: 20 }));
    expect(onService()).toMatchObject({ defaultPoolSize: 20 });
  });

  it("is an error that says so where it stays away, and never one that is gone", async () => {
    nothingListed(2);
    await expect(configs.create(declared({ defaultPoolSize: 20 }))).rejects.toThrow(
      `The service returns no connection pooler for the database of ${ref}`,
    );
    const made = await configs.create(declared({ defaultPoolSize: 20 }));
    nothingListed(1);
    scenario.nextRun();
    await expect(configs.read(made)).rejects.toThrow("Run again once the service `pooler`");
  });
});

it("is gone with its project", async () => {
  const made = await configs.create(declared({ defaultPoolSize: 20 }));
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  scenario.clock.advance(10 * 60_000);
  scenario.nextRun();
  expect(await configs.read(made)).toBeUndefined();
  await configs.delete(made);
});
