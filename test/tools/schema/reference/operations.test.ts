import { join } from "node:path";
import { functions } from "../../../../provider/catalog";
import { invokeFunction } from "../../../../provider/lifecycle/invoke";
import type { Values } from "../../../../provider/lifecycle/state";
import type { Step } from "../../../../tools/schema/reference/code-facts";
import { conditions } from "../../../../tools/schema/reference/conditions";
import { readFacts } from "../../../../tools/generate/reference-facts";
import { resourceOf, samples, type Sample } from "../../../lifecycle/samples";
import { startScenario, type Scenario } from "../../../lifecycle/scenario";

const factsOf = readFacts(join(__dirname, "../../../.."));

/** As a DNS provider does with the records that the service asks for. */
function publishDnsRecords({ emulator }: Scenario, ref: string): void {
  const { data } = emulator.control.call("getCustomHostname", { ref });
  const { ownership_verification: owner, ssl } = data.result;
  emulator.control.edit(({ dnsTxt }) => {
    dnsTxt.set(owner.name, [owner.value]);
    for (const record of ssl.validation_records) dnsTxt.set(record.txt_name, [record.txt_value]);
  });
}

type Seen = Record<Step, Set<string>>;

/** The operations that each step of a sample's life calls. */
async function operationsOf(sample: Sample): Promise<Seen> {
  const scenario = await startScenario();
  const { control } = scenario.emulator;
  const seen: Seen = { create: new Set(), read: new Set(), update: new Set(), delete: new Set() };
  const during = async <T>(step: Step, work: () => Promise<T>): Promise<T> => {
    // As another run does: a shared answer would hide a call.
    scenario.nextRun();
    control.clearCalls();
    const result = await work();
    for (const { operation } of control.calls()) seen[step].add(operation ?? "none");
    return result;
  };
  try {
    const ref = sample.needsProject ? scenario.healthyProject() : "";
    sample.prepare?.(scenario, ref);
    const managed = scenario.manage(resourceOf(sample));
    const inputs: Values = sample.inputs(ref);
    const made = await during("create", () => managed.create(inputs));
    if (sample.type === "CustomHostname") publishDnsRecords(scenario, ref);
    await during("read", () => managed.read(made));
    const changed = await during("update", () => managed.update(made, sample.changed(ref)));
    await during("delete", () => managed.delete(changed));
    return seen;
  } finally {
    await scenario.close();
  }
}

describe.each(samples.map((sample) => [sample.type, sample] as const))("the page of %s", (type, sample) => {
  it("lists every operation at the step that calls it, and no other without saying when", async () => {
    const { uses } = factsOf(type);
    const seen = await operationsOf(sample);
    const missing = (Object.keys(seen) as Step[]).flatMap((step) =>
      [...seen[step]]
        .filter((name) => !uses.some(({ operation, steps }) => operation === name && steps.includes(step)))
        .map((name) => `${step} calls ${name}`),
    );
    expect(missing).toEqual([]);
    const sometimes = conditions[type] ?? {};
    const conditional = uses.flatMap(({ operation, steps }) =>
      steps.filter((step) => !seen[step].has(operation)).map((step) => ({ operation, step })),
    );
    const unexplained = conditional.filter(({ operation, step }) => {
      const condition = sometimes[operation];
      return typeof condition !== "string" && condition?.[step] === undefined;
    });
    expect(unexplained).toEqual([]);
    const explained = new Set(conditional.map(({ operation }) => operation));
    expect(Object.keys(sometimes).sort()).toEqual([...explained].sort());
  });
});

/** Arguments under which a function finds something in the emulator. */
const argumentsOf: Readonly<Record<string, (ref: string) => Values>> = {
  getProject: (ref) => ({ ref }),
  getProjects: () => ({ organizationSlug: "acme" }),
  getAvailableRegions: () => ({ organizationSlug: "acme" }),
  getOrganization: () => ({ slug: "acme" }),
  getBranch: (projectRef) => ({ projectRef, branchName: "preview" }),
};

describe.each(functions.map((one) => [one.name, one] as const))("the page of %s", (name, definition) => {
  it("lists every operation that it calls, and no other without saying when", async () => {
    const scenario = await startScenario();
    const { control } = scenario.emulator;
    try {
      const ref = scenario.healthyProject();
      const addon = { addon_type: "custom_domain", addon_variant: "cd_default" } as const;
      control.call("applyAddon", { ref, body: addon });
      control.call("initializeCustomHostname", { ref, body: { custom_hostname: "db.example.com" } });
      control.call("createBranch", { ref, body: { branch_name: "preview" } });
      scenario.clock.advance(10 * 60_000);
      control.clearCalls();
      const given = (argumentsOf[name] ?? ((projectRef: string) => ({ projectRef })))(ref);
      await invokeFunction(scenario.runtime, definition, given);
      const { uses } = factsOf(name);
      const seen = new Set(control.calls().map(({ operation }) => operation ?? "none"));
      const listed = uses.map(({ operation }) => operation);
      expect(listed).toEqual(expect.arrayContaining([...seen]));
      const idle = listed.filter((operation) => !seen.has(operation));
      expect(idle.sort()).toEqual(Object.keys(conditions[name] ?? {}).sort());
      expect(uses.flatMap(({ steps }) => steps)).toEqual([]);
    } finally {
      await scenario.close();
    }
  });
});
