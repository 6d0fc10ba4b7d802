import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("the REST layer", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const get = () => service.call("getRestLayerConfig", { ref });
  const health = () => service.call("getHealth", { ref, services: ["rest"] })[0];

  it("tells the JWT secret in clear when it is read, and never when it is written", () => {
    expect(get()).toEqual({
      db_schema: "public,graphql_public",
      db_extra_search_path: "public, extensions",
      max_rows: 1_000,
      db_pool: null,
      jwt_secret: service.projectRecord(ref).jwtSecret,
    });
    expect(service.call("updateRestLayerConfig", { ref, body: { max_rows: 5 } })).toEqual({
      db_schema: "public,graphql_public",
      db_extra_search_path: "public, extensions",
      max_rows: 5,
      db_pool: null,
    });
  });

  it("is configured by merging", () => {
    service.call("updateRestLayerConfig", { ref, body: { db_schema: "public, api", db_pool: 20 } });
    service.call("updateRestLayerConfig", { ref, body: { db_extra_search_path: "" } });
    expect(get()).toMatchObject({ db_schema: "public, api", db_pool: 20, db_extra_search_path: "" });
  });

  it("is unhealthy with an empty schema, until it gets one", () => {
    service.call("updateRestLayerConfig", { ref, body: { db_schema: "" } });
    expect(health()).toMatchObject({ status: "UNHEALTHY", info: { db_schema: "" } });
    service.call("updateRestLayerConfig", { ref, body: { db_schema: "api" } });
    expect(health()).toMatchObject({ status: "ACTIVE_HEALTHY", info: { db_schema: "api" } });
  });

  it("cannot be configured before its service is healthy", () => {
    const fresh = service.newProject("fresh");
    service.advance(35);
    const body = { max_rows: 5 };
    expect(service.refusal("updateRestLayerConfig", { ref: fresh, body })).toMatch(/^400 .*rest/);
    service.advance(10);
    expect(service.call("updateRestLayerConfig", { ref: fresh, body }).max_rows).toBe(5);
  });
});
