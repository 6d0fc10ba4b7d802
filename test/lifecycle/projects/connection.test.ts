import { InitializationError } from "../../../provider/engine/step/errors";
import { importResource } from "../../../provider/engine/import";
import type { SettledResource } from "../../../provider/engine/create/create";
import type { Values } from "../../../provider/define/values";
import { apiKey } from "../../../provider/resources/auth/api-key/api-key";
import { branch } from "../../../provider/resources/branches/branch/branch";
import { project } from "../../../provider/resources/projects/project/project";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

const PASSWORD = "p@ss:w/o?r#d 100%";
const ENCODED = "p%40ss%3Aw%2Fo%3Fr%23d%20100%25";
const OPTIONS = { withKeys: true, withPooler: true };

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

function setPassword(ref: string): void {
  scenario.emulator.control.set(["projects", ref, "dbPass"], PASSWORD);
}

async function read(managed: Managed, made: SettledResource): Promise<SettledResource> {
  scenario.nextRun();
  const found = await managed.read(made);
  if (found === undefined) throw new Error("it is gone");
  return found;
}

interface Case {
  readonly managed: Managed;
  readonly inputs: Values;
}

const cases: readonly (readonly [string, () => Case])[] = [
  [
    "a project",
    () => ({
      managed: scenario.manage(project),
      inputs: { name: "shop", organizationSlug: "acme", dbPass: PASSWORD, region: "eu-central-1" },
    }),
  ],
  [
    "a branch",
    () => ({
      managed: scenario.manage(branch),
      inputs: { projectRef: scenario.healthyProject(), name: "preview" },
    }),
  ],
];

const direct = (ref: string): string =>
  `postgresql://postgres:${ENCODED}@db.${ref}.service.example:5432/postgres`;
const pooled = (ref: string): string =>
  `postgresql://postgres.${ref}:${ENCODED}@pooler.eu-central-1.service.example:6543/postgres`;
const session = (ref: string): string => pooled(ref).replace(":6543/", ":5432/");

function defaultKeys(ref: string): Values {
  const listed = scenario.emulator.control.call("listApiKeys", { ref, reveal: true });
  const valueOf = (wanted: string): unknown =>
    listed.find(({ name, type }) => name === "default" && type === wanted)?.api_key;
  return { publishableKey: valueOf("publishable"), secretKey: valueOf("secret") };
}

const paidCalls = (): number => scenario.calls("listApiKeys") + scenario.calls("listPoolerConfigs");
const NAMES = ["pooledConnectionString", "publishableKey", "secretKey", "sessionConnectionString"];
const paid = (made: SettledResource): string[] => NAMES.filter((name) => made.state[name] !== undefined);

describe.each(cases)("the connection of %s", (_, given) => {
  let managed: Managed;
  let inputs: Values;
  beforeEach(() => {
    ({ managed, inputs } = given());
  });

  it("is told without a call, and nothing that costs one", async () => {
    const made = await managed.create(inputs);
    setPassword(made.id);
    const seen = await read(managed, made);
    expect(seen.state["connectionString"]).toBe(direct(made.id));
    expect(paid(seen)).toEqual([]);
    expect(paidCalls()).toBe(0);
  });

  it("comes with keys and pooler when asked for, for a call each", async () => {
    const made = await managed.create({ ...inputs, ...OPTIONS });
    setPassword(made.id);
    expect(made.state).toMatchObject(defaultKeys(made.id));
    expect(paid(made)).toEqual(NAMES);
    scenario.emulator.control.clearCalls();
    const seen = await read(managed, made);
    expect([scenario.calls("listApiKeys"), scenario.calls("listPoolerConfigs")]).toEqual([1, 1]);
    expect(seen.state).toMatchObject({
      connectionString: direct(made.id),
      pooledConnectionString: pooled(made.id),
      sessionConnectionString: session(made.id),
      ...defaultKeys(made.id),
    });
    expect(managed.diff(seen.state, { ...inputs, ...OPTIONS })).toMatchObject({ changes: false });
  });

  it("gains and loses what is asked for in one update each", async () => {
    const plain = await managed.create(inputs);
    const withKeys = { ...inputs, withKeys: true };
    expect(managed.diff(plain.state, withKeys)).toMatchObject({ changes: true, replaces: [] });
    const keyed = await managed.update(plain, withKeys);
    expect(paid(keyed)).toEqual(["publishableKey", "secretKey"]);
    const whole = await managed.update(keyed, { ...inputs, ...OPTIONS });
    expect(paid(whole)).toEqual(NAMES);
    const refused = await managed.update(whole, { ...inputs, withKeys: false, withPooler: true });
    expect(paid(refused)).toEqual(["pooledConnectionString", "sessionConnectionString"]);
    const removed = await managed.update(refused, inputs);
    expect(paid(removed)).toEqual([]);
    expect(managed.diff(removed.state, inputs)).toMatchObject({ changes: false });
  });

  it("appears in the state of an earlier version with the next refresh, and is no difference before", async () => {
    const made = await managed.create(inputs);
    const { connectionString, ...earlier } = made.state;
    expect(managed.diff(earlier, inputs)).toMatchObject({ changes: false, replaces: [] });
    const seen = await read(managed, { id: made.id, state: earlier });
    expect(seen.state["connectionString"]).toBe(connectionString);
  });

  it("keeps what was last seen while the project is not active", async () => {
    const made = await managed.create({ ...inputs, ...OPTIONS });
    scenario.emulator.control.edit(({ projects }) => {
      const record = projects.get(made.id);
      const since = scenario.clock.now();
      if (record !== undefined) record.activity = { kind: "pause", since, outcome: "INACTIVE" };
    });
    scenario.clock.advance(60_000);
    scenario.emulator.control.clearCalls();
    const seen = await read(managed, made);
    expect(paid(seen)).toEqual(NAMES);
    expect(seen.state).toMatchObject(Object.fromEntries(NAMES.map((name) => [name, made.state[name]])));
    expect(paidCalls()).toBe(0);
  });

  it("leaves out a default key that was deleted, and a pooler that has no configuration", async () => {
    const made = await managed.create({ ...inputs, ...OPTIONS });
    scenario.emulator.control.edit(({ projects }) => projects.get(made.id)?.apiKeys.clear());
    scenario.emulator.control.addFault({ operation: "listPoolerConfigs", status: 200, body: [] });
    expect(paid(await read(managed, made))).toEqual([]);
  });

  it("fails where the token may not read it, with what was made in state", async () => {
    scenario.emulator.control.addFault({ operation: "listApiKeys", status: 403 });
    const failure: unknown = await managed
      .create({ ...inputs, withKeys: true })
      .catch((error: unknown) => error);
    if (!(failure instanceof InitializationError)) throw new Error("it did not fail as half-made");
    const resumed = await managed.update(
      { id: failure.id, state: failure.state },
      { ...inputs, withKeys: true },
    );
    expect(resumed.state).toMatchObject(defaultKeys(failure.id));
  });
});

it("a project that is imported has no connection string until its password is declared, which is not sent", async () => {
  const ref = scenario.healthyProject("shop");
  setPassword(ref);
  const imported = await importResource(scenario.runtime, project, ref, true);
  expect(imported?.state).not.toHaveProperty("connectionString");
  const managed = scenario.manage(project);
  const inputs = { ...imported?.inputs, dbPass: PASSWORD, withPooler: true };
  const made = await managed.update({ id: ref, state: imported?.state ?? {} }, inputs);
  expect(made.state).toMatchObject({
    connectionString: direct(ref),
    pooledConnectionString: pooled(ref),
    sessionConnectionString: session(ref),
  });
  expect(scenario.calls("updateDatabasePassword")).toBe(0);
});

it("a branch that is imported has its connection string at once", async () => {
  const projectRef = scenario.healthyProject();
  const made = await scenario.manage(branch).create({ projectRef, name: "preview" });
  const imported = await importResource(scenario.runtime, branch, `${projectRef}/${made.id}`, true);
  expect(imported?.state["connectionString"]).toBe(made.state["connectionString"]);
  expect(made.state["connectionString"]).toContain(`@db.${made.id}.service.example:5432/postgres`);
});

it("a rotated password is in all connection strings after the same update", async () => {
  const managed = scenario.manage(project);
  const inputs = { name: "shop", organizationSlug: "acme", dbPass: "first-password", withPooler: true };
  const made = await managed.create(inputs);
  const rotated = await managed.update(made, { ...inputs, dbPass: PASSWORD });
  expect(rotated.state).toMatchObject({
    connectionString: direct(made.id),
    pooledConnectionString: expect.stringContaining(`:${ENCODED}@pooler.`) as string,
    sessionConnectionString: expect.stringMatching(`:${ENCODED}@pooler\\..*:5432/`) as string,
  });
});

it("the keys of a project and its ApiKey resources share one listing", async () => {
  const projects = scenario.manage(project);
  const keys = scenario.manage(apiKey);
  const made = await projects.create({
    name: "shop",
    organizationSlug: "acme",
    dbPass: PASSWORD,
    ...OPTIONS,
  });
  const key = await keys.create({ projectRef: made.id, type: "secret", name: "backend" });
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all([projects.read(made), keys.read(key)]);
  expect(scenario.calls("listApiKeys")).toBe(1);
});
