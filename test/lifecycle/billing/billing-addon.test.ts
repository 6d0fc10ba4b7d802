import { isAmbiguous, TimeoutError } from "../../../provider/client/errors/errors";
import { checkInputs } from "../../../provider/engine/check";
import type { Values } from "../../../provider/define/values";
import { project } from "../../../provider/resources/projects/project/project";
import { billingAddon } from "../../../provider/resources/billing/billing-addon/billing-addon";
import { giveLargerCompute } from "../../../tools/fixtures/given-addons";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let addons: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  giveLargerCompute(scenario, ref);
  addons = scenario.manage(billingAddon);
});
afterEach(() => scenario.close());

const recovery = (variant: string, more: Values = {}): Values => ({
  projectRef: ref,
  addonType: "pitr",
  variant,
  ...more,
});
const selected = (type: "pitr" | "ipv4" | "custom_domain") =>
  scenario.emulator.world.state.projects.get(ref)?.addons.get(type);
const editOutside = (variant: "pitr_28" | undefined): void =>
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (variant === undefined) project?.addons.delete("pitr");
    else project?.addons.set("pitr", variant);
  });

it("shows the price of each variant, and which one others chose", async () => {
  const made = await addons.create(recovery("pitr_7"));
  expect(made).toMatchObject({
    id: "pitr",
    state: { price: 100, interval: "monthly", priceType: "fixed", priceDescription: "$100/month" },
  });
  expect(selected("pitr")).toBe("pitr_7");

  scenario.nextRun();
  const changed = await addons.update(made, recovery("pitr_14"));
  expect(selected("pitr")).toBe("pitr_14");
  expect(changed.state).toMatchObject({ price: 200, name: "14 days" });

  editOutside("pitr_28");
  scenario.nextRun();
  const drifted = await addons.read(changed);
  expect(drifted?.inputs).toMatchObject({ variant: "pitr_28" });
});

it("leaves the other add-ons of the project alone", async () => {
  const address = { projectRef: ref, addonType: "ipv4", variant: "ipv4_default" };
  const [, made] = await Promise.all([addons.create(recovery("pitr_7")), addons.create(address)]);
  await addons.delete(made);
  expect([selected("pitr"), selected("ipv4")]).toEqual(["pitr_7", undefined]);
  expect(scenario.emulator.world.state.projects.get(ref)?.addons.get("compute_instance")).toBe("ci_xlarge");
});

it("removes whichever variant somebody selected meanwhile", async () => {
  const made = await addons.create(recovery("pitr_7"));
  editOutside("pitr_28");
  scenario.nextRun();
  await addons.delete(made);
  expect(selected("pitr")).toBeUndefined();
});

it("waits for the add-on change before it", async () => {
  scenario.emulator.control.call("applyAddon", {
    ref,
    body: { addon_type: "compute_instance", addon_variant: "ci_2xlarge" },
  });
  await addons.create(recovery("pitr_7"));
  expect(selected("pitr")).toBe("pitr_7");
  expect(scenario.progress.join("\n")).toContain("the previous add-on change");
});

// service, Limits: a quota, which does not end with the window.
it("says what it waited for, why and what to do where a change stays under way until the deadline", async () => {
  const { control } = scenario.emulator;
  control.addFault({
    operation: "applyAddon",
    status: 429,
    message: "Cannot update addon: still processing addon changes",
    headers: { "x-ratelimit-remaining": "50" },
    times: 1_000,
  });
  const startedAt = scenario.clock.now();
  const inputs = recovery("pitr_7", { timeouts: { create: 120 } });
  const failure: unknown = await addons.create(inputs).catch((error: unknown) => error);
  if (!(failure instanceof TimeoutError)) throw failure;
  expect(failure.message).toBe(
    `Timed out waiting for the service to finish the previous add-on change in the project ${ref}; last seen: this change is rejected (the service says: Cannot update addon: still processing addon changes). Run again to continue from here. Raise \`timeouts\` if it needs longer.`,
  );
  expect(isAmbiguous(failure)).toBe(false);
  expect(scenario.clock.now() - startedAt).toBeLessThanOrEqual(120_000);
  expect(scenario.calls("applyAddon")).toBeGreaterThanOrEqual(10);
  expect(scenario.calls("applyAddon")).toBeLessThanOrEqual(12);
  expect(selected("pitr")).toBeUndefined();

  control.clearFaults();
  scenario.nextRun();
  await addons.create(inputs);
  expect(selected("pitr")).toBe("pitr_7");
});

it("takes over a selected add-on only where that is asked for", async () => {
  editOutside("pitr_28");
  await expect(addons.create(recovery("pitr_7"))).rejects.toThrow(/already exists: pitr \(pitr_28\)/);
  scenario.nextRun();
  const adopted = await addons.create(recovery("pitr_7", { adopt: true }));
  expect(adopted.id).toBe("pitr");
  expect(selected("pitr")).toBe("pitr_7");
});

it("points to the Project for the compute size, and to the console for what the API does not select", () => {
  const failures = (addonType: string, variant: string): string =>
    addons.failures({ projectRef: ref, addonType, variant }).join("\n");
  expect(failures("compute_instance", "ci_small")).toMatch(/^addonType: .*`instanceSize`/m);
  expect(failures("log_drain", "log_drain_default")).toBe("");
  expect(
    checkInputs(billingAddon, { projectRef: ref, addonType: "log_drain", variant: "cd_default" }).warnings,
  ).toEqual([expect.stringMatching(/^addonType: .*log_drain.*console/)]);
  expect(failures("custom_domain", "pitr_7")).toMatch(/^variant: "pitr_7" is not a variant .*"cd_default"/);
  expect(failures("pitr", "pitr_90")).toBe("");
});

it("lists what is offered where the service refuses a variant that it does not offer", async () => {
  const listed = scenario.emulator.control.call("listAddons", { ref });
  const body = {
    ...listed,
    available_addons: listed.available_addons.map((addon) => ({
      ...addon,
      variants: addon.variants.filter(({ id }) => id !== "pitr_28"),
    })),
  };
  scenario.emulator.control.addFault({ operation: "listAddons", status: 200, body, times: 10 });
  scenario.emulator.control.addFault({
    operation: "applyAddon",
    status: 400,
    message: "Invalid variant",
    times: 2,
  });
  await expect(addons.create(recovery("pitr_28"))).rejects.toThrow(
    /variant pitr_28 of pitr is not available.*Invalid variant.*Available: pitr_7 \(\$100\/month\), pitr_14/,
  );
  expect(selected("pitr")).toBeUndefined();
});

it("passes on the refusal of a variant that is offered", async () => {
  scenario.emulator.control.edit(({ organizations }) => {
    const organization = organizations.get("acme");
    if (organization) organization.plan = "free";
  });
  await expect(addons.create(recovery("pitr_7"))).rejects.toThrow(
    "Organization is not entitled to the selected PITR duration",
  );
});

it("is not taken to be gone where the listing does not name the variant", async () => {
  const made = await addons.create(recovery("pitr_7"));
  scenario.nextRun();
  const body = { selected_addons: [{ type: "pitr" }], available_addons: [] };
  scenario.emulator.control.addFault({ operation: "listAddons", status: 200, body });
  await expect(addons.read(made)).rejects.toThrow("selected_addons.variant.id");
});

it("stands in the way of a smaller compute size, which is said with what goes first", async () => {
  const projects = scenario.manage(project);
  const declared = { name: "sized", organizationSlug: "acme", dbPass: "a-password", instanceSize: "small" };
  const made = await projects.create(declared);
  const addon = await addons.create(recovery("pitr_7", { projectRef: made.id }));
  const smaller = { ...declared, instanceSize: "micro" };
  await expect(projects.update(made, smaller)).rejects.toThrow(
    /was not set to micro: .*too small.*remove it from the program and run `pulumi up`\. Then change the size\.$/,
  );
  await addons.delete(addon);
  const { state } = await projects.update(made, smaller);
  expect(state["instanceSize"]).toBe("micro");
});
