import { startScenario, type Scenario } from "../../../../kit/scenario";

// service, Current operations.
describe("the configuration of a whole project", () => {
  let scenario: Scenario;
  let ref: string;
  beforeEach(async () => {
    scenario = await startScenario();
    ref = scenario.healthyProject();
  });
  afterEach(() => scenario.close());
  const get = (token = scenario.emulator.accessToken) =>
    fetch(`${scenario.emulator.url}/v2/projects/${ref}/config`, {
      headers: { authorization: `Bearer ${token}` },
    });

  it("has what was set, and a default for what never was", async () => {
    const { control } = scenario.emulator;
    control.call("patchPostgresConfig", { ref, body: { "cron.log_statement": false, work_mem: "8MB" } });
    control.call("updateAuthConfig", {
      ref,
      body: { smtp_pass: "a-password", site_url: "https://shop.example" },
    });
    control.call("applyNetworkRestrictions", { ref, body: { dbAllowedCidrs: ["203.0.113.0/24"] } });
    const { data } = control.call("getProjectConfig", { ref });
    expect(data).toMatchObject({
      type: "project_config",
      id: ref,
      attributes: {
        database: {
          ssl_enforced: false,
          postgres_settings: { cron_log_statement: false, work_mem: "8MB" },
          network_restrictions: { allowed_cidrs: [{ address: "203.0.113.0/24", type: "v4" }] },
        },
        pooler: { pool_mode: "transaction" },
        auth: {
          site_url: "https://shop.example",
          smtp_pass: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        },
        api: { max_rows: 1_000, db_pool: null },
        realtime: { suspend: false, presence_enabled: true },
        storage: { upstream_target: "main" },
      },
    });
    expect(data.attributes.auth).toMatchObject({
      smtp_host: "",
      saml_external_url: "",
      sms_vendorD_from: "",
    });
    expect((await get()).status).toBe(200);
  });

  it("is refused in the form of the second version", async () => {
    const response = await get("nobody");
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: { code: "unauthorized", message: expect.stringContaining("Unauthorized") as string },
    });
  });

  it("is not there on the service of 2026-06", async () => {
    scenario.emulator.control.edit((state) => {
      state.service = "2026-06";
    });
    expect((await get()).status).toBe(404);
  });
});
