import { activityEnd } from "../../../../../emulator/service/rules/shared/project-status";
import { createRulesWorld, found, type RulesWorld } from "../rules-world";

describe("read replicas", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld({ service: "2026-06" });
    ref = service.healthyProject();
  });
  const resize = (variant: "ci_small" | "ci_xlarge"): void => {
    service.call("applyAddon", { ref, body: { addon_type: "compute_instance", addon_variant: variant } });
    service.advance(126);
  };
  const setUp = (read_replica_region: "eu-west-1" | "us-east-1" = "eu-west-1") => ({
    ref,
    body: { read_replica_region },
  });
  const databases = () =>
    found(service.call("listOrganizationProjects", { slug: "acme" }).projects[0]).databases;
  const replicas = () => databases().filter(({ type }) => type === "READ_REPLICA");
  const identifier = (): string => found(replicas()[0]).identifier;
  const remove = (database_identifier: string) => ({ ref, body: { database_identifier } });

  it("answer nothing, and are found in the organization's listing while they come up", () => {
    resize("ci_small");
    service.call("setUpReadReplica", setUp());
    expect(replicas()).toEqual([
      expect.objectContaining({
        region: "eu-west-1",
        status: "INIT_READ_REPLICA",
        infra_compute_size: "small",
        disk_volume_size_gb: 8,
      }),
    ]);
    expect(identifier()).toMatch(new RegExp(`^${ref}-rr-eu-west-1-[a-z]{6}$`));
    service.advance(126);
    expect(replicas()).toMatchObject([{ status: "ACTIVE_HEALTHY" }]);
    expect(databases()[0]).toMatchObject({ type: "PRIMARY", identifier: ref });
  });

  it("can fail to come up", () => {
    resize("ci_small");
    service.projectRecord(ref).next.readReplica = "INIT_READ_REPLICA_FAILED";
    service.call("setUpReadReplica", setUp());
    service.call("setUpReadReplica", setUp("us-east-1"));
    service.advance(126);
    expect(replicas().map(({ status }) => status)).toEqual(["INIT_READ_REPLICA_FAILED", "ACTIVE_HEALTHY"]);
  });

  it("share the states of their project", () => {
    resize("ci_small");
    service.call("setUpReadReplica", setUp());
    service.advance(126);
    service.call("updatePostgresConfig", { ref, body: { restart_database: true } });
    expect(databases().map(({ status }) => status)).toEqual(["RESTARTING", "RESTARTING"]);
  });

  it("need a compute size, which also says how many there can be", () => {
    expect(service.refusal("setUpReadReplica", setUp())).toMatch(
      /^400 .*micro is too small for read replicas/,
    );
    resize("ci_small");
    for (let count = 0; count < 2; count += 1) service.call("setUpReadReplica", setUp());
    expect(service.refusal("setUpReadReplica", setUp())).toMatch(/^400 .*at most 2/);
    resize("ci_xlarge");
    for (let count = 2; count < 5; count += 1) service.call("setUpReadReplica", setUp());
    expect(service.refusal("setUpReadReplica", setUp())).toMatch(/^400 .*at most 5/);
    expect(service.refusal("removeAddon", { ref, addon_variant: "ci_xlarge" })).toMatch(/^400 .*at most 2/);
    expect(new Set(replicas().map((replica) => replica.identifier)).size).toBe(5);
  });

  it("keep the compute size that they need", () => {
    resize("ci_small");
    service.call("setUpReadReplica", setUp());
    expect(service.refusal("removeAddon", { ref, addon_variant: "ci_small" })).toMatch(
      /^400 .*micro is too small for read replicas/,
    );
    service.call("removeReadReplica", remove(identifier()));
    service.advance(15);
    service.call("removeAddon", { ref, addon_variant: "ci_small" });
    expect(service.projectRecord(ref).addons.has("compute_instance")).toBe(false);
  });

  it("go down before they are gone", () => {
    resize("ci_small");
    service.call("setUpReadReplica", setUp());
    const name = identifier();
    service.call("removeReadReplica", remove(name));
    service.call("removeReadReplica", remove(name));
    expect(replicas()).toMatchObject([{ identifier: name, status: "GOING_DOWN" }]);
    service.advance(15);
    expect(replicas()).toEqual([]);
    expect(service.projectRecord(ref).readReplicas.size).toBe(0);
    expect(service.refusal("removeReadReplica", remove(name))).toMatch(/^404 .*no read replica/);
    expect(service.refusal("removeReadReplica", remove(ref))).toMatch(/^400 .*primary/);
  });
});

// service, Read replicas.
describe("read replicas as measured", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const setUp = { read_replica_region: "eu-west-1" } as const;
  const enlarge = (): void => {
    service.call("applyAddon", {
      ref,
      body: { addon_type: "compute_instance", addon_variant: "ci_small" },
    });
    // Until the size is there, and the services are.
    service.advance(
      (activityEnd(service.world, service.projectRecord(ref)) - service.world.clock.now()) / 1_000,
    );
    service.advance(30);
  };
  const replica = () =>
    service
      .call("listOrganizationProjects", { slug: "acme" })
      .projects[0]?.databases.find(({ type }) => type === "READ_REPLICA");
  const pooled = (): number => service.call("listPoolerConfigs", { ref }).length;

  it("need the size small, and a physical backup that is younger than it", () => {
    expect(service.refusal("setUpReadReplica", { ref, body: setUp })).toBe(
      "400 Read replicas require a minimum size of small",
    );
    enlarge();
    expect(service.refusal("setUpReadReplica", { ref, body: setUp })).toMatch(
      /^400 A completed backup needs to be done .* It is currently in progress$/,
    );
    service.advance(5 * 60 - 30);
    service.call("setUpReadReplica", { ref, body: setUp });
    expect(replica()?.identifier).toMatch(/^[a-j]{20}-rr-eu-west-1-[a-z]{5}$/);
  });

  it("are refused with 406 where no backup is a copy of the files", () => {
    enlarge();
    service.projectRecord(ref).backups.physical = false;
    expect(service.refusal("setUpReadReplica", { ref, body: setUp })).toBe(
      "406 Failed to check for latest completed physical backup",
    );
  });

  it("are in the pooler after 216 seconds, serve after 219, and are gone at once when they are removed", () => {
    enlarge();
    service.advance(5 * 60);
    service.call("setUpReadReplica", { ref, body: setUp });
    service.advance(215);
    expect(pooled()).toBe(1);
    service.advance(1);
    expect(pooled()).toBe(2);
    expect(replica()?.status).toBe("INIT_READ_REPLICA");
    service.advance(3);
    expect(replica()?.status).toBe("ACTIVE_HEALTHY");
    service.call("removeReadReplica", {
      ref,
      body: { database_identifier: replica()?.identifier ?? "" },
    });
    expect(replica()).toBeUndefined();
    expect(pooled()).toBe(1);
  });
});
