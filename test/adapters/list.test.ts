import { status } from "@grpc/grpc-js";
import { allResources } from "../../provider/catalog/catalog";
import { UNKNOWN } from "../../provider/define/unknown";
import { findList } from "../../provider/engine/list";
import type { Values } from "../../provider/define/values";
import { NOBODY } from "../functions/invoke";
import { isConfiguration, resourceOf, samples } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";
import { startPluginProcess, type PluginProcess } from "../kit/plugin-process";

let scenario: Scenario;
const processes: PluginProcess[] = [];

beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(async () => {
  for (const each of processes.splice(0)) await each.close();
  await scenario.close();
});

async function start(type: string): Promise<PluginProcess> {
  const started = await startPluginProcess(scenario, type);
  processes.push(started);
  return started;
}

const ownerOf = (type: string): string | undefined =>
  samples.filter((sample) => sample.type === type).map((sample) => findList(resourceOf(sample))?.of)[0];

function queryFor(type: string, projectRef: string): Values {
  const owner = ownerOf(type);
  if (owner === undefined) return {};
  return owner === "projectRef" ? { projectRef } : { organizationSlug: "acme" };
}

it("has a listing of every type that can be imported, or says why not", () => {
  const without = allResources().filter((resource) => findList(resource) === undefined);
  expect(without.map(({ type }) => type)).toEqual(
    allResources()
      .filter(({ importId }) => (importId.refusal ?? importId.unlisted) !== undefined)
      .map(({ type }) => type),
  );
});

const importable = samples.filter((sample) => findList(resourceOf(sample)) !== undefined);

describe.each(importable.map((sample) => [sample.type, sample] as const))(
  "a listing of %s",
  (type, sample) => {
    it("names what there is by the id that an import takes, and what is not there any more no longer", async () => {
      const ref = sample.needsProject ? scenario.healthyProject() : "";
      sample.prepare?.(scenario, ref);
      const plugin = await start(type);
      const { inputs } = await plugin.check({ ...sample.inputs(ref), ...sample.secretInputs });
      const made = await plugin.create(inputs);
      sample.afterCreate?.(scenario, ref);
      const { found, next } = await (await start(type)).list(queryFor(type, ref));
      expect(next).toBe("");
      expect(found.every(({ name }) => name !== "")).toBe(true);
      const imported = [];
      for (const { id } of found) imported.push((await (await start(type)).import(id)).id);
      expect(imported).toContain(made.id);
      expect(imported).not.toContain("");

      await plugin.delete(made);
      await sample.cleanUp?.(scenario, ref);
      const left = await (await start(type)).list(queryFor(type, ref));
      expect(left.found).toHaveLength(found.length - (isConfiguration(sample) ? 0 : 1));
    });
  },
);

describe("a listing of a project that is not there", () => {
  it.each(importable.filter(({ type }) => ownerOf(type) === "projectRef").map(({ type }) => [type]))(
    "of %s is an error, not empty",
    async (type) => {
      const failure = (await start(type)).list({ projectRef: NOBODY });
      await expect(failure).rejects.toThrow(`No project or branch has the reference ${NOBODY}`);
    },
  );
});

describe("a listing", () => {
  const NAMES = ["alpha", "bravo", "delta", "gamma", "sigma"];
  let projectRef: string;
  beforeEach(() => {
    projectRef = scenario.healthyProject();
    for (const name of NAMES) {
      const body = { type: "secret", name } as const;
      scenario.emulator.control.call("createApiKey", { ref: projectRef, body });
    }
  });

  it("comes in pages that neither miss nor repeat what stays, and ends at the limit", async () => {
    const plugin = await start("ApiKey");
    const whole = (await plugin.list({ projectRef })).found;
    expect(whole.map(({ name }) => name).sort()).toEqual(["default", "default", ...NAMES].sort());
    const first = await plugin.list({ projectRef }, { pageSize: 3, limit: 5 });
    expect(first.found).toEqual(whole.slice(0, 3));
    const second = await plugin.list({ projectRef }, { pageSize: 3, limit: 5, after: first.next });
    expect(second).toMatchObject({ found: whole.slice(3, 5), next: "" });
    expect((await plugin.list({ projectRef }, { limit: 2 })).found).toEqual(whole.slice(0, 2));
  });

  it("asks for arguments by name, and is unknown while they are", async () => {
    const plugin = await start("ApiKey");
    await expect(plugin.list({})).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      message: expect.stringContaining("`projectRef`: required, but missing") as string,
    });
    await expect(plugin.list({ projectRef, nmae: "x" })).rejects.toThrow("unknown property");
    expect(await plugin.list({ projectRef: UNKNOWN })).toEqual({ found: [], next: "", isUnknown: true });
  });

  it("says why there is none of what cannot be imported", async () => {
    const failure = (await start("LoginRole")).list({ projectRef });
    await expect(failure).rejects.toThrow("LoginRole cannot be listed: the service returns the password");
  });

  it("leaves out what no resource manages: branches that stand for projects, compute sizes, legacy keys", async () => {
    scenario.emulator.control.call("createBranch", { ref: projectRef, body: { branch_name: "preview" } });
    scenario.clock.advance(10 * 60_000);
    const branches = await (await start("Branch")).list({ projectRef });
    expect(branches.found.map(({ name }) => name)).toEqual(["preview"]);
    const projects = await (await start("Project")).list({ organizationSlug: "acme" });
    expect(projects.found.map(({ id }) => id)).toEqual([projectRef]);
    const body = { addon_type: "compute_instance", addon_variant: "ci_small" } as const;
    scenario.emulator.control.call("applyAddon", { ref: projectRef, body });
    expect((await (await start("BillingAddon")).list({ projectRef })).found).toEqual([]);
  });
});
