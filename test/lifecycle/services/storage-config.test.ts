import type { StorageRecord } from "../../../emulator/service/world/records/services";
import { updateStorageConfigBody } from "../../../spec/operations/storage";
import type { Values } from "../../../provider/define/values";
import { storageConfig } from "../../../provider/resources/services/storage-config/storage-config";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let configs: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  configs = scenario.manage(storageConfig);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, ...more });
const onService = () => scenario.emulator.control.call("getStorageConfig", { ref });
const editOutside = (edit: (storage: StorageRecord) => void): void =>
  scenario.emulator.control.edit(({ projects }) => {
    const storage = projects.get(ref)?.storage;
    if (storage) edit(storage);
  });

it("writes just what is declared of each group, plans it by path, and restores what it found", async () => {
  const before = onService();
  const features = { s3Protocol: { enabled: false }, icebergCatalog: { maxTables: 20 } };
  const inputs = declared({ fileSizeLimit: 10_000_000, features });
  const made = await configs.create(inputs);
  expect(onService()).toEqual({
    ...before,
    fileSizeLimit: 10_000_000,
    features: {
      ...before.features,
      s3Protocol: { enabled: false },
      icebergCatalog: { ...before.features.icebergCatalog, maxTables: 20 },
    },
  });
  expect(made.state).toMatchObject({
    fileSizeLimit: 10_000_000,
    features,
    capabilities: { listV2: true, icebergCatalog: true },
    migrationVersion: before.migrationVersion,
    databasePoolMode: before.databasePoolMode,
    __found: {
      values: {
        fileSizeLimit: 52_428_800,
        "features.s3Protocol.enabled": true,
        "features.icebergCatalog.maxTables": 10,
      },
      unset: [],
    },
  });

  scenario.nextRun();
  const read = await configs.read(made);
  expect(read?.inputs).toEqual(inputs);

  scenario.nextRun();
  const changed = declared({
    fileSizeLimit: 10_000_000,
    features: { ...features, icebergCatalog: { maxTables: 30 } },
  });
  expect(configs.diff(made.state, changed).properties).toEqual([
    { path: "features.icebergCatalog.maxTables", kind: "update", replaces: false },
  ]);
  const updated = await configs.update(made, changed);
  expect(onService().features.icebergCatalog.maxTables).toBe(30);

  editOutside((storage) => void (storage.features.icebergCatalog.maxTables = 7));
  scenario.nextRun();
  const drifted = await configs.read(updated);
  expect(drifted?.inputs["features"]).toEqual({
    s3Protocol: { enabled: false },
    icebergCatalog: { maxTables: 7 },
  });
  const repaired = await configs.update({ id: ref, state: drifted?.state ?? {} }, changed);
  expect(onService().features.icebergCatalog.maxTables).toBe(30);

  await configs.delete(repaired);
  expect(onService()).toEqual(before);
});

describe("the fields within an object", () => {
  it("are managed one by one: what others set beside them is no drift and stays, after a delete too", async () => {
    const inputs = declared({ features: { icebergCatalog: { enabled: false } } });
    const made = await configs.create(inputs);
    editOutside(({ features }) => {
      features.icebergCatalog.maxTables = 99;
      features.s3Protocol.enabled = false;
    });
    scenario.nextRun();
    const read = await configs.read(made);
    expect(read?.inputs).toEqual(inputs);
    expect(configs.diff(read?.state ?? {}, inputs).changes).toBe(false);
    await configs.delete(made);
    expect(onService().features).toMatchObject({
      icebergCatalog: { enabled: true, maxTables: 99 },
      s3Protocol: { enabled: false },
    });
  });

  it("are each given back when they are taken out of the program", async () => {
    const made = await configs.create(
      declared({
        features: { s3Protocol: { enabled: false }, vectorBuckets: { maxBuckets: 3, maxIndexes: 2 } },
      }),
    );
    const fewer = declared({ features: { vectorBuckets: { maxBuckets: 3 } } });
    expect(configs.diff(made.state, fewer).properties).toEqual([
      { path: "features.vectorBuckets.maxIndexes", kind: "delete", replaces: false },
      { path: "features.s3Protocol", kind: "delete", replaces: false },
    ]);
    const updated = await configs.update(made, fewer);
    expect(onService().features).toMatchObject({
      s3Protocol: { enabled: true },
      vectorBuckets: { maxBuckets: 3, maxIndexes: 5 },
    });
    expect(updated.state).toMatchObject({
      features: { vectorBuckets: { maxBuckets: 3 } },
      __found: { values: { "features.vectorBuckets.maxBuckets": 10 } },
    });
    const none = await configs.update(updated, declared());
    expect(onService().features.vectorBuckets.maxBuckets).toBe(10);
    expect(none.state).toMatchObject({ __found: { values: {}, unset: [] } });
  });

  it("can be shared by two resources, each of which takes back its own", async () => {
    const vectors = declared({ features: { vectorBuckets: { maxBuckets: 3 } } });
    const catalogs = declared({ features: { icebergCatalog: { maxCatalogs: 4 } } });
    const [one, other] = await Promise.all([
      configs.create(vectors),
      configs.create({ ...catalogs, __owner: "acme/shop/dev/catalogs" }),
    ]);
    await configs.delete(one);
    expect(onService().features).toMatchObject({
      vectorBuckets: { maxBuckets: 10 },
      icebergCatalog: { maxCatalogs: 4 },
    });
    await configs.delete(other);
    expect(onService().features.icebergCatalog.maxCatalogs).toBe(2);
  });

  it("are not written where their change is ignored while another one's is not", async () => {
    const made = await configs.create(
      declared({ features: { s3Protocol: { enabled: false }, vectorBuckets: { maxBuckets: 3 } } }),
    );
    editOutside(({ features }) => void (features.s3Protocol.enabled = true));
    scenario.nextRun();
    await configs.update(
      made,
      declared({ features: { s3Protocol: { enabled: false }, vectorBuckets: { maxBuckets: 4 } } }),
    );
    expect(onService().features).toMatchObject({
      s3Protocol: { enabled: true },
      vectorBuckets: { maxBuckets: 4 },
    });
  });
});

it("passes on why the service refuses a value, and changes nothing", async () => {
  editOutside(({ features }) => void (features.imageTransformation.enabled = false));
  const before = onService();
  const inputs = declared({ features: { imageTransformation: { enabled: true } } });
  scenario.emulator.control.set("organizations.acme.plan", "free");
  await expect(configs.create(inputs)).rejects.toThrow("Image transformation is not part of the plan free");
  expect(onService()).toEqual(before);
});

it("names what is misspelt within an object, and the settings that have a property", () => {
  expect(
    configs
      .failures(
        declared({
          features: { vectorBuckets: { maxBucket: 3 } },
          extraSettings: { features: { s3Protocol: { enabled: true } } },
        }),
      )
      .sort(),
  ).toEqual([
    expect.stringMatching(
      /^extraSettings\.features\.s3Protocol\.enabled: declare `features\.s3Protocol\.enabled`/,
    ),
    expect.stringMatching(/^features\.vectorBuckets\.maxBucket: unknown property.*maxBuckets/),
  ]);
});

it("is gone with its project", async () => {
  const made = await configs.create(declared({ fileSizeLimit: 10_000_000 }));
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  scenario.clock.advance(10 * 60_000);
  scenario.nextRun();
  expect(await configs.read(made)).toBeUndefined();
  await configs.delete(made);
});

it("sends and reads back every field of the API, and restores each", async () => {
  // Image transformation is a matter of the plan.
  scenario.emulator.control.edit(({ organizations }) => {
    for (const organization of organizations.values()) organization.plan = "pro";
  });
  const before = onService();
  const { fileSizeLimit, features, external } = before;
  const another = (value: unknown): unknown => {
    if (typeof value === "boolean") return !value;
    if (typeof value === "number") return value + 1;
    return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, another(each)]));
  };
  const all = {
    fileSizeLimit: fileSizeLimit + 1,
    features: another(features),
    external: { upstreamTarget: external.upstreamTarget === "main" ? "canary" : "main" },
  };
  expect(updateStorageConfigBody.parse(all)).toEqual(all);
  const body = updateStorageConfigBody.shape;
  expect(Object.keys(all)).toEqual(Object.keys(body));
  expect(Object.keys(features).sort()).toEqual(Object.keys(body.features.unwrap().shape).sort());
  const made = await configs.create(declared(all));
  expect(onService()).toMatchObject(all);
  scenario.nextRun();
  const read = await configs.read(made);
  expect(read?.inputs).toEqual(declared(all));
  await configs.delete(made);
  expect(onService()).toEqual(before);
});
