import fc from "fast-check";
import { z } from "zod";
import { startScenario, type Scenario, type Managed } from "../kit/scenario";
import { decodeLenient } from "../../provider/client/decode-response";
import { resourceByType } from "../../provider/catalog/catalog";
import { ACME_FILE } from "../spec/names/acme";
import { mergeUnknown } from "../../provider/settings/mapping/keep-unknown";

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

describe("Postgres settings of a service that is written as a whole", () => {
  const others = { log_connections: true, log_min_duration_statement: 500, log_statement: "ddl" };
  const onService = (): Record<string, unknown> => ({ ...record().postgresOverrides });
  let config: Managed;
  beforeEach(() => {
    scenario.emulator.control.set("service", "2026-06");
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

describe("an endpoint that takes the whole at once", () => {
  const bodyOf = (spy: jest.SpyInstance): unknown => (spy.mock.lastCall as [{ body: unknown }])[0].body;

  it("gets the disk's attributes that are not known", async () => {
    const { client } = scenario;
    const get = client.getDisk.bind(client);
    jest.spyOn(client, "getDisk").mockImplementation(async (...given) => {
      const { attributes, ...others } = await get(...given);
      return { ...others, attributes: { ...attributes, ...{ burst: { seconds: 30 } } } } as never;
    });
    const update = jest.spyOn(client, "updateDisk");
    await scenario.manage(resourceByType("Disk")).create({ projectRef, sizeGb: 20 });
    expect(bodyOf(update)).toMatchObject({ attributes: { size_gb: 20, burst: { seconds: 30 } } });
  });

  it("gets the network lists that are not known", async () => {
    const { client } = scenario;
    const get = client.getNetworkRestrictions.bind(client);
    jest.spyOn(client, "getNetworkRestrictions").mockImplementation(async (...given) => {
      const { config, ...others } = await get(...given);
      return { ...others, config: { ...config, ...{ storageAllowedCidrs: ["10.0.0.0/8"] } } };
    });
    const apply = jest.spyOn(client, "applyNetworkRestrictions");
    const lists = scenario.manage(resourceByType("NetworkRestrictions"));
    const made = await lists.create({ projectRef, allowedCidrs: ["203.0.113.0/24"] });
    const kept = { storageAllowedCidrs: ["10.0.0.0/8"] };
    expect(bodyOf(apply)).toMatchObject({ ...kept, dbAllowedCidrs: ["203.0.113.0/24"] });
    await lists.update(made, { projectRef, allowedCidrs: ["198.51.100.0/24"] });
    expect(bodyOf(apply)).toMatchObject({ ...kept, dbAllowedCidrs: ["198.51.100.0/24"] });
    await lists.delete(made);
    expect(bodyOf(apply)).toMatchObject(kept);
  });

  it("gets what is not known of the roles that a user keeps", async () => {
    const userId = "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50";
    const inputs = (cidr: string, ...names: string[]) => ({
      projectRef,
      userId,
      roles: names.map((role) => ({ role, allowedCidrs: [cidr] })),
    });
    const users = scenario.manage(resourceByType("JitUser"));
    const made = await users.create(inputs("10.0.0.0/8", "reader", "writer"));
    const further = { reason: "on call", allowed_networks: { allowed_regions: ["eu"] } };
    scenario.emulator.control.edit(() => {
      for (const roles of record().jit.users.values())
        for (const role of roles) {
          Object.assign(role, {
            ...further,
            allowed_networks: { ...role.allowed_networks, ...further.allowed_networks },
          });
        }
    });
    scenario.nextRun();
    const read = await users.read(made);
    const changed = inputs("192.0.2.0/24", "reader", "owner");
    expect(users.diff(read?.state ?? {}, inputs("10.0.0.0/8", "reader", "writer")).changes).toBe(false);
    await users.update(made, changed);
    const networks = { allowed_cidrs: [{ cidr: "192.0.2.0/24" }], allowed_cidrs_v6: [] };
    expect(record().jit.users.get(userId)).toEqual([
      { ...further, role: "reader", allowed_networks: { ...further.allowed_networks, ...networks } },
      { role: "owner", allowed_networks: networks },
    ]);
  });
});

it("an endpoint that merges gets what is declared, and nothing else", async () => {
  const merging = [
    ["StorageConfig", "updateStorageConfig", { fileSizeLimit: 1_048_576 }, { fileSizeLimit: 1_048_576 }],
    ["JitAccess", "updateJitAccess", { state: "enabled" }, { state: "enabled" }],
    [
      "AllowedCidr",
      "patchNetworkRestrictions",
      { cidr: "203.0.113.0/24" },
      { add: { dbAllowedCidrs: ["203.0.113.0/24"] } },
    ],
  ] as const;
  for (const [type, operation, declared, body] of merging) {
    const write = jest.spyOn(scenario.client, operation);
    await scenario.manage(resourceByType(type)).create({ projectRef, ...declared });
    expect(write.mock.calls.map(([call]) => call.body)).toEqual([body]);
  }
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
        const answer = decodeLenient(schema, { ...outer, nested, named: { one } }, "test");
        const wanted = { nested: { known: value }, named: { one: { known: value } } };
        const withoutNulls = (values: object): object =>
          Object.fromEntries(Object.entries(values).filter(([, each]) => each !== null));
        expect(mergeUnknown(schema, answer, wanted)).toEqual({
          ...withoutNulls(outer),
          nested: { ...withoutNulls(nested), known: value },
          named: { one: { ...withoutNulls(one), known: value } },
        });
      }),
    );
  });

  it("is of its type where it is known: what is misshapen is left out", () => {
    expect(decodeLenient(leaf, { known: "text", other: "kept" }, "test")).toEqual({ other: "kept" });
  });
});

describe("Auth settings of a service that names them otherwise, without a names file", () => {
  const provider = { enabled: true, clientId: "shop", secret: "hush" };
  let config: Managed;
  beforeEach(async () => {
    await scenario.close();
    scenario = await startScenario({ names: ACME_FILE, lacksNamesFile: true });
    projectRef = scenario.healthyProject();
    config = scenario.manage(resourceByType("AuthConfig"));
  });

  it("are refused with the names file as the remedy, and nothing is written", async () => {
    const inputs = { projectRef, jwtExp: 7200, external: { idp02: provider } };
    await expect(config.create(inputs)).rejects.toThrow(
      /returns nothing by the names of `external\.idp02\.\w+`.*management:names/s,
    );
    expect(scenario.calls("updateAuthConfig")).toBe(0);
  });

  it("are written where their names have no placeholder", async () => {
    const made = await config.create({ projectRef, jwtExp: 7200 });
    expect(scenario.calls("updateAuthConfig")).toBe(1);
    await expect(
      config.update(made, { projectRef, jwtExp: 7200, external: { idp02: provider } }),
    ).rejects.toThrow(/management:names/);
  });

  it("are named by a refresh, and keep what was declared", async () => {
    const made = await config.create({ projectRef, jwtExp: 7200 });
    const state = {
      ...made.state,
      external: { idp02: provider },
      __declared: ["external", "jwtExp", "projectRef"],
    };
    scenario.nextRun();
    const read = await config.read({ ...made, state });
    expect(read?.state["external"]).toEqual({ idp02: provider });
    expect(scenario.warnings.join("\n")).toMatch(/external\.idp02\.clientId.*MANAGEMENT_NAMES/s);
    await config.delete({ ...made, state });
  });
});
