import { createRulesWorld, found, type RulesWorld } from "../rules-world";
import { isDiskFull } from "../../../../../emulator/service/rules/shared/present-disk";

const GB = 2 ** 30;
const HOUR = 3_600;

describe("a disk", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld({ service: "2026-06" });
    ref = service.healthyProject();
  });
  const get = () => service.call("getDisk", { ref });
  const gp3 = (size_gb: number, iops = 3_000, throughput_mibps?: number) => ({
    ref,
    body: {
      attributes: {
        type: "gp3" as const,
        size_gb,
        iops,
        ...(throughput_mibps === undefined ? {} : { throughput_mibps }),
      },
    },
  });
  const io2 = (size_gb: number, iops: number) => ({
    ref,
    body: { attributes: { type: "io2" as const, size_gb, iops } },
  });
  const fill = (share: number): void => {
    const { disk } = service.projectRecord(ref);
    disk.usedBytes = Math.round(disk.attributes.size_gb * GB * share);
  };
  const isFull = (): boolean => isDiskFull(service.world, service.projectRecord(ref));
  const sizes = (): (number | undefined)[] =>
    service
      .call("listOrganizationProjects", { slug: "acme" })
      .projects.flatMap(({ databases }) => databases.map(({ disk_volume_size_gb }) => disk_volume_size_gb));

  it("is small at first and was never changed", () => {
    expect(get()).toEqual({ attributes: { type: "gp3", size_gb: 8, iops: 3_000, throughput_mibps: 125 } });
  });

  it("is as it was until a change is over, though the time of the change is told", () => {
    service.call("updateDisk", gp3(50, 4_000, 250));
    expect(get()).toMatchObject({ attributes: { size_gb: 8 }, last_modified_at: "2026-01-01T00:02:00.000Z" });
    expect(sizes()).toEqual([8]);
    service.advance(30);
    expect(get().attributes).toEqual({ type: "gp3", size_gb: 50, iops: 4_000, throughput_mibps: 250 });
    expect(
      service.call("listOrganizationProjects", { slug: "acme" }).projects[0]?.databases[0],
    ).toMatchObject({
      disk_volume_size_gb: 50,
      disk_type: "gp3",
      disk_throughput_mbps: 250,
      disk_last_modified_at: "2026-01-01T00:02:00.000Z",
    });
  });

  // service, Limits: a quota with calls left in the window.
  it("changes once in four hours, and answers 429 until then", () => {
    service.call("updateDisk", gp3(50));
    service.advance(HOUR);
    expect(service.refusal("updateDisk", gp3(60))).toBe(
      "429 Database disk can only be modified once per four hours",
    );
    // Asking again for what is there is no change.
    service.call("updateDisk", gp3(50));
    service.advance(3 * HOUR);
    service.call("updateDisk", gp3(60));
    service.advance(30);
    expect(get().attributes.size_gb).toBe(60);
  });

  it("changes its type, and keeps the throughput that is left out", () => {
    service.call("updateDisk", gp3(50, 4_000, 250));
    service.advance(4 * HOUR);
    service.call("updateDisk", gp3(60, 4_000));
    service.advance(4 * HOUR);
    expect(get().attributes).toMatchObject({ size_gb: 60, throughput_mibps: 250 });
    service.call("updateDisk", io2(60, 20_000));
    service.advance(4 * HOUR);
    expect(get().attributes).toEqual({ type: "io2", size_gb: 60, iops: 20_000 });
    expect(
      service.call("listOrganizationProjects", { slug: "acme" }).projects[0]?.databases[0],
    ).not.toHaveProperty("disk_throughput_mbps");
    service.call("updateDisk", gp3(60));
    service.advance(30);
    expect(get().attributes).toEqual({ type: "gp3", size_gb: 60, iops: 3_000, throughput_mibps: 125 });
  });

  it.each([
    ["a smaller size", gp3(7), "size_gb cannot shrink from 8 to 7"],
    ["too large a size", gp3(20_000), "size_gb is at most 16384"],
    ["too few iops", gp3(50, 2_999), "iops is 3000 to 16000"],
    ["more iops than the size takes", gp3(8, 5_000), "iops is 3000 to 4000 for 8 GB"],
    ["more iops than an io2 disk takes", io2(10, 10_001), "iops is 100 to 10000 for 10 GB"],
    [
      "more throughput than the iops take",
      gp3(50, 3_000, 751),
      "throughput_mibps is 125 to 750 at 3000 iops",
    ],
    ["too little throughput", gp3(50, 3_000, 100), "throughput_mibps is 125 to"],
  ])("refuses %s", (_, parameters, message) => {
    // The table of cases is made before there is a project.
    expect(service.refusal("updateDisk", { ...parameters, ref })).toContain(message);
    expect(service.projectRecord(ref).disk.modifiedAt).toBeNull();
  });

  it("tells how much of it is used", () => {
    service.projectRecord(ref).disk.usedBytes = GB;
    expect(service.call("getDiskUtilization", { ref })).toEqual({
      timestamp: "2026-01-01T00:02:00.000Z",
      metrics: { fs_size_bytes: 8 * GB, fs_used_bytes: GB, fs_avail_bytes: 7 * GB },
    });
  });

  it("grows by itself when it is nearly full, as its configuration says", () => {
    expect(service.call("getDiskAutoscale", { ref })).toEqual({
      growth_percent: 50,
      min_increment_gb: 4,
      max_size_gb: null,
    });
    fill(0.89);
    expect(get().attributes.size_gb).toBe(8);
    fill(0.91);
    expect(get()).toMatchObject({
      attributes: { size_gb: 12 },
      last_modified_at: "2026-01-01T00:02:00.000Z",
    });
    expect(isFull()).toBe(false);
    expect(service.refusal("updateDisk", gp3(20))).toMatch(/^429 .*four hours/);
  });

  it("is full while it may not grow: between two changes, at its largest, on the free plan", () => {
    service.call("updateDisk", gp3(10));
    service.advance(HOUR);
    fill(0.96);
    expect(isFull()).toBe(true);
    service.advance(3 * HOUR);
    expect(isFull()).toBe(false);
    expect(get().attributes.size_gb).toBe(15);

    service.advance(4 * HOUR);
    service.projectRecord(ref).disk.autoscale.maxSizeGb = 16;
    fill(1);
    expect([isFull(), get().attributes.size_gb]).toEqual([false, 16]);
    service.advance(4 * HOUR);
    fill(1);
    expect(isFull()).toBe(true);

    service.projectRecord(ref).disk.autoscale.maxSizeGb = null;
    found(service.world.state.organizations.get("acme")).plan = "free";
    expect(isFull()).toBe(true);
    expect(service.refusal("updateDisk", gp3(20))).toMatch(/^400 .*plan free/);
  });
});

// service, Disk.
describe("a disk as measured", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const gp3 = (size_gb: number, iops = 3_000) =>
    ({ ref, body: { attributes: { type: "gp3", size_gb, iops } } }) as const;
  const shown = () => service.call("getDisk", { ref }).attributes;

  it("has 2 GB at first, and nothing is set of its growth", () => {
    expect(shown()).toEqual({ type: "gp3", size_gb: 2, iops: 3_000, throughput_mibps: 125 });
    expect(service.call("getDiskAutoscale", { ref })).toEqual({
      growth_percent: null,
      min_increment_gb: null,
      max_size_gb: null,
    });
  });

  it.each([4, 5])("refuses %d GB, which take fewer iops than the least", (size) => {
    expect(service.refusal("updateDisk", gp3(size))).toBe(
      "400 Invalid IOPS value for gp3 volume 3000. Minimum is 3000. Max is 500 IOPS per GB or 80,000, whichever is lower.",
    );
    expect(shown().size_gb).toBe(2);
  });

  it("is as it was asked for fifteen seconds later, from 6 GB on", () => {
    service.call("updateDisk", gp3(6));
    service.advance(14);
    expect(shown().size_gb).toBe(2);
    service.advance(1);
    expect(shown().size_gb).toBe(6);
  });

  it("takes up to 80,000 iops, by its size", () => {
    expect(service.refusal("updateDisk", gp3(100, 50_001))).toMatch(/^400 Invalid IOPS value/);
    service.call("updateDisk", gp3(200, 80_000));
    service.advance(15);
    expect(shown().iops).toBe(80_000);
    service.advance(4 * 3_600);
    expect(service.refusal("updateDisk", gp3(400, 80_001))).toMatch(/^400 Invalid IOPS value/);
  });

  it("says when it was changed last where it is changed again too early", () => {
    const at = new Date(service.world.clock.now()).toISOString();
    service.call("updateDisk", gp3(8));
    expect(service.refusal("updateDisk", gp3(9))).toBe(
      `429 Database disk can only be modified once per four hours. Last modified at ${at}`,
    );
  });

  it("grows by itself to 8 and 12 GB, which is no change that has to be waited after", () => {
    for (const size of [8, 12]) {
      service.projectRecord(ref).disk.usedBytes = 0.91 * shown().size_gb * 2 ** 30;
      expect(shown().size_gb).toBe(size);
    }
    expect(service.call("getDisk", { ref })).not.toHaveProperty("last_modified_at");
    service.call("updateDisk", gp3(20));
  });
});
