import { parse } from "yaml";
import { orderByDependency, ORDERS } from "../../import/dependencies";
import { takeInventory, type InventoryObject, type Inventory } from "../../import/inventory";
import { renderPythonProgram } from "../../import/languages/python";
import { renderTypeScriptProgram } from "../../import/languages/typescript";
import { renderYamlProgram } from "../../import/languages/yaml";
import { buildProgram, Reference, type ProgramResource, type Program } from "../../import/model";
import { applyDeclared } from "../../import/state";
import { resourceByType } from "../../provider/catalog/catalog";
import { deleteResource } from "../../provider/engine/delete";
import { importResource } from "../../provider/engine/import";
import type { Values } from "../../provider/define/values";
import { startScenario, type Scenario } from "../kit/scenario";
import { growCompanyProject } from "../../tools/engine/grown-project";

const projectRef = "abcdefghijklmnopqrst";

/** What the two of an order declare, so that it applies. */
const PAIRS: Readonly<Record<string, readonly [later: Values, first: Values]>> = {
  "CustomHostname after BillingAddon": [
    { customHostname: "db.example.com" },
    { addonType: "custom_domain", variant: "cd_default" },
  ],
  "CustomHostname after VanitySubdomain": [
    { customHostname: "db.example.com" },
    { vanitySubdomain: "shop-of-acme" },
  ],
  "CustomHostnameActivation after CustomHostname": [
    { customHostname: "db.example.com" },
    { customHostname: "db.example.com" },
  ],
  "BackupSchedule after BillingAddon": [{ time: "03:00" }, { addonType: "pitr", variant: "pitr_7" }],
  "ReadReplica after BillingAddon": [{ region: "us-east-1" }, { addonType: "pitr", variant: "pitr_7" }],
  "SsoProvider after AuthConfig": [{ domains: ["example.com"] }, { saml: { enabled: true } }],
  "SigningKey after LegacySigningKey": [{ algorithm: "ES256" }, {}],
  "JitUser after JitAccess": [{ userId: "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50" }, { state: "enabled" }],
  "PoolerConfig after PostgresConfig": [{ defaultPoolSize: 100 }, { maxConnections: 120 }],
  "Migration after Migration": [{ version: "20260102000000" }, { version: "20260101000000" }],
};

const titles = ORDERS.map(({ later, first }) => `${later} after ${first}`);

describe.each(titles)("%s", (title) => {
  const [later = "", first = ""] = title.split(" after ");
  const [ofLater = {}, ofFirst = {}] = PAIRS[title] ?? [];
  const found = (type: string, label: string, inputs: Values): InventoryObject => ({
    ...{ type, label, importId: `${projectRef}/${label}` },
    inputs: { projectRef, ...inputs },
  });
  const objects = [
    {
      type: "Project",
      label: "shop",
      importId: projectRef,
      inputs: { name: "shop", organizationSlug: "acme" },
    },
    found(later, "the-later", ofLater),
    found(first, "the-first", ofFirst),
  ];
  const program = buildProgram(inventoryOf(objects));
  const laterName = program.resources.find(({ inputs }) => inputs === objects[1]?.inputs)?.name ?? "";
  const firstOne = program.resources.find(({ inputs }) => inputs === objects[2]?.inputs);

  it("is declared in each language, behind what it needs", () => {
    const { name = "", variable = "" } = firstOne ?? {};
    expect(renderTypeScriptProgram(program)).toContain(`{ protect, dependsOn: [${variable}]`);
    expect(renderTypeScriptProgram(program)).toContain(`const ${variable} = new management.${first}(`);
    expect(renderPythonProgram(program)).toContain(
      `protect=protect, depends_on=[${name.replaceAll("-", "_")}]`,
    );
    const { resources } = parse(renderYamlProgram(program)) as {
      resources: Record<string, { options: { dependsOn?: string[] } }>;
    };
    expect(resources[laterName]?.options.dependsOn).toEqual([`\${${name}}`]);
    expect(resources[name]?.options.dependsOn).toBeUndefined();
    const names = program.resources.map((each) => each.name);
    expect(names.indexOf(name)).toBeLessThan(names.indexOf(laterName));
  });
});

it("refers to no add-on of another kind, and to nothing that is only a comment", () => {
  const hostname = { customHostname: "db.example.com", projectRef };
  const objects = [
    { type: "CustomHostname", label: "", importId: projectRef, inputs: hostname },
    {
      ...{ type: "BillingAddon", label: "", importId: `${projectRef}/ipv4` },
      inputs: { projectRef, addonType: "ipv4", variant: "ipv4_default" },
    },
  ];
  expect(buildProgram(inventoryOf(objects)).resources.flatMap(({ dependsOn }) => dependsOn)).toEqual([]);
});

it("lets each migration depend on the one before it", () => {
  const objects = ["3", "1", "2"].map((version) => ({
    ...{ type: "Migration", label: `step-${version}`, importId: `${projectRef}/${version}` },
    inputs: { projectRef, version, name: `step-${version}`, query: "select 1" },
  }));
  const { resources } = buildProgram(inventoryOf(objects));
  expect(resources.map(({ name, dependsOn }) => [name, dependsOn.map((each) => each.name)])).toEqual([
    ["step-1", []],
    ["step-2", ["step-1"]],
    ["step-3", ["step-2"]],
  ]);
});

it("does not loop where each of two things waits for the other", () => {
  expect(orderByDependency(["a", "b"], (each) => [each === "a" ? "b" : "a"])).toEqual(["b", "a"]);
});

describe("the program of a whole project", () => {
  let scenario: Scenario;
  let program: Program;
  let ref: string;
  beforeEach(async () => {
    scenario = await startScenario();
    const { control } = scenario.emulator;
    ref = await growCompanyProject(scenario.emulator);
    // Each of these needs another thing of the project.
    control.set("auth.ssoNeedsSaml", true);
    control.call("updateAuthConfig", { ref, body: { saml_enabled: true } });
    control.call("applyAddon", { ref, body: { addon_type: "pitr", addon_variant: "pitr_7" } });
    control.call("setUpReadReplica", { ref, body: { read_replica_region: "eu-west-1" } });
    control.call("updateJitUser", {
      ref,
      body: { user_id: "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50", roles: [{ role: "postgres" }] },
    });
    scenario.nextRun();
    program = buildProgram(await takeInventory(scenario.runtime, { projectRef: ref, choose: ["Migration"] }));
  });
  afterEach(() => scenario.close());

  it("has the order in the state before it has run once, so that a destroy knows it", () => {
    const shown = program.resources.filter(({ comment }) => comment === undefined);
    const state = { version: 3, deployment: { resources: shown.toReversed().map((each) => recordOf(each)) } };
    for (const hasClasses of [false, true]) {
      const { deployment } = applyDeclared(state, shown, { owner: "acme/shop/production", hasClasses });
      const resources = deployment.resources ?? [];
      const urns = resources.map(({ urn }) => urn);
      for (const [index, { dependencies = [] }] of resources.entries())
        for (const urn of dependencies) expect(urns.slice(0, index)).toContain(urn);
      const hostname = resources.find(({ type }) => type.endsWith("CustomHostname"));
      expect(hostname?.dependencies?.map((urn) => urn.split("::").at(-1))).toEqual(["custom-domain", "shop"]);
      const key = resources.find(({ type }) => /[:/]SigningKey$/.test(type));
      expect(key?.deletedWith).toMatch(/Project::shop$/);
      expect(hostname?.propertyDependencies).toMatchObject({
        projectRef: [expect.stringMatching(/::shop$/)],
      });
    }
  });

  it.each([1, 2, 3])(
    "is destroyed without a refused call in any order that it allows, as %d",
    async (seed) => {
      // The engine deletes nothing for what is gone with the project.
      const shown = program.resources.filter(
        ({ comment, type, deletedWith }) =>
          comment === undefined && type !== "Project" && deletedWith === undefined,
      );
      const refused = await refusedInDestroy(shuffled(shown, seed));
      expect(refused).toEqual([]);
    },
  );

  it("has calls refused in an order that it does not allow", async () => {
    const wanted = ["BillingAddon", "CustomHostname"];
    const shown = program.resources.filter(({ type }) => wanted.includes(type));
    const addonFirst = shown.toSorted(({ type: one }, { type: other }) => (one < other ? 1 : -1));
    await expect(refusedInDestroy(addonFirst)).rejects.toThrow("Please enable the Custom Domain add-on");
  });

  /** Deletes them from the last to the first; the calls that the service refused. */
  async function refusedInDestroy(resources: readonly ProgramResource[]): Promise<readonly string[]> {
    const { control } = scenario.emulator;
    const recorded: (readonly [ProgramResource, { readonly id: string; readonly state: Values }])[] = [];
    for (const each of resources) {
      const read = await importResource(scenario.runtime, resourceByType(each.type), each.importId, true);
      if (read === undefined) throw new Error(`${each.type} ${each.importId} is not there`);
      recorded.push([each, read]);
    }
    scenario.nextRun();
    control.clearCalls();
    for (const [{ type }, { id, state }] of recorded.toReversed()) {
      await deleteResource(scenario.runtime, resourceByType(type), id, state);
    }
    return (
      control
        .calls()
        // A look after a delete is refused where there is no hostname any more.
        .filter(({ method, status }) => method !== "GET" && status >= 400)
        .map(({ operation = "", status }) => `${operation} ${status}`)
    );
  }
});

function inventoryOf(objects: readonly InventoryObject[]): Inventory {
  return {
    ...{ projectRef, name: "shop", objects, secrets: [], leftOut: [], omitted: [], failed: [], choices: [] },
    differences: [],
  };
}

function recordOf({ type, name, importId, inputs }: ProgramResource) {
  return {
    urn: `urn:pulumi:production::shop::management:index:${type}::${name}`,
    ...{ type: `management:index:${type}`, id: importId, inputs, outputs: inputs },
  };
}

/** The same in another order that their references allow. */
function shuffled(all: readonly ProgramResource[], seed: number): ProgramResource[] {
  const at = (index: number): number => (index * 7_919 * seed + seed) % 104_729;
  const mixed = all.map((each, index) => [at(index + 1), each] as const).sort(([a], [b]) => a - b);
  const referred = ({ properties, dependsOn }: ProgramResource): ProgramResource[] => [
    ...dependsOn,
    ...Object.values(properties).flatMap((value) => (value instanceof Reference ? [value.to] : [])),
  ];
  return orderByDependency(
    mixed.map(([, each]) => each),
    referred,
  );
}
