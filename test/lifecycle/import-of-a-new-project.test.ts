import { allResources } from "../../provider/catalog/catalog";
import { listImportAdvice, importResource } from "../../provider/engine/import";
import { newAuthConfig } from "../../spec/new-project";
import { giveEnterprisePlan } from "../../tools/fixtures/given-addons";
import { startScenario, type Scenario } from "../kit/scenario";

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  // What an older service does not show cannot be imported.
  scenario.emulator.control.set("jitAccessShowsState", true);
  ref = scenario.healthyProject();
  // The least plan that has everything.
  giveEnterprisePlan(scenario, ref);
});
afterEach(() => scenario.close());

const configurations = allResources().filter(
  ({ importId }) => importId.isProjectRef === true && importId.refusal === undefined,
);

async function importOf(type: string): Promise<{ inputs: object; changes: readonly unknown[] }> {
  const resource = configurations.find((each) => each.type === type);
  if (resource === undefined) throw new Error(`${type} is not imported by a project's reference`);
  const imported = await importResource(scenario.runtime, resource, ref, true);
  if (imported === undefined) throw new Error(`${type} is not there`);
  const { inputs, state } = imported;
  const managed = scenario.manage(resource);
  expect(managed.failures(inputs)).toEqual([]);
  return { inputs, changes: managed.diff(state, inputs).properties };
}

/** What the import of an untouched project declares of each configuration beside the project itself. */
const DECLARED: Readonly<Record<string, readonly string[]>> = {
  AuthConfig: [],
  BackupSchedule: ["scheduleFor"],
  CryptoExtensionKey: ["rootKey"],
  Disk: ["iops", "sizeGb", "throughputMibps", "type"],
  JitAccess: ["state"],
  LegacyApiKeys: ["enabled"],
  NetworkRestrictions: ["allowedCidrs", "allowedCidrsV6"],
  PoolerConfig: ["poolMode"],
  PostgresConfig: [],
  RealtimeConfig: [],
  RestLayerConfig: [],
  SslEnforcement: ["database"],
  StorageConfig: [],
};

/** Configurations that a new project does not have. */
const ABSENT = [
  "CustomHostname",
  "CustomHostnameActivation",
  "DatabaseWebhooks",
  "LegacySigningKey",
  "VanitySubdomain",
];

it("knows every configuration", () => {
  expect(configurations.map(({ type }) => type).sort()).toEqual([...Object.keys(DECLARED), ...ABSENT].sort());
});

it.each(Object.entries(DECLARED))("declares of %s in an untouched project: %j", async (type, names) => {
  const { inputs, changes } = await importOf(type);
  expect(Object.keys(inputs).sort()).toEqual(["projectRef", ...names].sort());
  expect(changes).toEqual([]);
});

it("declares no default of the free plan either", async () => {
  scenario.emulator.control.set("organizations.acme.plan", "free");
  ref = scenario.healthyProject("other");
  expect((await importOf("StorageConfig")).inputs).toEqual({ projectRef: ref });
});

describe("on a newer service", () => {
  beforeEach(() => scenario.emulator.control.set("newer", true));

  it.each(Object.entries(DECLARED))("declares no default of %s either: %j", async (type, names) => {
    const { inputs, changes } = await importOf(type);
    expect(Object.keys(inputs).sort()).toEqual(["projectRef", ...names].sort());
    expect(changes).toEqual([]);
  });

  it("declares passkeys and presence where they differ from a new project's", async () => {
    const { control } = scenario.emulator;
    const passkeys = { passkey_enabled: true, webauthn_rp_id: "example.com" };
    control.call("updateAuthConfig", { ref, body: passkeys });
    control.call("updateRealtimeConfig", { ref, body: { presence_enabled: false } });
    expect(await importOf("AuthConfig")).toEqual({
      inputs: { projectRef: ref, passkeyEnabled: true, webAuthn: { rpId: "example.com" } },
      changes: [],
    });
    expect(await importOf("RealtimeConfig")).toEqual({
      inputs: { projectRef: ref, presenceEnabled: false },
      changes: [],
    });
  });
});

it("declares each setting of the auth configuration that differs from a new project's, and no other", async () => {
  const changed: Readonly<Record<string, unknown>> = {
    site_url: "https://shop.example.com",
    jwt_exp: (newAuthConfig.jwt_exp ?? 0) + 1,
    external_email_enabled: false,
    external_idp01_enabled: true,
    external_idp01_client_id: "client",
    external_idp01_secret: "hush",
    mailer_otp_length: 6,
    mailer_templates_invite_content: "<p>Come in</p>",
  };
  scenario.emulator.control.call("updateAuthConfig", { ref, body: changed });
  const { inputs, changes } = await importOf("AuthConfig");
  expect(inputs).toEqual({
    projectRef: ref,
    siteUrl: "https://shop.example.com",
    jwtExp: 3601,
    externalEmailEnabled: false,
    external: { idp01: { enabled: true, clientId: "client" } },
    mailer: { otpLength: 6 },
  });
  expect(changes).toEqual([]);
  const authConfig = configurations.find(({ type }) => type === "AuthConfig");
  expect(authConfig && listImportAdvice(authConfig).join("\n")).toContain("email templates");
});
