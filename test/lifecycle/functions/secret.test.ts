import { createHash } from "node:crypto";
import type { Values } from "../../../provider/define/values";
import { secret } from "../../../provider/resources/functions/secret/secret";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let secrets: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  secrets = scenario.manage(secret);
});
afterEach(() => scenario.close());

const declared = (value: string, name = "PAYMENT_TOKEN"): Values => ({ projectRef: ref, name, value });
const stored = () => scenario.emulator.world.state.projects.get(ref)?.secrets ?? new Map<string, never>();
const valueOnService = (name = "PAYMENT_TOKEN") => stored().get(name)?.value;
const writeOutside = (value: string, name = "PAYMENT_TOKEN"): void =>
  scenario.emulator.control.call("createSecrets", { ref, body: [{ name, value }] });
const many = (count: number): Values[] =>
  Array.from({ length: count }, (_, index) => declared(`value-${index}`, `TOKEN_${index}`));

it("shows that others wrote another value", async () => {
  const inputs = declared("first-value");
  const made = await secrets.create(inputs);
  expect(made.id).toBe("PAYMENT_TOKEN");
  expect(valueOnService()).toBe("first-value");

  scenario.nextRun();
  const read = await secrets.read(made);
  expect(read?.state).toMatchObject({ value: "first-value", inSync: true });

  scenario.nextRun();
  const changed = declared("second-value");
  expect([...secrets.diff(made.state, changed).changed]).toEqual(["value"]);
  const updated = await secrets.update(made, changed);
  expect(valueOnService()).toBe("second-value");

  writeOutside("written-by-hand");
  scenario.nextRun();
  const drifted = await secrets.read(updated);
  expect([...secrets.diff(drifted?.state ?? {}, changed).changed]).toEqual(["value"]);
});

it("shows a value that was changed outside by its hash alone", async () => {
  const made = await secrets.create(declared("first-value"));
  writeOutside("written-by-hand");
  scenario.nextRun();
  const hash = createHash("sha256").update("written-by-hand").digest("hex");
  const drifted = await secrets.read(made);
  expect(drifted?.state["value"]).toBe(`changed outside (sha256 ${hash.slice(0, 12)}…)`);
  scenario.nextRun();
  const again = await secrets.read({ id: made.id, state: drifted?.state ?? {} });
  expect(again?.state["value"]).toBe(drifted?.state["value"]);
  expect([made, drifted, again].map((each) => each?.state["inSync"])).toEqual([true, false, false]);
});

it("keeps the value it remembers when a listing lacks the hash", async () => {
  const made = await secrets.create(declared("first-value"));
  scenario.nextRun();
  scenario.emulator.control.addFault({
    operation: "listSecrets",
    status: 200,
    body: [{ name: "PAYMENT_TOKEN", value: null }],
  });
  const read = await secrets.read(made);
  expect(read?.state["value"]).toBe("first-value");
});

it("is shown as gone when it was deleted by hand", async () => {
  const made = await secrets.create(declared("first-value"));
  scenario.emulator.control.call("deleteSecrets", { ref, body: ["PAYMENT_TOKEN"] });
  scenario.nextRun();
  expect(await secrets.read(made)).toBeUndefined();
});

it("does not overwrite a secret that exists with another value", async () => {
  writeOutside("somebody's");
  await expect(secrets.create(declared("mine"))).rejects.toThrow('adoptId: "PAYMENT_TOKEN"');
  expect(valueOnService()).toBe("somebody's");
});

it("is not emptied by an adoption with the line that an import prints", async () => {
  writeOutside("theirs");
  const refusal = expect.stringContaining("the adoption would overwrite the existing value") as string;
  expect(secrets.failures({ ...declared(""), adopt: true })).toEqual([refusal]);
  expect(secrets.failures({ ...declared(""), adoptId: "PAYMENT_TOKEN" })).toEqual([refusal]);
  expect(secrets.failures(declared(""))).toEqual([]);
  const { state } = await secrets.create({ ...declared("mine"), adopt: true });
  expect(secrets.failures({ ...declared(""), adopt: true }, state)).toEqual([]);
});

it("takes over an existing secret when told to", async () => {
  writeOutside("somebody's");
  await secrets.create({ ...declared("mine"), adopt: true });
  expect(valueOnService()).toBe("mine");
});

it("does not take over a secret that exists with the declared value unless it is told to", async () => {
  writeOutside("mine");
  await expect(secrets.create(declared("mine"))).rejects.toThrow('adoptId: "PAYMENT_TOKEN"');
  const made = await secrets.create({ ...declared("mine"), adopt: true });
  expect(made.id).toBe("PAYMENT_TOKEN");
});

it("creates a hundred secrets in one listing and at most three writes", async () => {
  await Promise.all(many(100).map((inputs) => secrets.create(inputs)));
  expect(stored().size).toBe(100);
  expect(scenario.calls("listSecrets")).toBe(1);
  expect(scenario.calls("createSecrets")).toBeLessThanOrEqual(3);
  // Whether the project is active, as the list is empty.
  expect(scenario.calls("getProject")).toBe(1);
  expect(scenario.calls()).toBe(scenario.calls("listSecrets") + scenario.calls("createSecrets") + 1);
});

it("looks anew for each secret that is created after another one", async () => {
  for (const inputs of many(5)) await secrets.create(inputs);
  expect(scenario.calls("listSecrets")).toBe(5);
});

it("reads a hundred secrets in one call, and deletes them in at most three", async () => {
  const made = await Promise.all(many(100).map((inputs) => secrets.create(inputs)));
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  const read = await Promise.all(made.map((each) => secrets.read(each)));
  expect(read.every((each, index) => each?.state["value"] === `value-${index}`)).toBe(true);
  expect(scenario.calls()).toBe(1);

  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all(made.map((each) => secrets.delete(each)));
  expect(stored().size).toBe(0);
  expect(scenario.calls()).toBe(scenario.calls("deleteSecrets"));
  expect(scenario.calls()).toBeLessThanOrEqual(3);
});

it("changes a hundred secrets in at most three calls", async () => {
  const made = await Promise.all(many(100).map((inputs) => secrets.create(inputs)));
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all(made.map((each, index) => secrets.update(each, declared("new", `TOKEN_${index}`))));
  expect([...stored().values()].every(({ value }) => value === "new")).toBe(true);
  expect(scenario.calls()).toBeLessThanOrEqual(3);
});

it("sees what it wrote when it reads in the same run", async () => {
  const made = await secrets.create(declared("first-value"));
  expect((await secrets.read(made))?.state["value"]).toBe("first-value");
  const updated = await secrets.update(made, declared("second-value"));
  expect((await secrets.read(updated))?.state["value"]).toBe("second-value");
  await secrets.delete(updated);
  expect(await secrets.read(updated)).toBeUndefined();
});

it("waits for a project that is restarting", async () => {
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project)
      project.activity = { kind: "restart", since: scenario.clock.now(), outcome: "ACTIVE_HEALTHY" };
  });
  await secrets.create(declared("first-value"));
  expect(valueOnService()).toBe("first-value");
});

it("is replaced delete-first when its name changes", async () => {
  const made = await secrets.create(declared("first-value"));
  expect(secrets.diff(made.state, declared("first-value", "OTHER"))).toMatchObject({
    replaces: ["name"],
    deleteBeforeReplace: true,
  });
});

it("says what is wrong with its inputs, and never the value", () => {
  const tooLong = "x".repeat(24_577);
  expect(secrets.failures(declared("v", "SVC_TOKEN"))).toEqual([
    'name: got "SVC_TOKEN"; names that begin with SVC_ are reserved by the service',
  ]);
  expect(secrets.failures(declared("v", "N".repeat(257)))[0]).toContain("at most 256 characters");
  expect(secrets.failures(declared(tooLong))).toEqual([
    "value: the value is secret and not shown; at most 24576 characters allowed",
  ]);
  expect(secrets.failures({ projectRef: ref, name: "A", vallue: "v" })).toContainEqual(
    "vallue: unknown property; did you mean `value`?",
  );
});

it("the run after a bulk without an answer looks at the collection once", async () => {
  const { control } = scenario.emulator;
  const createAll = (): Promise<unknown>[] =>
    Array.from({ length: 20 }, (_, index) =>
      secrets.create({
        __owner: `acme/shop/dev/secret-${index}`,
        projectRef: ref,
        name: `SECRET_${index}`,
        value: `value ${index}`,
      }),
    );
  control.addFault({ operation: "createSecrets", status: 502, times: 1_000 });
  const outcomes = await Promise.allSettled(createAll());
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);

  control.clearFaults();
  control.clearCalls();
  scenario.nextRun();
  await Promise.all(createAll());
  expect(control.call("listSecrets", { ref })).toHaveLength(20);
  expect([scenario.calls("listSecrets"), scenario.calls("createSecrets")]).toEqual([1, 1]);
});

describe("a bulk in which one has a short deadline", () => {
  beforeEach(() => {
    // For ten seconds it takes no secrets.
    scenario.emulator.control.call("updatePostgresConfig", { ref, body: { restart_database: true } });
  });

  const names = ["FIRST", "SECOND", "THIRD"];

  it.each(names)("only %s fails, whose own time is over", async (impatient) => {
    const results = await Promise.allSettled(
      names.map((name) =>
        secrets.create({
          projectRef: ref,
          name,
          value: "value",
          timeouts: { create: name === impatient ? 3 : 300 },
        }),
      ),
    );
    const failed = names.filter((_, index) => results[index]?.status === "rejected");
    expect(failed).toEqual([impatient]);
    const reasons = results.flatMap((result) =>
      result.status === "rejected" ? [String(result.reason)] : [],
    );
    expect(reasons[0]).toContain("timed out");
    const listed = scenario.emulator.control.call("listSecrets", { ref });
    expect(listed.map(({ name }) => name)).toEqual(
      expect.arrayContaining(names.filter((name) => name !== impatient)),
    );
  });
});
