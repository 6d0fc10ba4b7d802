import { takeInventory, type InventoryObject, type Inventory } from "../../import/inventory";
import type { Values } from "../../provider/define/values";
import { networkRestrictions } from "../../provider/resources/network/network-restrictions/network-restrictions";
import { resourceOf, samples, type Sample } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";
import { undeclaredOf } from "./undeclared";

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario({ pace: 0 });
  scenario.emulator.control.set("jitAccessShowsState", true);
  ref = scenario.healthyProject("bystander");
});
afterEach(() => scenario.close());

/** Of a secret the value alone is declared, which no read shows; an organization is no part of a project. */
const NOT_READ = ["Organization", "OrganizationWebhookEndpoint", "Secret"];

const imported = samples.filter((sample) => {
  const { importId, isAction } = resourceOf(sample);
  return importId.refusal === undefined && isAction !== true && !NOT_READ.includes(sample.type);
});

describe.each(imported.map((sample) => [sample.type, sample] as const))("an imported %s", (_, sample) => {
  it("declares with --full all that a read shows, or has a note of it", async () => {
    const { inventory, found } = await importedOf(sample);
    scenario.nextRun();
    expect(await undeclaredOf(scenario.runtime, inventory, found)).toEqual([]);
  });
});

async function importedOf(
  sample: Sample,
): Promise<{ readonly inventory: Inventory; readonly found: InventoryObject }> {
  const { type, inputs, secretInputs, prepare, afterCreate } = sample;
  prepare?.(scenario, ref);
  const given: Values = { ...inputs(ref), ...secretInputs };
  const made = await scenario.manage(resourceOf(sample)).create(given);
  afterCreate?.(scenario, ref);
  scenario.nextRun();
  const projectRef = typeof given["projectRef"] === "string" ? given["projectRef"] : made.id;
  const inventory = await takeInventory(scenario.runtime, {
    ...{ projectRef, full: true },
    choose: ["AllowedCidr", "Migration"].filter((each) => each === type),
    migrations: type === "MigrationSet" ? String(given["directory"]) : undefined,
  });
  const all = inventory.objects.filter((each) => each.type === type);
  const found = all.find(({ importId }) => importId.endsWith(made.id)) ?? all[0];
  if (found === undefined)
    throw new Error(`the inventory has no ${type}: ${JSON.stringify(inventory.failed)}`);
  return { inventory, found };
}

describe("imported network restrictions", () => {
  it.each([
    [[], []],
    [[], ["2001:db8::/32"]],
    [["203.0.113.0/24"], []],
    [["203.0.113.0/24"], ["2001:db8::/32"]],
  ])("declare both lists, with %j and %j", async (allowedCidrs, allowedCidrsV6) => {
    await scenario
      .manage(networkRestrictions)
      .create({ projectRef: ref, allowedCidrs, allowedCidrsV6, denyAll: true });
    for (const full of [false, true]) {
      scenario.nextRun();
      const { objects } = await takeInventory(scenario.runtime, { projectRef: ref, full });
      const isNobody = allowedCidrs.length + allowedCidrsV6.length === 0;
      expect(objects.find(({ type }) => type === "NetworkRestrictions")?.inputs).toEqual({
        projectRef: ref,
        allowedCidrs,
        allowedCidrsV6,
        ...(isNobody && { denyAll: true }),
      });
    }
  });
});

it("counts what is asked for one by one, up to the number that each line has", async () => {
  for (const full of [false, true]) {
    const lines: string[] = [];
    scenario.nextRun();
    await takeInventory(scenario.runtime, { projectRef: ref, full, onProgress: (line) => lines.push(line) });
    const counts = lines.flatMap((line) => /^(\d+\/\d+) [A-Z]\w+: /.exec(line)?.[1] ?? []);
    expect(counts.length).toBeGreaterThan(10);
    expect(counts).toEqual(counts.map((_, index) => `${index + 1}/${counts.length}`));
  }
});
