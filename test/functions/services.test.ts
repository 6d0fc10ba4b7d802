import { operations } from "../../spec/table";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, invokeWrapped } from "./invoke";
import { recordOf } from "./scenes";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const record = () => recordOf(scenario, projectRef);
const read = (name: string) => invoke(scenario, name, { projectRef });

describe("getRealtimeConfig", () => {
  it("returns what is set, and leaves out what is not", async () => {
    const body = { max_concurrent_users: 300, private_only: true };
    scenario.emulator.control.call("updateRealtimeConfig", { ref: projectRef, body });
    const found = await read("getRealtimeConfig");
    expect(found).toMatchObject({ maxConcurrentUsers: 300, privateOnly: true });
    const answered = scenario.emulator.control.call("getRealtimeConfig", { ref: projectRef });
    const answer = operations.getRealtimeConfig.success.schema.parse(answered);
    const set = Object.values(answer).filter((value) => value !== null);
    expect(Object.values(found)).toHaveLength(set.length);
    expect(Object.values(found)).not.toContain(null);
  });
});

describe("getStorageConfig", () => {
  it("returns limits, features and abilities", async () => {
    const answer = scenario.emulator.control.call("getStorageConfig", { ref: projectRef });
    expect(await read("getStorageConfig")).toEqual({
      fileSizeLimit: answer.fileSizeLimit,
      features: answer.features,
      external: answer.external,
      capabilities: {
        listV2: answer.capabilities.list_v2,
        icebergCatalog: answer.capabilities.iceberg_catalog,
      },
      migrationVersion: answer.migrationVersion,
      databasePoolMode: answer.databasePoolMode,
    });
  });

  it("leaves out what the service leaves out", async () => {
    const body = { fileSizeLimit: 7, features: { s3Protocol: { enabled: true }, moonTable: { phase: 1 } } };
    scenario.emulator.control.addFault({ operation: "getStorageConfig", status: 200, body });
    expect(await read("getStorageConfig")).toEqual({
      fileSizeLimit: 7,
      features: { s3Protocol: { enabled: true } },
      capabilities: {},
    });
  });
});

describe("getRestLayerConfig", () => {
  it("returns the settings, and the secret that verifies tokens as a Pulumi secret", async () => {
    const body = { max_rows: 50, db_schema: "public,app" };
    scenario.emulator.control.call("updateRestLayerConfig", { ref: projectRef, body });
    expect(await invokeWrapped(scenario, "getRestLayerConfig", { projectRef })).toEqual({
      dbSchema: "public,app",
      dbExtraSearchPath: "public, extensions",
      maxRows: 50,
      jwtSecret: { secret: record().jwtSecret },
    });
  });
});

describe("getAuthConfig", () => {
  const body = {
    site_url: "https://app.example.com",
    smtp_host: "smtp.example.com",
    smtp_pass: "a password of a server",
    smtp_admin_email: "admin@example.com",
    external_idp03_enabled: true,
    external_idp03_client_id: "a client",
    external_idp03_secret: "a client secret",
    sms_test_otp: "4915112345678=123456",
    mailer_subjects_invite: "You are invited",
    rate_limit_verify: 17,
  };

  it("returns settings by group, without secrets, of which the service has a hash only", async () => {
    scenario.emulator.control.call("updateAuthConfig", { ref: projectRef, body });
    const found = await read("getAuthConfig");
    expect(found).toMatchObject({
      siteUrl: "https://app.example.com",
      smtp: { host: "smtp.example.com", adminEmail: "admin@example.com" },
      external: { idp03: { enabled: true, clientId: "a client" } },
      mailer: { templates: { invite: { subject: "You are invited" } } },
      rateLimits: { verify: 17 },
      customOauthMaxProviders: expect.any(Number) as number,
    });
    expect(found["smtp"]).not.toHaveProperty("password");
    expect(found["external"]).not.toHaveProperty("idp03.secret");
    const answer = scenario.emulator.control.call("getAuthConfig", { ref: projectRef });
    for (const hash of [answer.smtp_pass, answer.external_idp03_secret]) {
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
      expect(JSON.stringify(found)).not.toContain(hash);
    }
  });

  it("returns what a program could not declare, as a vendor that this version does not know", async () => {
    const answer = { sms_provider: "vendorZ", mailer_otp_length: 12, external_idp01_enabled: null };
    scenario.emulator.control.addFault({ operation: "getAuthConfig", status: 200, body: answer });
    expect(await read("getAuthConfig")).toEqual({ sms: { provider: "vendorZ" }, mailer: { otpLength: 12 } });
  });

  it("wraps the codes for tests, which are all that is secret in it", async () => {
    scenario.emulator.control.call("updateAuthConfig", { ref: projectRef, body });
    const wrapped = await invokeWrapped(scenario, "getAuthConfig", { projectRef });
    expect(wrapped["sms"]).toMatchObject({ testOtp: { secret: "4915112345678=123456" } });
    expect(JSON.stringify(wrapped).match(/"secret":/g)).toHaveLength(1);
  });
});

describe.each(["getRealtimeConfig", "getStorageConfig", "getRestLayerConfig", "getAuthConfig"] as const)(
  "%s",
  (name) => {
    it("is one call for many", async () => {
      await Promise.all(Array.from({ length: 10 }, () => read(name)));
      await read(name);
      expect(scenario.calls(name)).toBe(1);
    });

    it("reads the configuration of a branch by the branch's reference", async () => {
      const body = { branch_name: "preview" };
      const branch = scenario.emulator.control.call("createBranch", { ref: projectRef, body });
      scenario.clock.advance(10 * 60_000);
      const found = await invoke(scenario, name, { projectRef: branch.project_ref });
      expect(Object.keys(found).length).toBeGreaterThan(0);
    });
  },
);
