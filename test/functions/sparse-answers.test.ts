import { operations, type OperationName } from "../../spec/table";
import type { Values } from "../../provider/define/values";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const moon = { phase: [3] };
const metadata = { saml: { metadata_xml: "<xml/>" } };

interface Case {
  readonly more?: Values;
  readonly operation: OperationName;
  /** As little as an answer may hold, and what no version knows. */
  readonly body: unknown;
  readonly returns: Values;
}

const cases: Readonly<Record<string, Case>> = {
  getNetworkRestrictions: { operation: "getNetworkRestrictions", body: { config: null, moon }, returns: {} },
  getNetworkBans: {
    operation: "listNetworkBansEnriched",
    body: { banned_ipv4_addresses: [{ banned_address: "198.51.100.7", type: null, moon }] },
    returns: { addresses: ["198.51.100.7"], bans: [{ address: "198.51.100.7" }] },
  },
  getBillingAddons: {
    operation: "listAddons",
    body: { selected_addons: [{ type: "moon" }], available_addons: [{ variants: [{ meta: 7, moon }] }] },
    returns: { selectedAddons: [{ type: "moon" }], availableAddons: [{ variants: [{}] }] },
  },
  getRealtimeConfig: { operation: "getRealtimeConfig", body: { suspend: null, moon }, returns: {} },
  getStorageConfig: {
    operation: "getStorageConfig",
    body: { features: null, moon },
    returns: { capabilities: {} },
  },
  getRestLayerConfig: { operation: "getRestLayerConfig", body: { db_pool: null, moon }, returns: {} },
  getAuthConfig: { operation: "getAuthConfig", body: { sms_provider: null, moon }, returns: {} },
  getSslEnforcement: { operation: "getSslEnforcement", body: { currentConfig: null, moon }, returns: {} },
  getLegacyPoolerConfig: {
    operation: "getLegacyPoolerConfig",
    body: { pool_mode: "moon", server_lifetime: null, moon },
    returns: { poolMode: "moon" },
  },
  getPoolerConfig: {
    operation: "listPoolerConfigs",
    body: [{ database_type: "PRIMARY", pool_mode: null, moon }, { database_type: "READ_REPLICA" }],
    returns: { readReplicas: [{}] },
  },
  getApiKey: {
    more: { name: "backend" },
    operation: "listApiKeys",
    body: [{ name: "backend", type: null, moon }],
    returns: { name: "backend" },
  },
  getSigningKey: {
    more: { signingKeyId: "key" },
    operation: "listSigningKeys",
    body: { keys: [{ id: "key", public_jwk: null, moon }] },
    returns: { signingKeyId: "key" },
  },
  getSsoProvider: {
    more: { providerId: "provider" },
    operation: "listSsoProviders",
    body: { items: [{ id: "provider", domains: null, ...metadata, moon }] },
    returns: { providerId: "provider", type: "saml", metadataXml: "<xml/>", domains: [] },
  },
  getThirdPartyAuth: {
    more: { thirdPartyAuthId: "party" },
    operation: "listThirdPartyAuth",
    body: [{ id: "party", resolved_jwks: 7, custom_jwks: "none", moon }],
    returns: { thirdPartyAuthId: "party" },
  },
  getOrganizations: {
    operation: "listOrganizations",
    body: [{ slug: "acme", name: null, moon }],
    returns: { organizations: [{ slug: "acme" }] },
  },
  getMembers: {
    operation: "listMembers",
    body: [{ user_id: "user", email: null, moon }],
    returns: { members: [{ userId: "user" }] },
  },
  getBranches: {
    operation: "listBranches",
    body: [{ project_ref: "branch", status: null, moon }],
    returns: { branches: [{ ref: "branch", isDefault: false }] },
  },
  getActionRuns: {
    operation: "listActionRuns",
    body: [{ id: "run", run_steps: [{ name: "moon", status: null }], git_config: 7, moon }],
    returns: { runs: [{ runId: "run", steps: [{ name: "moon" }] }] },
  },
  getEdgeFunction: {
    more: { slug: "hello" },
    operation: "listFunctions",
    body: [{ slug: "hello", version: null, import_map_path: "", moon }],
    returns: { slug: "hello" },
  },
  getUpgradeStatus: {
    operation: "getUpgradeStatus",
    body: { databaseUpgradeStatus: { progress: null, moon } },
    returns: { upgrade: {} },
  },
  getRestoreVersions: {
    operation: "listRestoreVersions",
    body: { available_versions: [{ version: "moon", release_channel: null, moon }] },
    returns: { versions: [{ version: "moon" }] },
  },
  getJitUsers: {
    operation: "listJitUsers",
    body: { items: [{ user_roles: [], moon }] },
    returns: { users: [{ roles: [] }] },
  },
  getVanitySubdomainAvailability: {
    more: { vanitySubdomain: "shop" },
    operation: "checkVanitySubdomain",
    body: { available: null, moon },
    returns: {},
  },
  getSnippets: {
    operation: "listSnippets",
    body: { data: [{ id: "snippet", owner: null, updated_by: {}, project: null, moon }] },
    returns: { snippets: [{ snippetId: "snippet", updatedBy: {} }] },
  },
  getBackups: {
    operation: "listBackups",
    body: { backups: [{ inserted_at: "now", status: null, moon }], physical_backup_data: null },
    returns: { backups: [{ createdAt: "now" }] },
  },
};

const ownerOf = (name: string): Values => {
  if (name === "getOrganizations") return {};
  return name === "getMembers" ? { organizationSlug: "acme" } : { projectRef };
};

it.each(Object.entries(cases))(
  "%s returns what there is of an answer with next to nothing",
  async (name, { more = {}, operation, body, returns }) => {
    const { control } = scenario.emulator;
    const { success } = operations[operation];
    control.addFault({ operation, status: success.status, body });
    expect(await invoke(scenario, name, { ...ownerOf(name), ...more })).toEqual(returns);
  },
);
