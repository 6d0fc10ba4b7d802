import type { Values } from "../../../provider/define/values";
import { legacySigningKey } from "../../../provider/resources/auth/legacy-signing-key/legacy-signing-key";
import { signingKey } from "../../../provider/resources/auth/signing-key/signing-key";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { fixture as sample } from "../../../tools/fixtures/auth/legacy-signing-key";

let scenario: Scenario;
let keys: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  keys = scenario.manage(legacySigningKey);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, ...more });
const takeAway = (): void => sample.prepare?.(scenario, ref);
const onService = () => scenario.emulator.control.call("listSigningKeys", { ref }).keys;
const withdraw = (): void => scenario.emulator.control.set("auth.legacySigningKeyOffered", false);

it("describes the key, reads it in one call, and leaves it on the service with a warning", async () => {
  takeAway();
  const made = await keys.create(declared());
  const [key] = onService();
  expect(key).toMatchObject({ algorithm: "HS256", status: "in_use" });
  expect(made).toMatchObject({
    id: ref,
    state: { keyId: key?.id, algorithm: "HS256", createdAt: key?.created_at },
  });
  expect(Object.keys(made.state)).not.toContain("status");

  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  const read = await keys.read(made);
  expect(read?.state).toEqual(made.state);
  expect([scenario.calls("listSigningKeys"), scenario.calls()]).toEqual([1, 1]);

  takeAway();
  scenario.nextRun();
  expect(await keys.read(made)).toBeUndefined();
  const again = await keys.create(declared());
  expect(again.state["keyId"]).not.toBe(made.state["keyId"]);

  scenario.emulator.control.clearCalls();
  await keys.delete(again);
  expect(scenario.warnings.join("\n")).toContain(`the legacy signing key of ${ref} was not deleted`);
  expect(scenario.calls()).toBe(0);
  expect(onService()).toHaveLength(1);
});

it("takes over a key that is set up, in whatever state it is", async () => {
  const [key] = onService();
  await scenario.manage(signingKey).create({ projectRef: ref, algorithm: "ES256", status: "in_use" });
  scenario.emulator.control.clearCalls();
  scenario.nextRun();
  const made = await keys.create(declared());
  expect(made.state).toMatchObject({ keyId: key?.id });
  expect(scenario.calls("createLegacySigningKey")).toBe(0);
  expect(onService().find(({ id }) => id === key?.id)?.status).toBe("previously_used");
  const adopted = await keys.create(declared({ adopt: true }));
  expect(adopted.state["keyId"]).toBe(key?.id);
});

it("shows no drift where others rotate keys", async () => {
  const made = await keys.create(declared());
  await scenario.manage(signingKey).create({ projectRef: ref, algorithm: "ES256", status: "in_use" });
  scenario.nextRun();
  expect((await keys.read(made))?.state).toEqual(made.state);
});

it("shares one listing with the other keys of the project", async () => {
  const made = await keys.create(declared());
  const others = scenario.manage(signingKey);
  const other = await others.create({ projectRef: ref, algorithm: "ES256", status: "standby" });
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all([keys.read(made), others.read(other)]);
  expect(scenario.calls()).toBe(1);
});

it("says what to use where the service has withdrawn the operation, and shows what it knows all the same", async () => {
  const made = await keys.create(declared());
  withdraw();
  scenario.nextRun();
  expect((await keys.read(made))?.state).toEqual(made.state);

  takeAway();
  scenario.nextRun();
  expect(await keys.read(made)).toBeUndefined();
  await expect(keys.create(declared())).rejects.toThrow("Use `SigningKey`");
  expect(onService()).toEqual([]);
});

it("takes the key of a project that is gone for gone", async () => {
  const made = await keys.create(declared());
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  scenario.clock.advance(60 * 60_000);
  scenario.nextRun();
  expect(await keys.read(made)).toBeUndefined();
  await expect(keys.create(declared())).rejects.not.toThrow("Use `SigningKey`");
});

it("is set up once where the first answer got lost", async () => {
  takeAway();
  scenario.emulator.control.addFault({ operation: "createLegacySigningKey", drop: "after" });
  const made = await keys.create(declared());
  expect(onService().map(({ id }) => id)).toEqual([made.state["keyId"]]);
  expect(scenario.calls("createLegacySigningKey")).toBe(1);
});

it("takes over what somebody else set up at the same moment", async () => {
  takeAway();
  const other = scenario.manage(legacySigningKey);
  const first = keys.create(declared());
  scenario.nextRun();
  const [made, taken] = await Promise.all([first, other.create(declared())]);
  expect(taken.state["keyId"]).toBe(made.state["keyId"]);
  expect(onService()).toHaveLength(1);
});

it("waits for a project that is starting", async () => {
  scenario.emulator.control.set("auth.legacySigningKeyAtStart", false);
  const { ref: starting } = scenario.emulator.control.call("createProject", {
    body: {
      name: "starting",
      organization_slug: "acme",
      db_pass: "initial-password",
      region_selection: { type: "specific", code: "eu-central-1" },
    },
  });
  const made = await keys.create({ projectRef: starting });
  const [key] = scenario.emulator.control.call("listSigningKeys", { ref: starting }).keys;
  expect(made).toMatchObject({ id: starting, state: { keyId: key?.id } });
  expect(key?.status).toBe("in_use");
});
