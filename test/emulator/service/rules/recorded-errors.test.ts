import { operations, type OperationName } from "../../../../spec/table";
import { publishRecords } from "../../../../tools/engine/emulated-dns";
import { startScenario, type Scenario } from "../../../kit/scenario";

let scenario: Scenario;
// The exchanges were recorded before the measurements.
beforeEach(async () => {
  scenario = await startScenario({ service: "2026-06" });
});
afterEach(() => scenario.close());

/** How a project comes to the state in which the service was recorded; returns its reference. */
type Arranged = (control: Scenario["emulator"]["control"]) => string;

const healthy: Arranged = () => scenario.healthyProject();
const removed: Arranged = (control) => {
  const ref = scenario.healthyProject();
  control.call("deleteProject", { ref });
  scenario.clock.advance(60_000);
  return ref;
};
const withAddon: Arranged = (control) => {
  const ref = scenario.healthyProject();
  control.call("applyAddon", { ref, body: { addon_type: "custom_domain", addon_variant: "cd_default" } });
  return ref;
};
const initialized: Arranged = (control) => {
  const ref = withAddon(control);
  control.call("initializeCustomHostname", { ref, body: { custom_hostname: "www.example.com" } });
  return ref;
};
const verified: Arranged = (control) => {
  const ref = initialized(control);
  publishRecords(scenario, ref);
  // One look for the ownership, one for the certificate.
  control.call("reverifyCustomHostname", { ref });
  control.call("reverifyCustomHostname", { ref });
  scenario.clock.advance(60_000);
  return ref;
};
const activated: Arranged = (control) => {
  const ref = verified(control);
  control.call("activateCustomHostname", { ref });
  return ref;
};

const HOSTNAME = { custom_hostname: "www.example.com" };
const UUID = "2f1b1a0e-5b0c-4c43-9f1e-0d2f6ad3d0c1";
const DISK = { type: "gp3", iops: 3_000, size_gb: 30 } as const;
const ONCE_IN_FOUR_HOURS = "Database disk can only be modified once per four hours";
const ID_OF_ERROR: unknown = expect.stringMatching(/^[\da-f]{32}$/);

type Row = readonly [
  operation: OperationName,
  arranged: Arranged,
  status: number,
  message: string,
  sent?: { readonly body?: object; readonly params?: Readonly<Record<string, string>> },
  further?: object,
];

/** The refusals that were recorded of the running service, or reported with their texts (service, Errors). */
const recorded: readonly Row[] = [
  ["activateCustomHostname", activated, 400, "Custom hostname has already been activated."],
  ["activateCustomHostname", removed, 400, "Resource has been removed"],
  ["activateCustomHostname", initialized, 400, "Verification has not been completed."],
  [
    "deleteProject",
    (control) => {
      const body = { name: "new", organization_slug: "acme", db_pass: "a-password" };
      return control.call("createProject", { body }).ref;
    },
    400,
    "Project not ready for deletion.",
  ],
  ["getCustomHostname", withAddon, 400, "No custom hostname configuration found."],
  ["getProject", removed, 400, "Resource has been removed"],
  [
    "getSnippet",
    healthy,
    406,
    "Failed to retrieve SQL snippet",
    { params: { id: UUID } },
    { errorEventId: ID_OF_ERROR },
  ],
  ["getSsoProvider", healthy, 404, "SSO Identity Provider not found", { params: { provider_id: UUID } }],
  [
    "initializeCustomHostname",
    healthy,
    400,
    "Please enable the Custom Domain add-on for the project first.",
    { body: HOSTNAME },
  ],
  [
    "initializeCustomHostname",
    initialized,
    544,
    "Delete the custom hostname associated with your project before attempting to create a new one.",
    { body: HOSTNAME },
  ],
  ["removeCustomHostname", withAddon, 400, "Custom hostname not configured for project"],
  ["removeCustomHostname", removed, 400, "Resource has been removed"],
  [
    "restorePitr",
    healthy,
    400,
    "PITR is not enabled for this project.",
    { body: { recovery_time_target_unix: 1_707_407_047 } },
  ],
  ["reverifyCustomHostname", withAddon, 400, "Project is not pending custom hostname verification."],
  ["reverifyCustomHostname", removed, 400, "Resource has been removed"],
  ["reverifyCustomHostname", verified, 400, "Verification has been completed, please proceed to activation."],
  [
    "updateCryptoExtConfig",
    healthy,
    400,
    "Expected a 32 byte secret, hex-encoded (64 characters).",
    { body: { root_key: "" } },
  ],
  [
    "updateDisk",
    (control) => {
      const ref = scenario.healthyProject();
      control.call("updateDisk", { ref, body: { attributes: DISK } });
      return ref;
    },
    429,
    ONCE_IN_FOUR_HOURS,
    { body: { attributes: { ...DISK, size_gb: 40 } } },
  ],
  [
    "applyAddon",
    withAddon,
    429,
    "Cannot update addon: still processing addon changes",
    { body: { addon_type: "ipv4", addon_variant: "ipv4_default" } },
  ],
  [
    "updateAuthConfig",
    healthy,
    400,
    "db_max_pool_size_unit: Invalid enum value. Expected 'connections' | 'percent', received ''",
    { body: { db_max_pool_size_unit: "" } },
  ],
];

it.each(recorded.map((row) => [row[0], row[3], row] as const))("%s: %s", async (_name, _message, row) => {
  const [name, arranged, status, message, sent = {}, further = {}] = row;
  const { emulator } = scenario;
  const ref = arranged(emulator.control);
  const { method, path } = operations[name];
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => sent.params?.[field] ?? ref);
  const response = await fetch(`${emulator.url}${filled}`, {
    method,
    headers: { authorization: `Bearer ${emulator.accessToken}`, "content-type": "application/json" },
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  });
  expect({ status: response.status, body: await response.json() }).toEqual({
    status,
    body: { message, ...further },
  });
  expect(response.headers.get("cf-ray")).not.toBeNull();
  expect(response.headers.get("x-request-id")).toBeNull();
});

const KEY_OF_NOBODY = { keys: [{ kty: "oct", k: "c2VjcmV0" }] };

/** What the schemas leave to the rules is refused in the form of a validation (service, Errors). */
it.each<[OperationName, object, readonly string[]]>([
  ["updateAuthConfig", { site_url: "shop" }, ["site_url"]],
  ["updateAuthConfig", { site_url: "shop", smtp_port: "0" }, ["site_url", "smtp_port"]],
  ["updateAuthConfig", { external_idp01_enabled: true }, ["external_idp01_enabled"]],
  ["updateAuthConfig", { mfa_phone_enroll_enabled: true }, ["mfa_phone_enroll_enabled"]],
  ["createThirdPartyAuth", { custom_jwks: "keys" }, ["custom_jwks"]],
  ["createThirdPartyAuth", { custom_jwks: KEY_OF_NOBODY }, ["custom_jwks.keys.0"]],
  ["createThirdPartyAuth", { jwks_url: "http://idp.example.com" }, ["jwks_url"]],
  ["createSsoProvider", { type: "saml", metadata_url: "http://idp.example.com" }, ["metadata_url"]],
  ["createSsoProvider", { type: "saml", metadata_xml: "text" }, ["metadata_xml"]],
  ["applyNetworkRestrictions", { dbAllowedCidrs: ["here"] }, ["dbAllowedCidrs.0"]],
  ["applyNetworkRestrictions", { dbAllowedCidrs: ["a", "b"] }, ["dbAllowedCidrs.0", "dbAllowedCidrs.1"]],
  ["removeNetworkBans", { ipv4_addresses: ["here", "there"] }, ["ipv4_addresses.0", "ipv4_addresses.1"]],
  ["updateStorageConfig", { fileSizeLimit: 536_870_912_001 }, ["fileSizeLimit"]],
  ["updatePoolerConfig", { default_pool_size: 3_000 }, ["default_pool_size"]],
  ["createOrganization", { name: "" }, ["name"]],
])("%s %j is refused by the names of the fields", async (name, body, fields) => {
  const { emulator } = scenario;
  const ref = scenario.healthyProject();
  const { method, path } = operations[name];
  const response = await fetch(`${emulator.url}${path.replace("{ref}", ref)}`, {
    method,
    headers: { authorization: `Bearer ${emulator.accessToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { message: string | readonly string[] };
  expect([response.status, Object.keys(answer)]).toEqual([400, ["message"]]);
  const sentences = [answer.message].flat();
  expect(Array.isArray(answer.message)).toBe(fields.length > 1);
  expect(sentences.map((sentence) => sentence.split(": ")[0])).toEqual(fields);
});
