import { resourceByType } from "../../provider/catalog/catalog";
import { countAfterDelete, isAsChanged, samples } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";

// service, Newer fields: "No program can know them all: what is unknown is kept". Every sample
// lives its life on such a service; `npm run repeat -- --newer` has all tests of the provider do so.

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario({ newer: true });
});
afterEach(() => scenario.close());

it.each(samples.map((sample) => [sample.type, sample] as const))(
  "%s is made, refreshed without a difference, changed and deleted where answers carry newer fields",
  async (type, sample) => {
    const ref = sample.needsProject ? scenario.healthyProject() : "";
    sample.prepare?.(scenario, ref);
    const managed = scenario.manage(resourceByType(type));
    const made = await managed.create(sample.inputs(ref));
    scenario.nextRun();
    const read = await managed.read(made);
    expect(managed.diff(read?.state ?? {}, sample.inputs(ref)).changes).toBe(false);
    sample.afterCreate?.(scenario, ref);
    scenario.nextRun();
    const changed = await managed.update(made, sample.changed(ref));
    expect(isAsChanged(sample, await sample.onService(scenario, ref))).toBe(true);
    scenario.nextRun();
    const reread = await managed.read(changed);
    expect(managed.diff(reread?.state ?? {}, sample.changed(ref)).changes).toBe(false);
    scenario.nextRun();
    await managed.delete(changed);
    expect(await sample.onService(scenario, ref)).toHaveLength(countAfterDelete(sample));
  },
);

it("leaves on the service what only newer answers tell of a provider and of the settings", async () => {
  const ref = scenario.healthyProject();
  const { control } = scenario.emulator;
  const sso = scenario.manage(resourceByType("SsoProvider"));
  const inputs = { projectRef: ref, type: "saml", metadataUrl: "https://idp.example.com/metadata" };
  const made = await sso.create(inputs);
  control.set(`projects.${ref}.newer.disabledSsoProviders`, [made.id]);
  control.set(`projects.${ref}.postgresOverrides`, { log_connections: true });
  scenario.nextRun();
  await sso.update(made, { ...inputs, domains: ["example.com"] });
  const config = scenario.manage(resourceByType("PostgresConfig"));
  await config.create({ projectRef: ref, workMem: "16MB" });
  expect(control.call("getSsoProvider", { ref, provider_id: made.id })).toMatchObject({ disabled: true });
  expect(control.call("getPostgresConfig", { ref })).toEqual({ log_connections: true, work_mem: "16MB" });
});
