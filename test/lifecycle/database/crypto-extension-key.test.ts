import { importResource } from "../../../provider/engine/import";
import { checkInputs } from "../../../provider/engine/check";
import type { Values } from "../../../provider/define/values";
import { cryptoExtensionKey } from "../../../provider/resources/database/crypto-extension-key/crypto-extension-key";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { createBranchRef } from "../../kit/branch-ref";

let scenario: Scenario;
let keys: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  keys = scenario.manage(cryptoExtensionKey);
});
afterEach(() => scenario.close());

const [FIRST, SECOND, BY_HAND, OF_BRANCH] = ["1", "2", "3", "4"].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
  string,
];
const declared = (rootKey: string, more: Values = {}): Values => ({ projectRef: ref, rootKey, ...more });
const allowed = { allowKeyChange: true };
const onService = (of = ref) => scenario.emulator.world.state.projects.get(of)?.cryptoExtension.rootKey ?? "";
const editOutside = (rootKey: string): void =>
  scenario.emulator.control.set(`projects.${ref}.cryptoExtension.rootKey`, rootKey);
const failuresAfter = (before: Values, inputs: Values): readonly unknown[] =>
  checkInputs(cryptoExtensionKey, inputs, before).failures;

it("shows that others changed the key, and a delete keeps it with a warning", async () => {
  const made = await keys.create(declared(FIRST, allowed));
  expect(onService()).toBe(FIRST);

  editOutside(BY_HAND);
  scenario.nextRun();
  const drifted = await keys.read(made);
  expect([...keys.diff(drifted?.state ?? {}, declared(FIRST, allowed)).changed]).toEqual(["rootKey"]);

  scenario.emulator.control.clearCalls();
  await keys.delete(made);
  expect(onService()).toBe(BY_HAND);
  expect(scenario.calls()).toBe(0);
  expect(scenario.warnings.join("\n")).toContain(`the root key of ${ref} was not deleted`);
});

it("replaces no key that it is not allowed to, and shows neither of the two", async () => {
  const found = onService();
  const failure = await keys.create(declared(FIRST)).catch((error: unknown) => String(error));
  expect(failure).toContain("`allowKeyChange: true`");
  expect(failure).toContain("Nothing was changed");
  expect(failure).not.toContain(found);
  expect(failure).not.toContain(FIRST);
  expect(onService()).toBe(found);
  expect(scenario.calls("updateCryptoExtConfig")).toBe(0);
});

it("takes the key that is there without being allowed to change it", async () => {
  const made = await keys.create(declared(onService()));
  expect(scenario.calls("updateCryptoExtConfig")).toBe(0);
  expect(made.state).toMatchObject({ rootKey: onService() });
});

it("refuses a change in the preview already, unless it is allowed or not known yet", () => {
  const before = declared(FIRST);
  expect(failuresAfter(before, declared(SECOND))).toEqual([
    { path: "rootKey", reason: expect.stringContaining("set `allowKeyChange: true`") as unknown },
  ]);
  expect(failuresAfter(before, declared(FIRST))).toEqual([]);
  expect(failuresAfter(before, declared(SECOND, allowed))).toEqual([]);
  expect(keys.failures(declared(SECOND))).toEqual([]);
});

it("keeps nothing of the key that it replaced", async () => {
  const found = onService();
  const made = await keys.create(declared(FIRST, allowed));
  expect(JSON.stringify(made.state)).not.toContain(found);
});

it("is imported with the key that is there", async () => {
  const imported = await importResource(scenario.runtime, cryptoExtensionKey, ref, true);
  expect(imported?.inputs).toEqual({ projectRef: ref, rootKey: onService() });
});

it("is a branch's own by the branch's reference", async () => {
  const before = onService();
  const branchRef = createBranchRef(scenario, ref);
  await keys.create({ projectRef: branchRef, rootKey: OF_BRANCH, ...allowed });
  expect(onService(branchRef)).toBe(OF_BRANCH);
  expect(onService()).toBe(before);
});

it("requires a key of 64 hexadecimal characters, and shows no other", () => {
  expect(keys.failures({ projectRef: ref })[0]).toMatch(/^rootKey: /);
  for (const key of ["", FIRST.slice(1), `${FIRST}0`, `g${FIRST.slice(1)}`]) {
    const failures = keys.failures(declared(key));
    expect(failures).toEqual([expect.stringMatching(/^rootKey: .*64 hexadecimal characters/)]);
    if (key !== "") expect(failures[0]).not.toContain(key);
  }
});
