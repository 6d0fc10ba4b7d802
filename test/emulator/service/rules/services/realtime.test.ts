import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("realtime", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const get = () => service.call("getRealtimeConfig", { ref });
  const update = (body: {
    max_concurrent_users?: number;
    private_only?: boolean;
    suspend?: boolean;
  }): void => {
    service.call("updateRealtimeConfig", { ref, body });
  };

  it("is configured by merging", () => {
    const before = get();
    update({ max_concurrent_users: 50_000 });
    update({ private_only: true });
    update({});
    expect(get()).toEqual({ ...before, max_concurrent_users: 50_000, private_only: true });
  });

  it("takes no field out of its range", () => {
    for (const body of [
      { connection_pool: 0 },
      { max_joins_per_second: 5_001 },
      { max_payload_size_in_kb: 10_001 },
    ]) {
      expect(service.refusal("updateRealtimeConfig", { ref, body })).toMatch(/^400 /);
    }
  });

  it("closes its connections at a shutdown", () => {
    service.projectRecord(ref).realtime.connections = 12;
    service.call("shutDownRealtime", { ref });
    expect(service.projectRecord(ref).realtime).toMatchObject({
      connections: 0,
      shutDownAt: service.world.clock.now(),
    });
  });

  it("has nothing to shut down while it is suspended or does not run", () => {
    service.projectRecord(ref).realtime.connections = 12;
    update({ suspend: true });
    expect(service.projectRecord(ref).realtime.connections).toBe(0);
    expect(service.refusal("shutDownRealtime", { ref })).toBe("404 Realtime is not running: it is suspended");
    update({ suspend: false });
    service.call("shutDownRealtime", { ref });
    service.projectRecord(ref).forcedStatus = "PAUSING";
    expect(service.refusal("shutDownRealtime", { ref })).toMatch(/^404 Realtime is not running/);
    expect(service.refusal("shutDownRealtime", { ref: "z".repeat(20) })).toMatch(/^404 /);
  });

  it("is unhealthy while it is suspended, until that ends", () => {
    const health = () => service.call("getHealth", { ref, services: ["realtime"] })[0];
    update({ suspend: true });
    expect(health()).toMatchObject({
      healthy: false,
      status: "UNHEALTHY",
      error: '{"error":"it is suspended"}',
    });
    update({ max_concurrent_users: 5 });
    update({ suspend: false });
    expect(health()).toMatchObject({ healthy: true, status: "ACTIVE_HEALTHY" });
    expect(get()).toMatchObject({ max_concurrent_users: 5 });
  });

  it("cannot be configured before its service is healthy", () => {
    const fresh = service.newProject("fresh");
    service.advance(40);
    expect(service.refusal("updateRealtimeConfig", { ref: fresh, body: {} })).toMatch(/^400 .*realtime/);
    service.advance(10);
    service.call("updateRealtimeConfig", { ref: fresh, body: { suspend: true } });
    expect(service.projectRecord(fresh).realtime.config.suspend).toBe(true);
  });
});
