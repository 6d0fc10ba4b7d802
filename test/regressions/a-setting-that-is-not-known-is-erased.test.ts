import fc from "fast-check";
import { z } from "zod";
import { readTolerantly } from "../../provider/client/reading";
import { resourceByType } from "../../provider/by-name";
import { withUnknownOf } from "../../provider/converge/keep-unknown";
import { startScenario, type Managed, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const record = () => {
  const found = scenario.emulator.world.state.projects.get(projectRef);
  if (found === undefined) throw new Error("the project is there");
  return found;
};

describe("Postgres settings", () => {
  const others = { log_connections: true, log_min_duration_statement: 500, log_statement: "ddl" };
  const onService = (): Record<string, unknown> => ({ ...record().postgresOverrides });
  let config: Managed;
  beforeEach(() => {
    const body = { ...others, work_mem: "8MB", max_wal_senders: 7 };
    scenario.emulator.control.call("updatePostgresConfig", { ref: projectRef, body });
    scenario.clock.advance(60_000);
    config = scenario.manage(resourceByType("PostgresConfig"));
  });

  it("of others stay when one is declared, changed, released and deleted", async () => {
    const made = await config.create({ projectRef, statementTimeout: "5s" });
    expect(onService()).toEqual({
      ...others,
      work_mem: "8MB",
      max_wal_senders: 7,
      statement_timeout: "5s",
    });
    const changed = await config.update(made, { projectRef, statementTimeout: "6s", workMem: "16MB" });
    expect(onService()).toMatchObject({ ...others, work_mem: "16MB" });
    const released = await config.update(changed, { projectRef, workMem: "16MB" });
    expect(onService()).toEqual({ ...others, work_mem: "16MB", max_wal_senders: 7 });
    await config.delete(released);
    expect(onService()).toEqual({ ...others, work_mem: "8MB", max_wal_senders: 7 });
  });

  it("that others change meanwhile stay as they are then, and are no drift", async () => {
    const inputs = { projectRef, workMem: "16MB" };
    const made = await config.create(inputs);
    scenario.emulator.control.edit(() => {
      record().postgresOverrides = { ...record().postgresOverrides, ...{ log_statement: "all" } };
    });
    scenario.nextRun();
    const read = await config.read(made);
    expect(config.diff(read?.state ?? {}, inputs).changes).toBe(false);
    expect(JSON.stringify(read?.state)).not.toContain("log_");
    await config.update(made, { projectRef, workMem: "32MB" });
    expect(onService()).toMatchObject({ ...others, log_statement: "all", work_mem: "32MB" });
  });

  it("that nobody knows are still refused by the service", () => {
    const body: object = { no_such_setting: 1 };
    expect(() => scenario.emulator.control.call("updatePostgresConfig", { ref: projectRef, body })).toThrow(
      "no_such_setting",
    );
  });
});

it("what a newer service keeps of functions stays when their names are changed together", async () => {
  const functions = scenario.manage(resourceByType("EdgeFunction"));
  const inputs = (slug: string, name: string) => ({
    projectRef,
    slug,
    name,
    files: { "index.ts": "export {};" },
  });
  const slugs = ["first", "second"];
  const made = await Promise.all(slugs.map((slug) => functions.create(inputs(slug, "before"))));
  const further = { memory_mb: 512, limits: { cpu: 2 } };
  scenario.emulator.control.edit(() => {
    for (const one of record().functions.values()) record().functions.set(one.slug, { ...one, further });
  });
  scenario.nextRun();
  await Promise.all(made.map((one) => functions.update(one, inputs(one.id, "after"))));
  expect(scenario.calls("updateFunctions")).toBe(1);
  for (const slug of slugs) {
    expect(record().functions.get(slug)).toMatchObject({ name: "after", further });
  }
});

it("what a newer service keeps of an attribute mapping stays when the provider is changed", async () => {
  const providers = scenario.manage(resourceByType("SsoProvider"));
  const inputs = (domain: string) => ({
    projectRef,
    type: "saml",
    metadataUrl: "https://idp.example.com/metadata",
    domains: [domain],
    attributeMapping: { keys: { mail: { name: "email" } } },
  });
  const made = await providers.create(inputs("example.com"));
  const mapping = { keys: { mail: { name: "email", strict: true } }, fallback: { mode: "first" } };
  scenario.emulator.control.edit(() => {
    for (const one of record().ssoProviders.values()) one.attributeMapping = mapping;
  });
  scenario.nextRun();
  const read = await providers.read(made);
  expect(providers.diff(read?.state ?? {}, inputs("example.com")).changes).toBe(false);
  await providers.update(made, inputs("example.org"));
  const [provider] = [...record().ssoProviders.values()];
  expect(provider?.attributeMapping).toEqual(mapping);
  expect(provider?.domains.map(({ domain }) => domain)).toEqual(["example.org"]);
});

describe("a value that is read and written back", () => {
  const leaf = z.object({ known: z.number().optional() });
  const schema = z.object({ nested: leaf.optional(), named: z.record(z.string(), leaf).optional() });

  it("keeps every key that is not known, and changes every one that is", () => {
    const unknown = fc.dictionary(fc.stringMatching(/^u_[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 2 }));
    const leaves = fc
      .record({ known: fc.integer() })
      .chain((own) => unknown.map((more) => ({ ...more, ...own })));
    fc.assert(
      fc.property(unknown, leaves, leaves, fc.integer(), (outer, nested, one, value) => {
        const answer = readTolerantly(schema, { ...outer, nested, named: { one } }, "test");
        const wanted = { nested: { known: value }, named: { one: { known: value } } };
        const withoutNulls = (values: object): object =>
          Object.fromEntries(Object.entries(values).filter(([, each]) => each !== null));
        expect(withUnknownOf(schema, answer, wanted)).toEqual({
          ...withoutNulls(outer),
          nested: { ...withoutNulls(nested), known: value },
          named: { one: { ...withoutNulls(one), known: value } },
        });
      }),
    );
  });

  it("is of its type where it is known: what is misshapen is left out", () => {
    expect(readTolerantly(leaf, { known: "text", other: "kept" }, "test")).toEqual({ other: "kept" });
  });
});
