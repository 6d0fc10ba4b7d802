import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("the Postgres configuration", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const put = (body: object) => service.call("updatePostgresConfig", { ref, body });
  const get = () => service.call("getPostgresConfig", { ref });
  const status = (): string => service.call("getProject", { ref }).status;

  it("shows overrides only, and is replaced as a whole", () => {
    expect(get()).toEqual({});
    put({ work_mem: "16MB", hot_standby_feedback: true });
    expect(put({ statement_timeout: "60s" })).toEqual({ statement_timeout: "60s" });
    expect(get()).toEqual({ statement_timeout: "60s" });
    put({});
    expect(get()).toEqual({});
  });

  it("keeps values as they were written, or in kB when sizes are normalised", () => {
    put({ work_mem: "16MB", effective_cache_size: "1GB", wal_sender_timeout: "60s", max_wal_size: "4096" });
    expect(get()).toMatchObject({ work_mem: "16MB", effective_cache_size: "1GB" });
    service.world.state.postgresSizesNormalised = true;
    expect(get()).toEqual({
      work_mem: "16384kB",
      effective_cache_size: "1048576kB",
      wal_sender_timeout: "60s",
      max_wal_size: "4096",
    });
  });

  it("refuses units that Postgres does not have, and changes nothing", () => {
    put({ work_mem: "16MB" });
    const body = { work_mem: "16 megabytes", max_standby_archive_delay: "5 parsecs", shared_buffers: "1GB" };
    expect(service.refusal("updatePostgresConfig", { ref, body })).toBe(
      "400 max_standby_archive_delay: Invalid value or unit; work_mem: Invalid value or unit",
    );
    expect(service.refusal("updatePostgresConfig", { ref, body: { statement_timeout: "1 minute" } })).toMatch(
      /^400/,
    );
    expect(get()).toEqual({ work_mem: "16MB" });
  });

  // service, Postgres settings: seven such PUTs in 25 s.
  it("leaves the project as it is and takes further changes, whatever they need", () => {
    for (let connections = 100; connections < 107; connections += 1) {
      expect(put({ max_connections: connections })).toEqual({ max_connections: connections });
      expect(status()).toBe("ACTIVE_HEALTHY");
      service.advance(3);
    }
  });

  it("can be made to restart the database for a parameter that needs it, unless told not to", () => {
    service.world.state.settingsRestartDatabase = true;
    put({ max_connections: 120, restart_database: false });
    expect(status()).toBe("ACTIVE_HEALTHY");
    put({ max_connections: 120, work_mem: "8MB" });
    expect(status()).toBe("ACTIVE_HEALTHY");
    put({ max_connections: 150 });
    expect(status()).toBe("RESTARTING");
    expect(service.refusal("updatePostgresConfig", { ref, body: {} })).toMatch(/^400 .*RESTARTING/);
    service.advance(10);
    expect(status()).toBe("ACTIVE_HEALTHY");
  });

  it("restarts the database on demand, which is not told again", () => {
    expect(put({ work_mem: "8MB", restart_database: true })).toEqual({ work_mem: "8MB" });
    expect(status()).toBe("RESTARTING");
  });

  it("refuses the settings that the service does not know, as measured", () => {
    const body = (settings: object) => ({ ref, body: settings }) as never;
    for (const operation of ["updatePostgresConfig", "patchPostgresConfig"] as const) {
      expect(service.refusal(operation, body({ log_statement: "all" }))).toBe(
        '400 Unrecognized key: "log_statement"',
      );
      service.call(operation, body({ log_connections: true, "cron.log_statement": false }));
      expect(service.refusal(operation, body({ log_connections: "often" }))).toMatch(
        /^400 log_connections: /,
      );
    }
  });

  it("keeps what a patch does not name", () => {
    service.call("updatePostgresConfig", { ref, body: { work_mem: "8MB" } });
    service.call("patchPostgresConfig", { ref, body: { max_connections: 80 } });
    expect(service.call("getPostgresConfig", { ref })).toEqual({ work_mem: "8MB", max_connections: 80 });
  });
});
