import { ForbiddenError, NotFoundError, ResponseSchemaError } from "../../provider/client/errors/errors";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, errorOf, NOBODY } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

interface Addons {
  readonly selectedAddons: readonly object[];
  readonly availableAddons: readonly { readonly type?: string; readonly variants?: readonly object[] }[];
}
const read = (): Promise<Addons> => invoke(scenario, "getBillingAddons", { projectRef });

describe("getBillingAddons", () => {
  it("returns what is selected and what is offered, with prices, in one call for many", async () => {
    const body = { addon_type: "custom_domain", addon_variant: "cd_default" } as const;
    scenario.emulator.control.call("applyAddon", { ref: projectRef, body });
    const answer = scenario.emulator.control.call("listAddons", { ref: projectRef });
    scenario.emulator.control.clearCalls();
    const [found] = await Promise.all(Array.from({ length: 10 }, read));
    expect(scenario.calls("listAddons")).toBe(1);
    const price = { amount: 10, interval: "monthly", type: "fixed", description: "$10/month" };
    const variant = { id: "cd_default", name: "Custom Domain", price };
    expect(found?.selectedAddons).toEqual([{ type: "custom_domain", variant }]);
    expect(found?.availableAddons.map(({ type }) => type)).toEqual(
      answer.available_addons.map(({ type }) => type),
    );
    const compute = answer.available_addons.find(({ type }) => type === "compute_instance");
    const ofCompute = found?.availableAddons.find(({ type }) => type === "compute_instance");
    expect(ofCompute?.variants).toHaveLength(compute?.variants.length ?? 0);
    expect(ofCompute?.variants?.[0]).toEqual(compute?.variants[0]);
  });

  it("returns what there is of a variant that the service shows in part", async () => {
    const body = { selected_addons: [{ type: "moon", variant: { id: "full" } }], available_addons: [] };
    scenario.emulator.control.addFault({ operation: "listAddons", status: 200, body });
    expect(await read()).toEqual({
      selectedAddons: [{ type: "moon", variant: { id: "full" } }],
      availableAddons: [],
    });
  });

  it("says which list an answer lacks, which project is not there, and what a token lacks", async () => {
    const { control } = scenario.emulator;
    control.addFault({ operation: "listAddons", status: 200, body: { selected_addons: [] } });
    const half = await errorOf(scenario, "getBillingAddons", { projectRef });
    expect(half).toBeInstanceOf(ResponseSchemaError);
    expect(half.message).toContain("`available_addons`");
    control.addFault({ operation: "listAddons", status: 403, message: "not allowed" });
    expect(await errorOf(scenario, "getBillingAddons", { projectRef })).toBeInstanceOf(ForbiddenError);
    const missing = await errorOf(scenario, "getBillingAddons", { projectRef: NOBODY });
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing.message).toContain(`the reference ${NOBODY}: check \`projectRef\``);
  });
});
