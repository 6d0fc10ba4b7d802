import { createRulesWorld, found, START, type RulesWorld } from "../rules-world";

describe("storage", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const get = () => service.call("getStorageConfig", { ref });
  const onFreePlan = (): void => {
    found(service.world.state.organizations.get("acme")).plan = "free";
  };

  it("is configured by merging: what is left out stays", () => {
    const before = get();
    service.call("updateStorageConfig", { ref, body: { fileSizeLimit: 1_000 } });
    service.call("updateStorageConfig", {
      ref,
      body: {
        features: {
          imageTransformation: { enabled: true },
          vectorBuckets: { enabled: true, maxBuckets: 3, maxIndexes: 4 },
        },
      },
    });
    service.call("updateStorageConfig", { ref, body: { external: { upstreamTarget: "canary" } } });
    expect(get()).toEqual({
      ...before,
      fileSizeLimit: 1_000,
      features: {
        ...before.features,
        imageTransformation: { enabled: true },
        vectorBuckets: { enabled: true, maxBuckets: 3, maxIndexes: 4 },
      },
      external: { upstreamTarget: "canary" },
    });
  });

  it("allows larger files with a paid plan", () => {
    service.call("updateStorageConfig", { ref, body: { fileSizeLimit: 500 * 2 ** 30 } });
    expect(get().fileSizeLimit).toBe(536_870_912_000);
    onFreePlan();
    expect(service.refusal("updateStorageConfig", { ref, body: { fileSizeLimit: 52_428_801 } })).toBe(
      "400 fileSizeLimit: at most 52428800 with the plan free",
    );
    service.call("updateStorageConfig", { ref, body: { fileSizeLimit: 52_428_800 } });
    expect(get().fileSizeLimit).toBe(52_428_800);
  });

  it("transforms images with a paid plan only, and changes nothing when it refuses", () => {
    const off = { imageTransformation: { enabled: false } };
    service.call("updateStorageConfig", { ref, body: { features: off } });
    onFreePlan();
    const body = { fileSizeLimit: 1, features: { imageTransformation: { enabled: true } } };
    expect(service.refusal("updateStorageConfig", { ref, body })).toMatch(/^400 Image transformation/);
    expect(get()).toMatchObject({
      fileSizeLimit: 52_428_800,
      features: { imageTransformation: { enabled: false } },
    });
  });

  it("cannot be configured before its service is healthy", () => {
    const fresh = service.newProject("fresh");
    service.advance(40);
    const body = { fileSizeLimit: 1 };
    expect(service.refusal("updateStorageConfig", { ref: fresh, body })).toMatch(/^400 .*storage/);
    service.advance(10);
    service.call("updateStorageConfig", { ref: fresh, body });
    expect(service.projectRecord(fresh).storage.fileSizeLimit).toBe(1);
  });

  it("lists the buckets that clients and SQL made", async () => {
    expect(await service.call("listBuckets", { ref })).toEqual([]);
    service.projectRecord(ref).storage.buckets.set("avatars", {
      name: "avatars",
      owner: "",
      public: true,
      createdAt: START,
      updatedAt: START + 1_000,
    });
    const avatars = {
      id: "avatars",
      name: "avatars",
      owner: "",
      public: true,
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:01.000Z",
    };
    expect(await service.call("listBuckets", { ref })).toEqual([avatars]);
    const query = `insert into storage.buckets (id, name, created_at, updated_at)
      values ('files', 'files', '2026-02-01T00:00:00Z', '2026-02-01T00:00:00.5Z')`;
    await service.call("runQuery", { ref, body: { query } });
    expect(await service.call("listBuckets", { ref })).toEqual([
      avatars,
      {
        id: "files",
        name: "files",
        owner: "",
        public: false,
        created_at: "2026-02-01T00:00:00.000Z",
        updated_at: "2026-02-01T00:00:00.500Z",
      },
    ]);
    await service.close();
    service.projectRecord(ref).forcedStatus = "PAUSING";
    expect(await service.lateRefusal("listBuckets", { ref })).toMatch(/^400 .*PAUSING/);
  });
});
