import { checkInputs } from "../../../provider/engine/check";
import type { Values } from "../../../provider/define/values";
import { legacyApiKeys } from "../../../provider/resources/auth/legacy-api-keys/legacy-api-keys";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let keys: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  keys = scenario.manage(legacyApiKeys);
});
afterEach(() => scenario.close());

const declared = (enabled: boolean): Values => ({ projectRef: ref, enabled });
const onService = () => scenario.emulator.world.state.projects.get(ref)?.legacyApiKeysEnabled;
const editOutside = (enabled: boolean): void =>
  scenario.emulator.control.set(`projects.${ref}.legacyApiKeysEnabled`, enabled);
const withdraw = (): void => scenario.emulator.control.set("auth.legacyApiKeysOffered", false);

it("shows what others switched, and a delete restores what it found", async () => {
  const made = await keys.create(declared(false));
  expect(onService()).toBe(false);

  editOutside(true);
  scenario.nextRun();
  const drifted = await keys.read(made);
  expect(drifted?.inputs).toMatchObject({ enabled: true });
  const repaired = await keys.update({ id: ref, state: drifted?.state ?? {} }, declared(false));
  expect(onService()).toBe(false);

  await keys.delete(repaired);
  expect(onService()).toBe(true);
});

it("leaves disabled what was disabled before", async () => {
  editOutside(false);
  const made = await keys.create(declared(true));
  expect(onService()).toBe(true);
  await keys.delete(made);
  expect(onService()).toBe(false);
});

it("says what to use where the service offers such keys no longer, and takes nothing for gone", async () => {
  const made = await keys.create(declared(false));
  withdraw();
  scenario.nextRun();
  await expect(keys.create(declared(true))).rejects.toThrow("Use `ApiKey`");
  await expect(keys.read(made)).rejects.toThrow("Use `ApiKey`");
  await expect(keys.update(made, declared(true))).rejects.toThrow("Use `ApiKey`");
  await expect(keys.delete(made)).rejects.toThrow(
    /`pulumi state delete 'urn:pulumi:[^']*LegacyApiKeys[^']*'`/,
  );
});

it("passes on why the service does not enable them", async () => {
  const made = await keys.create(declared(false));
  scenario.emulator.control.edit(({ projects }) =>
    projects.get(ref)?.signingKeys.forEach((key) => {
      if (key.legacy) key.status = "revoked";
    }),
  );
  await expect(keys.update(made, declared(true))).rejects.toThrow("legacy signing key is revoked");
  expect(onService()).toBe(false);
});

it("takes no setting that the write would leave out", () => {
  const extraSettings = { anon_enabled: false };
  expect(checkInputs(legacyApiKeys, { ...declared(false), extraSettings }).failures).toEqual([
    {
      path: "extraSettings",
      reason: "unknown property; known: projectRef, enabled, timeouts, adopt, adoptId",
    },
  ]);
});
