import { createRulesWorld, found, type RulesWorld } from "../rules-world";

describe("the pooler", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const primary = () => found(service.call("listPoolerConfigs", { ref })[0]);
  const update = (body: { default_pool_size?: number | null; pool_mode?: "session" | "transaction" }) =>
    service.call("updatePoolerConfig", { ref, body });
  const resize = (variant: "ci_small" | "ci_large"): void => {
    service.call("applyAddon", { ref, body: { addon_type: "compute_instance", addon_variant: variant } });
    service.advance(120);
  };

  it("tells how to connect, but not the password", () => {
    expect(primary()).toEqual({
      identifier: ref,
      database_type: "PRIMARY",
      is_using_scram_auth: true,
      db_user: `postgres.${ref}`,
      db_host: "pooler.us-east-1.service.example",
      db_port: 6_543,
      db_name: "postgres",
      connection_string: `postgresql://postgres.${ref}:[YOUR-PASSWORD]@pooler.us-east-1.service.example:6543/postgres`,
      connectionString: `postgresql://postgres.${ref}:[YOUR-PASSWORD]@pooler.us-east-1.service.example:6543/postgres`,
      default_pool_size: null,
      // service, Poolers.
      max_client_conn: null,
      pool_mode: "transaction",
    });
    const everything = JSON.stringify([primary(), service.call("getLegacyPoolerConfig", { ref })]);
    expect(everything).not.toContain("a-password");
  });

  it("has another port in session mode", () => {
    expect(update({ pool_mode: "session" })).toEqual({ default_pool_size: null, pool_mode: "session" });
    expect(primary()).toMatchObject({ pool_mode: "session", db_port: 5_432 });
    expect(primary().connection_string).toContain(":5432/");
  });

  it("merges changes, and takes null back to the decision of the compute size", () => {
    update({ default_pool_size: 30 });
    expect(update({ pool_mode: "session" })).toEqual({ default_pool_size: 30, pool_mode: "session" });
    service.projectRecord(ref).pooler.maxClientConn = 200;
    expect(primary().max_client_conn).toBe(200);
    expect(update({ default_pool_size: null })).toEqual({ default_pool_size: null, pool_mode: "session" });
    expect(service.projectRecord(ref).pooler).toMatchObject({ defaultPoolSize: null, poolMode: "session" });
  });

  it("keeps no more connections than the database takes", () => {
    expect(service.refusal("updatePoolerConfig", { ref, body: { default_pool_size: 61 } })).toMatch(
      /^400 default_pool_size: at most 60, .* micro, received 61/,
    );
    resize("ci_large");
    update({ default_pool_size: 160 });
    expect(primary()).toMatchObject({ default_pool_size: 160 });
    service.call("updatePostgresConfig", { ref, body: { max_connections: 300 } });
    service.advance(120);
    update({ default_pool_size: 300 });
    expect(service.refusal("updatePoolerConfig", { ref, body: { default_pool_size: 301 } })).toMatch(/^400/);
  });

  it("has an entry for each read replica", () => {
    resize("ci_small");
    service.advance(300);
    service.call("setUpReadReplica", { ref, body: { read_replica_region: "eu-west-1" } });
    service.advance(216);
    const replica = found(service.call("listPoolerConfigs", { ref })[1]);
    expect(replica).toMatchObject({
      database_type: "READ_REPLICA",
      db_user: `postgres.${replica.identifier}`,
      db_host: "pooler.eu-west-1.service.example",
    });
  });

  it("cannot be changed before it is healthy, which it is last of all", () => {
    const fresh = service.newProject("fresh");
    service.advance(45);
    const body = { default_pool_size: 5 };
    expect(service.refusal("updatePoolerConfig", { ref: fresh, body })).toMatch(/^400 .*pooler.*not found/);
    service.advance(10);
    expect(service.call("updatePoolerConfig", { ref: fresh, body }).default_pool_size).toBe(5);
  });

  it("is another one than the legacy pooler, which has its own values", () => {
    update({ default_pool_size: 30, pool_mode: "session" });
    expect(service.call("getLegacyPoolerConfig", { ref })).toEqual({
      default_pool_size: 15,
      max_client_conn: 200,
      ignore_startup_parameters: "extra_float_digits",
      pool_mode: "transaction",
      server_idle_timeout: 600,
      server_lifetime: 3_600,
      query_wait_timeout: 120,
      reserve_pool_size: 0,
      connection_string: `postgresql://postgres:[YOUR-PASSWORD]@db.${ref}.service.example:6543/postgres`,
    });
    service.projectRecord(ref).pooler.legacy.default_pool_size = 7;
    expect(service.call("getLegacyPoolerConfig", { ref }).default_pool_size).toBe(7);
  });
});
