import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { updateAuthConfigBody } from "../../../spec/auth-config-body";
import { literalNames } from "../../../spec/names/names";
import { resourceByType } from "../../../provider/catalog/catalog";
import { ConfigValue } from "../../../import/sources/config-value";
import type { SourceObject } from "../../../import/sources/declared";
import { listMisfits } from "../../../import/sources/misfits";
import { SourceError } from "../../../import/sources/source-error";
import { readTerraform, type TerraformOptions } from "../../../import/sources/terraform";
import { acme } from "../../spec/names/acme";
import { useFolder } from "./folder";
import { block, PROVIDER, REF, settingsBlock, stateText, type Block } from "./state";

const folder = useFolder();

function read(blocks: readonly Block[], options: Partial<TerraformOptions> = {}) {
  return readTerraform(stateText(blocks), {
    file: "shop.tfstate",
    names: literalNames,
    folder: folder.path,
    ...options,
  });
}

function objectsOf(blocks: readonly Block[], options: Partial<TerraformOptions> = {}) {
  return read(blocks, options).objects;
}

function settings(attributes: Record<string, unknown>, options: Partial<TerraformOptions> = {}) {
  const { objects, notes } = read([settingsBlock(attributes)], options);
  return { inputs: Object.fromEntries(objects.map((each) => [each.type, each.inputs])), notes, objects };
}

/** The inputs with each configuration value as it is known. */
function clear(object: SourceObject | undefined): unknown {
  return JSON.parse(
    JSON.stringify(object?.inputs, (_key, value: unknown) => {
      const config = value as { config?: string } | null;
      return typeof config === "object" && config?.config !== undefined ? `config ${config.config}` : value;
    }),
  );
}

describe("a state of a provider", () => {
  it("is the platform's by its types and attributes, whatever the host and the name", () => {
    for (const provider of [
      'provider["registry.example.com/acme/acme"]',
      'provider["mirror.example.org/acme/acme"].eu',
      'module.shop.provider["mirror.example.org/acme/acme"]',
    ]) {
      const found = objectsOf([
        { ...block("project", { id: REF, organization_id: "acme" }), type: "acme_project", provider },
      ]);
      expect(found).toMatchObject([{ type: "Project", importId: REF, source: "acme_project.main" }]);
    }
  });

  it("is that of the names file's word where there is one", () => {
    const project = { ...block("project", { id: REF, organization_id: "acme" }), type: "acme_project" };
    const own = { ...project, provider: 'provider["registry.example.com/acme/acme"]' };
    expect(objectsOf([own], { names: acme })).toHaveLength(1);
    expect(() =>
      objectsOf([block("project", { id: REF, organization_id: "acme" })], { names: acme }),
    ).toThrow(
      /nothing of the platform's Terraform provider: its resources belong to svc\/svc\. The names file calls the platform's provider `acme`/,
    );
  });

  it("is refused where it is another one's, with what it has", () => {
    const other: Block = {
      ...block("project", { id: "1" }),
      type: "cloud_project",
      provider: 'provider["registry.example.com/cloud/cloud"]',
    };
    expect(() => read([other])).toThrow(/its resources belong to cloud\/cloud/);
    expect(() => read([])).toThrow(/it has no resources/);
  });

  it("is refused where two providers look like the platform's", () => {
    const own = block("project", { id: REF, organization_id: "acme" });
    const other: Block = {
      ...own,
      type: "acme_project",
      provider: 'provider["registry.example.com/acme/acme"]',
    };
    expect(() => read([own, other])).toThrow(/svc\/svc and of acme\/acme, and both look like/);
  });

  it("leaves the objects of other providers in Terraform", () => {
    const other: Block = {
      ...block("bucket", { id: "1" }),
      type: "cloud_bucket",
      provider: 'provider["registry.example.com/cloud/cloud"]',
      instances: [{ attributes: { id: "1" } }, { attributes: { id: "2" } }],
    };
    const { notes, taken } = read([block("project", { id: REF, organization_id: "acme" }), other]);
    expect(notes).toContain("2 of cloud/cloud stay in Terraform.");
    expect(taken.map(({ address }) => address)).toEqual(["svc_project.main"]);
  });

  it("leaves a type that is not known in Terraform", () => {
    const { notes } = read([
      block("project", { id: REF, organization_id: "acme" }),
      block("read_replica", { id: "1" }),
    ]);
    expect(notes).toContain("svc_read_replica.main is of an unknown type and stays in Terraform.");
  });

  it("says nothing by what the engine keeps for itself", () => {
    const plain = settingsBlock({ database: '{"max_connections":120}' });
    const [instance] = plain.instances;
    const kept = {
      ...{ schema_version: 0, private: "bnVsbA==", create_before_destroy: true, identity_schema_version: 0 },
      sensitive_attributes: [[{ type: "get_attr", value: "database" }]],
      dependencies: ["svc_project.main"],
      identity: { id: REF },
    };
    const attributes = instance?.attributes ?? {};
    const text = stateText([{ ...plain, instances: [{ ...kept, attributes }] }], {
      outputs: { names: { value: ["a"], type: ["list", "string"], sensitive: true } },
      check_results: [],
    });
    const options = { file: "shop.tfstate", names: literalNames, folder: folder.path };
    expect(readTerraform(text, options).objects).toEqual(objectsOf([plain]));
    const { StorageConfig, ...others } = settings({
      storage: '{"capabilities":{},"databasePoolMode":"x","migrationVersion":"x"}',
    }).inputs;
    expect([StorageConfig, others]).toEqual([undefined, {}]);
  });

  it("of an older release lacks attributes that came later", () => {
    expect(
      objectsOf([
        block("branch", { id: "b", git_branch: "qa", parent_project_ref: REF, database: { id: "q" } }),
      ]),
    ).toMatchObject([{ importId: `${REF}/q`, inputs: { projectRef: REF, name: "qa", gitBranch: "qa" } }]);
  });

  it("does not have the provider's configuration, whose place is told", () => {
    expect(read([block("project", { id: REF, organization_id: "a" })]).notes.at(-1)).toMatch(
      /`access_token` \(or SVC_ACCESS_TOKEN\) there is `management:baseUrl` and `management:accessToken` here/,
    );
  });
});

describe("a text that is no such state", () => {
  const open = (text: string): unknown =>
    readTerraform(text, { file: "shop.tfstate", names: literalNames, folder: folder.path });

  it.each([
    ["", /shop\.tfstate is empty\./],
    ["\n", /is empty/],
    [
      "{",
      /shop\.tfstate, line \d+: this is not JSON\. Pass a file with the output of `terraform state pull`/,
    ],
    ['{"a": "hush-hush" nonsense', /line 1: this is not JSON/],
    ["[]", /it has a list where an object is expected/],
    ["null", /it has null where/],
    ["{}", /is no Terraform state: it has no `version`/],
    ['{"version": "4"}', /is no Terraform state/],
    ['{"version": 3, "modules": []}', /is a state of version 3, which an engine before 0\.12 wrote/],
    ['{"version": 5}', /is a state of version 5, but this package only reads version 4/],
    [
      '{"serial": 1, "lineage": "x", "meta": {}, "encrypted_data": "xx", "encryption_version": "v0"}',
      /is encrypted.*`tofu state pull > state\.json`/,
    ],
    ['{"format_version": "1.0", "values": {}}', /has the format of `terraform show -json`/],
    [
      '{\n"version": 4,\n"resources": [\n{"mode": "managed"}]}',
      /shop\.tfstate, line 3: resources\.0\.type is not as in a state/,
    ],
    ['{"version": 4}', /resources is not as in a state/],
    [
      stateText([{ ...block("project", {}), name: "x\n}\nresource" }]),
      /resources\.0\.name is not as in a state/,
    ],
    [
      stateText([{ ...block("project", {}), module: "module.a\n}" }]),
      /resources\.0\.module is not as in a state/,
    ],
  ])("is refused with what to do: %j", (text, message) => {
    expect(() => open(text)).toThrow(SourceError);
    expect(() => open(text)).toThrow(message);
  });

  it("never has its values in the message", () => {
    expect(() => open('{"a": "hush-hush" nonsense')).not.toThrow(/hush/);
    expect(() => objectsOf([settingsBlock({ auth: '{"smtp_pass":"hush-hush"' })])).toThrow(
      /`auth` of svc_settings\.main is not JSON/,
    );
    expect(() => objectsOf([settingsBlock({ auth: '{"smtp_pass":"hush-hush"' })])).not.toThrow(/hush/);
  });

  it("is refused where a provider has no address", () => {
    expect(() => read([{ ...block("project", {}), provider: "provider.svc" }])).toThrow(
      /the provider of svc_project\.main has no address/,
    );
  });

  it("is refused where an object has no identity", () => {
    expect(() => read([block("apikey", { project_ref: REF, name: "a" })])).toThrow(
      /svc_apikey\.main has no `id`, by which it would be imported/,
    );
  });

  it.each([
    ["auth", 5, /`auth` of svc_settings\.main is not a JSON text/],
    ["auth", "[]", /is not a JSON object/],
  ])("is refused where %s is %j", (attribute, value, message) => {
    expect(() => objectsOf([settingsBlock({ [attribute]: value })])).toThrow(message);
  });
});

describe("an address", () => {
  const addresses = (instances: Block["instances"], more: Partial<Block> = {}) =>
    read([{ ...block("apikey", {}), ...more, instances }]).taken.map(({ address }) => address);
  const attributes = { id: "k", project_ref: REF, name: "worker", type: "secret" };

  it.each([
    [undefined, "svc_apikey.main"],
    [0, "svc_apikey.main[0]"],
    ["0", 'svc_apikey.main["0"]'],
    ["worker", 'svc_apikey.main["worker"]'],
    ['a"b\\c', 'svc_apikey.main["a\\"b\\\\c"]'],
    ["${x} %{y}\n", 'svc_apikey.main["$${x} %%{y}\\n"]'],
  ])("of the key %j is %s", (key, address) => {
    expect(addresses([{ ...(key === undefined ? {} : { index_key: key }), attributes }])).toEqual([address]);
  });

  it("begins with its module", () => {
    expect(addresses([{ attributes }], { module: 'module.preview["staging"]' })).toEqual([
      'module.preview["staging"].svc_apikey.main',
    ]);
    expect(addresses([{ attributes }], { module: "module.a[0].module.b" })).toEqual([
      "module.a[0].module.b.svc_apikey.main",
    ]);
  });
});

describe("an instance", () => {
  const attributes = { id: "k", project_ref: REF, name: "worker", type: "secret" };

  it("that is tainted exists, and is taken over", () => {
    const { objects, notes } = read([
      { ...block("apikey", {}), instances: [{ attributes, status: "tainted" }] },
    ]);
    expect(objects).toHaveLength(1);
    expect(notes).toContain(
      "svc_apikey.main is tainted: Terraform would replace it at the next apply. It exists and is taken over unchanged.",
    );
  });

  it("that is deposed is reported and not taken over", () => {
    const { objects, notes } = read([
      {
        ...block("apikey", {}),
        instances: [{ attributes }, { attributes: { ...attributes, id: "old" }, deposed: "8a2b" }],
      },
    ]);
    expect(objects.map(({ importId }) => importId)).toEqual([`${REF}/k`]);
    expect(notes.join("\n")).toMatch(
      /svc_apikey\.main also has an old object that a replacement has left over/,
    );
  });
});

describe("a project", () => {
  const attributes = {
    id: REF,
    organization_id: "acme",
    name: "shop",
    database_password: "hush-hush",
    region: "eu-central-1",
    instance_size: "small",
    legacy_api_keys_enabled: false,
    timeouts: { create: "30m", update: null },
  };

  it("has its settings, and the password in the configuration", () => {
    const { objects, secrets } = read([block("project", attributes)]);
    expect(objects).toMatchObject([
      {
        type: "Project",
        importId: REF,
        identity: { ref: REF },
        inputs: { name: "shop", organizationSlug: "acme", region: "eu-central-1", instanceSize: "small" },
        customTimeouts: { create: "30m" },
      },
    ]);
    expect(objects[0]?.inputs["dbPass"]).toMatchObject({
      name: "dbPass",
      isSecret: true,
      value: "hush-hush",
    });
    expect(secrets).toEqual([{ address: "svc_project.main", attribute: "database_password" }]);
  });

  it("that was imported has no password, and without a selected add-on no size", () => {
    const [project] = objectsOf([
      block("project", { ...attributes, database_password: null, instance_size: null, timeouts: null }),
    ]);
    expect(Object.keys(project?.inputs ?? {})).toEqual(["name", "organizationSlug", "region"]);
    expect(project?.customTimeouts).toBeUndefined();
  });

  it.each(["nano", "micro", "large", "16xlarge", "48xlarge_high_memory"])("of the size %s has it", (size) => {
    const [project] = objectsOf([block("project", { ...attributes, instance_size: size })]);
    expect(project?.inputs["instanceSize"]).toBe(size);
    expect(listMisfits(project as SourceObject)).toEqual([]);
  });

  it("has its legacy keys when they are asked for", () => {
    expect(objectsOf([block("project", attributes)], { legacyApiKeys: true })).toMatchObject([
      { type: "Project" },
      { type: "LegacyApiKeys", importId: REF, inputs: { projectRef: REF, enabled: false } },
    ]);
    expect(read([block("project", attributes)]).notes.join("\n")).toMatch(
      /`legacy_api_keys_enabled` is in every state/,
    );
  });

  it("shares no configuration value with another one", () => {
    const second = { ...block("project", { ...attributes, id: "zyxwvutsrqponmlkjihg" }), name: "second" };
    const names = objectsOf([block("project", attributes), second]).map(
      ({ inputs }) => (inputs["dbPass"] as ConfigValue).name,
    );
    expect(names).toEqual(["dbPass", "dbPassSecond"]);
  });
});

describe("settings", () => {
  it("are one resource for each attribute, of a project or a branch", () => {
    const { objects } = settings({
      database: '{"max_connections":120}',
      network: '{"restrictions":["203.0.113.0/24"]}',
      api: '{"max_rows":500}',
      auth: '{"jwt_exp":3600}',
      storage: '{"fileSizeLimit":52428800}',
      ssl_enforcement: true,
      pooler: null,
      timeouts: { create: null, update: "20m" },
    });
    expect(objects.map(({ type }) => type).sort()).toEqual([
      "AuthConfig",
      "NetworkRestrictions",
      "PostgresConfig",
      "RestLayerConfig",
      "SslEnforcement",
      "StorageConfig",
    ]);
    expect(objects.every((each) => each.importId === REF && each.inputs["projectRef"] === REF)).toBe(true);
    expect(objects.every(({ customTimeouts }) => customTimeouts?.["update"] === "20m")).toBe(true);
  });

  it("belong to what was read where the reference was changed since", () => {
    const { objects, notes } = settings({
      id: REF,
      project_ref: "zyxwvutsrqponmlkjihg",
      auth: '{"jwt_exp":60}',
    });
    expect(objects).toMatchObject([{ importId: REF }]);
    expect(notes.join("\n")).toMatch(
      /`project_ref` is zyxwvutsrqponmlkjihg, and what the state has was read from/,
    );
  });

  it.each([
    ["effective_cache_size", "512MB"],
    ["logical_decoding_work_mem", "64MB"],
    ["maintenance_work_mem", "128MB"],
    ["track_activity_query_size", "2048B"],
    ["max_connections", 120],
    ["max_locks_per_transaction", 64],
    ["max_parallel_maintenance_workers", 2],
    ["max_parallel_workers", 4],
    ["max_parallel_workers_per_gather", 2],
    ["max_replication_slots", 10],
    ["max_slot_wal_keep_size", "1GB"],
    ["max_standby_archive_delay", "30s"],
    ["max_standby_streaming_delay", "30s"],
    ["max_wal_size", "2GB"],
    ["max_wal_senders", 10],
    ["max_worker_processes", 8],
    ["session_replication_role", "origin"],
    ["shared_buffers", "256MB"],
    ["statement_timeout", "30s"],
    ["track_commit_timestamp", true],
    ["wal_keep_size", "512MB"],
    ["wal_sender_timeout", "60s"],
    ["work_mem", "16MB"],
    ["checkpoint_timeout", "300s"],
    ["hot_standby_feedback", true],
    ["restart_database", true],
  ])("of the database: %s", (key, value) => {
    const { objects, inputs } = settings({ database: JSON.stringify({ [key]: value }) });
    const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    expect(inputs).toEqual({ PostgresConfig: { projectRef: REF, [name]: value } });
    expect(objects.flatMap(listMisfits)).toEqual([]);
  });

  it("of the database that are null are not managed", () => {
    expect(settings({ database: '{"work_mem":null,"max_connections":120}' }).inputs).toEqual({
      PostgresConfig: { projectRef: REF, maxConnections: 120 },
    });
    expect(settings({ database: "{}" }).inputs).toEqual({});
  });

  it.each([
    [
      ["203.0.113.0/24", "2001:db8::/32", "198.51.100.7/32"],
      { allowedCidrs: ["203.0.113.0/24", "198.51.100.7/32"], allowedCidrsV6: ["2001:db8::/32"] },
    ],
    [["203.0.113.0/24"], { allowedCidrs: ["203.0.113.0/24"], allowedCidrsV6: [] }],
    [[], { allowedCidrs: [], allowedCidrsV6: [], denyAll: true }],
    [undefined, { allowedCidrs: [], allowedCidrsV6: [], denyAll: true }],
  ])("of the network: %j", (restrictions, lists) => {
    const { objects, inputs } = settings({ network: JSON.stringify({ restrictions }) });
    expect(inputs).toEqual({ NetworkRestrictions: { projectRef: REF, ...lists } });
    expect(objects.flatMap(listMisfits)).toEqual([]);
  });

  it("of the REST layer, without its secret", () => {
    const api =
      '{"db_schema":"","db_extra_search_path":"public, extensions","max_rows":500,"db_pool":20,"jwt_secret":"hush-hush"}';
    const { inputs, notes } = settings({ api });
    expect(inputs).toEqual({
      RestLayerConfig: {
        projectRef: REF,
        dbSchema: "",
        dbExtraSearchPath: "public, extensions",
        maxRows: 500,
        dbPool: 20,
      },
    });
    expect(notes.join("\n")).not.toMatch(/jwt_secret|hush/);
  });

  it("of storage, each member of a feature on its own", () => {
    const storage = {
      fileSizeLimit: 52428800,
      external: { upstreamTarget: "main" },
      features: {
        imageTransformation: { enabled: true },
        s3Protocol: { enabled: false },
        icebergCatalog: { enabled: true, maxNamespaces: 5, maxTables: 10, maxCatalogs: 2 },
        vectorBuckets: { enabled: true, maxBuckets: 10, maxIndexes: 5 },
      },
    };
    const { objects, inputs } = settings({ storage: JSON.stringify(storage) });
    expect(inputs).toEqual({ StorageConfig: { projectRef: REF, ...storage } });
    expect(objects.flatMap(listMisfits)).toEqual([]);
  });

  it("of SSL and the pooler: one is managed, the other was never sent", () => {
    expect(settings({ ssl_enforcement: false }).inputs).toEqual({
      SslEnforcement: { projectRef: REF, database: false },
    });
    const { inputs, notes } = settings({ pooler: '{"default_pool_size":40}' });
    expect(inputs).toEqual({});
    expect(notes.join("\n")).toMatch(/`pooler` was never sent/);
  });

  it("with escaped signs are the plain text", () => {
    expect(settings({ auth: '{"smtp_sender_name":"Shop \\u0026 Co"}' }).inputs).toMatchObject({
      AuthConfig: { smtp: { senderName: "Shop & Co" } },
    });
  });

  it("that the API does not have were never sent, and are left out", () => {
    const { inputs, notes } = settings({ auth: '{"jwt_exp":60,"setting_with_a_typo":true}' });
    expect(inputs).toEqual({ AuthConfig: { projectRef: REF, jwtExp: 60 } });
    expect(notes.join("\n")).toMatch(/`auth` has `setting_with_a_typo`, which the API does not have/);
  });

  it("that are newer than this version are extra settings", () => {
    expect(settings({ auth: '{"mfa_allow_low_aal":true,"passkey_enabled":true}' }).inputs).toEqual({
      AuthConfig: { projectRef: REF, passkeyEnabled: true, extraSettings: { mfa_allow_low_aal: true } },
    });
  });

  it("in the service's words are the specification's", () => {
    const word = acme.toWire.key(updateAuthConfigBody, "external_idp01_enabled");
    const given = settingsBlock({ auth: JSON.stringify({ [word]: true, sms_provider: "pigeo" }) });
    const own = { ...given, type: "acme_settings", provider: 'provider["registry.example.com/acme/acme"]' };
    expect(word).not.toMatch(/idp01/);
    expect(objectsOf([own], { names: acme })).toMatchObject([
      { inputs: { external: { idp01: { enabled: true } }, sms: { provider: "vendorA" } } },
    ]);
  });

  it("that were imported have every field, of which those count that differ from a new project's", () => {
    const { inputs, notes } = settings({
      storage:
        '{"fileSizeLimit":52428800,"migrationVersion":"x","databasePoolMode":"recycled","capabilities":{"list_v2":true},"features":{"s3Protocol":{"enabled":false}}}',
      auth: '{"jwt_exp":7200,"external_email_enabled":true,"disable_signup":false,"passkey_enabled":false,"mfa_allow_low_aal":false}',
    });
    expect(inputs).toEqual({
      StorageConfig: { projectRef: REF, features: { s3Protocol: { enabled: false } } },
      AuthConfig: { projectRef: REF, jwtExp: 7200 },
    });
    expect(notes.join("\n")).toMatch(/Terraform imported this, so the state has every setting/);
  });

  it("that two blocks have are one resource, and a conflict is reported", () => {
    const second = { ...settingsBlock({ auth: '{"jwt_exp":60,"disable_signup":true}' }), name: "other" };
    const { objects, notes } = read([settingsBlock({ auth: '{"jwt_exp":3600}' }), second]);
    expect(objects.map(({ inputs }) => inputs)).toEqual([
      { projectRef: REF, jwtExp: 3600, disableSignup: true },
    ]);
    expect(notes.join("\n")).toMatch(
      /svc_settings\.main, auth and svc_settings\.other, auth manage the same AuthConfig, which is one resource here: they differ in `jwtExp`/,
    );
  });
});

/** Secrets of the auth configuration by their names on the wire, with those of their configuration values. */
const AUTH_SECRETS: readonly (readonly [string, string])[] = [
  ["smtp_pass", "smtpPassword"],
  ["security_captcha_secret", "securityCaptchaSecret"],
  ["sms_vendorA_access_key", "smsVendorAAccessKey"],
  ["sms_vendorB_api_key", "smsVendorBApiKey"],
  ["sms_vendorC_auth_token", "smsVendorCAuthToken"],
  ["sms_vendorC_verify_auth_token", "smsVendorCVerifyAuthToken"],
  ["sms_vendorD_api_secret", "smsVendorDApiSecret"],
  ...Array.from({ length: 21 }, (_, index) => {
    const slot = `idp${String(index + 1).padStart(2, "0")}`;
    return [`external_${slot}_secret`, `external${pascal(slot)}Secret`] as const;
  }),
  ...[
    "custom_access_token",
    "mfa_verification_attempt",
    "password_verification_attempt",
    "send_email",
    "send_sms",
  ].map((hook) => [`hook_${hook}_secrets`, `hooks${pascal(hook)}Secrets`] as const),
];

describe("a secret of the auth configuration", () => {
  it.each(AUTH_SECRETS)("%s is a secret of the configuration", (key, name) => {
    const { objects, secrets } = read([settingsBlock({ auth: JSON.stringify({ [key]: "hush-hush" }) })]);
    expect(JSON.stringify(objects)).toContain(`{"config":"${name}","kind":"string","secret":true}`);
    expect(JSON.stringify(objects)).not.toContain("hush-hush");
    expect(secrets).toHaveLength(1);
  });

  it.each([
    "hook_before_user_created_secrets",
    "hook_after_user_created_secrets",
    "partner_oauth_client_secret",
  ])("%s has the service's hash in the state, which is never sent", (key) => {
    const hash = createHmac("sha256", REF).update("hush-hush").digest("hex");
    const { objects, notes } = read([settingsBlock({ auth: JSON.stringify({ [key]: hash }) })]);
    const values: ConfigValue[] = [];
    collect(objects, values);
    expect(values).toHaveLength(1);
    expect(values[0]).toMatchObject({ isSecret: true, value: undefined, hash });
    expect(values[0]?.isHashOf("hush-hush", REF)).toBe(true);
    expect(values[0]?.isHashOf("other", REF)).toBe(false);
    expect(notes.join("\n")).toMatch(/is in the state only as the service's hash/);
  });

  it("that is empty is none", () => {
    expect(settings({ auth: '{"smtp_pass":"","jwt_exp":60}' }).inputs).toEqual({
      AuthConfig: { projectRef: REF, jwtExp: 60 },
    });
  });

  it("is split from its further client ids as the program had them", () => {
    const auth = '{"external_idp01_client_id":"a","external_idp01_additional_client_ids":"b"}';
    expect(settings({ auth }).inputs).toMatchObject({
      AuthConfig: { external: { idp01: { clientId: "a", additionalClientIds: "b" } } },
    });
  });
});

describe("a branch", () => {
  const attributes = {
    id: "0f8fad5b-d9cb-469f-a165-70867728950e",
    git_branch: "staging",
    parent_project_ref: REF,
    persistent: true,
    region: "eu-west-1",
    database: {
      id: "tsrqponmlkjihgfedcba",
      host: "h",
      port: 5432,
      user: "postgres",
      password: "hush-hush",
      jwt_secret: "hush-hush",
      version: "17",
      status: "ACTIVE_HEALTHY",
    },
  };

  it("is imported by the reference of its database, without its region", () => {
    const { objects, notes, secrets } = read([block("branch", attributes)]);
    expect(objects).toMatchObject([
      {
        type: "Branch",
        importId: `${REF}/tsrqponmlkjihgfedcba`,
        inputs: { projectRef: REF, name: "staging", gitBranch: "staging", persistent: true },
      },
    ]);
    expect(objects[0]?.inputs).not.toHaveProperty("region");
    expect(notes.join("\n")).toMatch(/`region` is left out/);
    expect(secrets.map(({ attribute }) => attribute)).toEqual(["database.password", "database.jwt_secret"]);
    expect(JSON.stringify(objects)).not.toContain("hush-hush");
  });

  const imported = {
    ...attributes,
    git_branch: null,
    parent_project_ref: null,
    persistent: null,
    region: null,
  };

  it("that Terraform imported has its project from a listing", () => {
    const { objects, notes, taken } = read([block("branch", imported)]);
    expect(objects).toMatchObject([
      { type: "Branch", identity: { ref: "tsrqponmlkjihgfedcba" }, inputs: {} },
    ]);
    expect(objects[0]?.importId).toBeUndefined();
    expect(taken).toEqual([]);
    expect(notes.join("\n")).toMatch(
      /without its project, which is the one whose branches include tsrqponmlkjihgfedcba/,
    );
    const listed = objectsOf([block("branch", imported)], {
      branchParents: new Map([["tsrqponmlkjihgfedcba", REF]]),
    });
    expect(listed).toMatchObject([{ importId: `${REF}/tsrqponmlkjihgfedcba` }]);
    const data: Block = {
      ...block("branch", { parent_project_ref: REF, branches: [{ id: attributes.id }] }),
      mode: "data",
      name: "all",
    };
    expect(objectsOf([block("branch", imported), data])).toMatchObject([
      { importId: `${REF}/tsrqponmlkjihgfedcba` },
    ]);
    // Two unknown identifiers are not the same one.
    const unknown = { ...data, instances: [{ attributes: { parent_project_ref: REF, branches: [{}] } }] };
    const [branch] = objectsOf([block("branch", { ...imported, id: undefined }), unknown]);
    expect(branch?.importId).toBeUndefined();
  });

  it("without a reference is reported", () => {
    expect(read([block("branch", { ...attributes, database: null })]).notes.join("\n")).toMatch(
      /no reference of the branch/,
    );
  });
});

describe("an API key", () => {
  const attributes = {
    id: "k",
    project_ref: REF,
    name: "worker",
    type: "secret",
    description: null,
    api_key: "hush-hush",
    secret_jwt_template: { role: "service_role" },
  };

  it("has its template where it has a role, and never its value", () => {
    const { objects, secrets } = read([block("apikey", attributes)]);
    expect(objects).toEqual([
      {
        type: "ApiKey",
        importId: `${REF}/k`,
        identity: { projectRef: REF, id: "k" },
        inputs: {
          projectRef: REF,
          type: "secret",
          name: "worker",
          secretJwtTemplate: { role: "service_role" },
        },
        source: "svc_apikey.main",
      },
    ]);
    expect(secrets).toEqual([{ address: "svc_apikey.main", attribute: "api_key" }]);
  });

  it("that is publishable has none", () => {
    const [key] = objectsOf([
      block("apikey", {
        ...attributes,
        type: "publishable",
        description: "Clients",
        secret_jwt_template: { role: null },
      }),
    ]);
    expect(key?.inputs).toEqual({
      projectRef: REF,
      type: "publishable",
      name: "worker",
      description: "Clients",
    });
  });

  it("whose name is too short here is reported", () => {
    expect(read([block("apikey", { ...attributes, name: "ab" })]).notes.join("\n")).toMatch(
      /svc_apikey\.main: `name` is not a valid input of ApiKey/,
    );
  });
});

describe("an edge function", () => {
  const attributes = {
    id: "44444444-4444-4444-8444-444444444444",
    project_ref: REF,
    slug: "hello",
    name: "hello",
    entrypoint: "./functions/hello/main.ts",
    import_map: "./functions/import_map.json",
    static_files: ["./functions/hello/*.html", "./functions/shared/*.css"],
    version: 3,
    status: "ACTIVE",
    checksum: "c",
    local_checksum: "l",
    created_at: 1767225600000,
    updated_at: 1769904000000,
  };

  it("has the folder of its entrypoint for a source where that is at hand", () => {
    folder.write("functions/hello/main.ts", "");
    const [found] = objectsOf([block("edge_function", attributes)]);
    expect(found).toMatchObject({ type: "EdgeFunction", importId: `${REF}/hello` });
    expect(found?.inputs).toEqual({
      projectRef: REF,
      slug: "hello",
      sourceDir: "functions/hello",
      entrypointPath: "main.ts",
      importMapPath: "../import_map.json",
      staticPatterns: ["*.html", "../shared/*.css"],
    });
  });

  it("with the usual names does not say them", () => {
    folder.write("functions/hello/index.ts", "");
    const [found] = objectsOf([
      block("edge_function", {
        ...attributes,
        name: "Hello",
        entrypoint: "./functions/hello/index.ts",
        import_map: "./functions/hello/deno.json",
        static_files: null,
      }),
    ]);
    expect(found?.inputs).toEqual({
      projectRef: REF,
      slug: "hello",
      name: "Hello",
      sourceDir: "functions/hello",
    });
  });

  it.each([
    [null, /the state names no source: it is read back/],
    [
      "svc/functions/gone/index.ts",
      /svc\/functions\/gone\/index\.ts is not in .*: its source is read back from the service/,
    ],
  ])("without a source at hand (%j) is read back", (entrypoint, note) => {
    const { objects, notes } = read([block("edge_function", { ...attributes, entrypoint })]);
    expect(objects[0]?.inputs).toEqual({ projectRef: REF, slug: "hello" });
    expect(notes.join("\n")).toMatch(note);
  });
});

describe("secrets of functions", () => {
  const sha = (value: string): string => createHash("sha256").update(value).digest("hex");
  const attributes = {
    id: REF,
    project_ref: REF,
    secrets: [
      { name: "MAIL_HOST", value: "mail.example.com" },
      { name: "MAIL_PASSWORD", value: null },
    ],
    secret_digests: { MAIL_HOST: sha("mail.example.com"), MAIL_PASSWORD: sha("hush-hush") },
  };

  it("are a set that takes them over, with what the service shows of each", () => {
    const { objects, notes, taken } = read([block("edge_function_secrets", attributes)]);
    expect(clear(objects[0])).toEqual({
      projectRef: REF,
      secrets: { MAIL_HOST: "config MAIL_HOST", MAIL_PASSWORD: "config MAIL_PASSWORD" },
      adopt: true,
    });
    expect(objects[0]).not.toHaveProperty("importId");
    expect(objects[0]?.inputs).not.toHaveProperty("prune");
    const secrets = objects[0]?.inputs["secrets"] as Record<string, ConfigValue>;
    expect(secrets["MAIL_HOST"]?.value).toBe("mail.example.com");
    expect(secrets["MAIL_PASSWORD"]?.value).toBeUndefined();
    expect(secrets["MAIL_PASSWORD"]?.isHashOf("hush-hush", REF)).toBe(true);
    expect(notes.join("\n")).toMatch(/has no value of MAIL_PASSWORD\. Declare it in the program/);
    expect(taken).toHaveLength(1);
  });

  it("of two sets with a name in common are one set, and the conflict is reported", () => {
    const other = {
      ...block("edge_function_secrets", { ...attributes, secrets: [{ name: "MAIL_HOST", value: "other" }] }),
      name: "more",
    };
    const { objects, notes } = read([block("edge_function_secrets", attributes), other]);
    expect(objects).toHaveLength(1);
    expect(notes.join("\n")).toMatch(/they differ in `secrets\.MAIL_HOST`, where the first one counts/);
    expect(notes.join("\n")).not.toMatch(/mail\.example\.com/);
  });

  it("with the service's own names are left out", () => {
    const secrets = [{ name: "SVC_URL", value: "x" }];
    const { objects, notes } = read([block("edge_function_secrets", { ...attributes, secrets })]);
    expect(objects).toEqual([]);
    expect(notes.join("\n")).toMatch(/SVC_URL: left out, because the service reserves such names/);
  });
});

describe("a third party", () => {
  const attributes = {
    id: "66666666-6666-4666-8666-666666666666",
    project_ref: REF,
    type: "custom",
    resolved_jwks: '{"keys":[]}',
    oidc_issuer_url: null,
    jwks_url: null,
    custom_jwks: null,
  };
  const keys = { keys: [{ kty: "EC", crv: "P-256", x: "x", y: "y" }] };

  it.each([
    [{ oidc_issuer_url: "https://idp.example.com" }, { oidcIssuerUrl: "https://idp.example.com" }],
    [{ jwks_url: "https://keys.example.com/jwks.json" }, { jwksUrl: "https://keys.example.com/jwks.json" }],
    [{ custom_jwks: JSON.stringify(keys) }, { customJwks: keys }],
  ])("with %j is one with %j", (given, inputs) => {
    const [found] = objectsOf([
      block("third_party_auth", { ...attributes, ...given, timeouts: { create: "2m" } }),
    ]);
    expect(found).toMatchObject({
      type: "ThirdPartyAuth",
      importId: `${REF}/${attributes.id}`,
      customTimeouts: { create: "2m" },
    });
    expect(found?.inputs).toEqual({ projectRef: REF, ...inputs });
    expect(listMisfits(found as SourceObject)).toEqual([]);
  });
});

describe("a data source", () => {
  it.each([
    ["apikeys", "getApiKeys"],
    ["branch", "getBranches"],
    ["pooler", "getPoolerConfig"],
    ["network_bans", "getNetworkBans"],
    ["constructor", "a function"],
  ])("%s is nothing to import: a program has %s", (type, name) => {
    const data: Block = { ...block(type, { project_ref: REF, anon_key: "hush-hush" }), mode: "data" };
    const { objects, notes } = read([block("project", { id: REF, organization_id: "a" }), data]);
    expect(objects).toHaveLength(1);
    expect(notes.join("\n")).toMatch(
      new RegExp(`data\\.svc_${type}\\.main only reads. In a program, use .*${name}`),
    );
  });

  it("may hold keys in plain text, which are listed", () => {
    const data: Block = {
      ...block("apikeys", {
        project_ref: REF,
        anon_key: "hush-hush",
        secret_keys: [{ name: "default", api_key: "hush-hush" }],
      }),
      mode: "data",
    };
    expect(read([block("project", { id: REF, organization_id: "a" }), data]).secrets).toEqual([
      { address: "data.svc_apikeys.main", attribute: "anon_key" },
      { address: "data.svc_apikeys.main", attribute: "secret_keys" },
    ]);
  });
});

describe("a state of several projects", () => {
  const first = block("project", { id: REF, organization_id: "acme", name: "shop" });
  const second = {
    ...block("project", { id: "zyxwvutsrqponmlkjihg", organization_id: "other", name: "archive" }),
    name: "second",
    provider: `${PROVIDER}.eu`,
  };
  const branch = block("branch", {
    id: "b",
    git_branch: "qa",
    parent_project_ref: REF,
    database: { id: "tsrqponmlkjihgfedcba" },
  });
  const ofBranch = {
    ...settingsBlock({
      id: "tsrqponmlkjihgfedcba",
      project_ref: "tsrqponmlkjihgfedcba",
      auth: '{"jwt_exp":60}',
    }),
    name: "staging",
  };

  it("is told by projects, organizations and aliases of the provider", () => {
    const { notes, projectRefs } = read([first, second, branch, ofBranch]);
    expect(projectRefs).toEqual([REF, "zyxwvutsrqponmlkjihg"]);
    expect(notes.join("\n")).toMatch(/has 2 projects/);
    expect(notes.join("\n")).toMatch(/belong to the organizations acme, other/);
    expect(notes.join("\n")).toMatch(/several configurations of its provider \(the default one, eu\)/);
  });

  it("can be taken over in part: a project with its branches", () => {
    const { objects, taken } = read([first, second, branch, ofBranch], { projectRef: REF });
    expect(objects.map(({ type }) => type)).toEqual(["Project", "Branch", "AuthConfig"]);
    expect(taken).toHaveLength(3);
    expect(() => read([first, second], { projectRef: "aaaaaaaaaaaaaaaaaaaa" })).toThrow(
      /manages nothing of the project aaaaaaaaaaaaaaaaaaaa: it has abcdefghijklmnopqrst, zyxwvutsrqponmlkjihg/,
    );
  });
});

describe("the example of every type", () => {
  const text = readFileSync(join(__dirname, "example.tfstate.json"), "utf8");
  const source = () => readTerraform(text, { file: "example", names: literalNames, folder: folder.path });

  it("names only inputs of the catalog, with values that their definitions take", () => {
    const { objects } = source();
    expect(objects).toHaveLength(24);
    for (const object of objects) {
      const known = Object.keys(resourceByType(object.type).inputs.shape);
      expect(Object.keys(object.inputs).filter((name) => !known.includes(name))).toEqual([]);
      expect(listMisfits(object)).toEqual([]);
    }
  });

  it("shows no secret in what is made of it", () => {
    const { objects, notes, secrets } = source();
    const shown = JSON.stringify({ objects, notes, secrets });
    expect(text).toMatch(/in-clear/);
    expect(shown).not.toMatch(/in-clear|whsec_|svc_secret_|svc_publishable_|-jwt"/);
    expect(secrets.length).toBeGreaterThan(20);
  });
});

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function collect(value: unknown, into: ConfigValue[]): void {
  if (value instanceof ConfigValue) into.push(value);
  else if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) collect(each, into);
}
