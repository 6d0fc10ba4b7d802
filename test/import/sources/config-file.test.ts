import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type * as Toml from "smol-toml" with { "resolution-mode": "import" };
import { updateAuthConfigBody } from "../../../spec/auth-config-body";
import { literalNames } from "../../../spec/names/names";
import { resourceByType } from "../../../provider/catalog/catalog";
import { authSettings, authWireNames } from "../../../provider/resources/auth/auth-config/settings";
import { collectSettingFields } from "../../../provider/settings/mapping/setting-fields";
import { configKeys } from "../../../import/sources/config-keys";
import { readConfigFile, type ConfigFileOptions } from "../../../import/sources/config-file";
import { ConfigValue, JoinedText } from "../../../import/sources/config-value";
import type { SourceObject } from "../../../import/sources/declared";
import { listMisfits } from "../../../import/sources/misfits";
import { SourceError } from "../../../import/sources/source-error";
import { acme } from "../../spec/names/acme";
import { useFolder } from "./folder";
import { REF } from "./state";

// oxlint-disable-next-line typescript/no-require-imports -- only its types are those of a module
const { stringify } = require("smol-toml") as typeof Toml;

const folder = useFolder();
const example = readFileSync(join(__dirname, "example-config.toml"), "utf8");
const KEY = "206afd450a7a749ee0f1e5294d2879cde9baabfb03e6dab90814612a4597b414";

function read(text: string, options: Partial<ConfigFileOptions> = {}, name = "config.toml") {
  const path = folder.write(`svc/${name}`, text);
  return readConfigFile(path, {
    names: literalNames,
    projectRef: REF,
    programFolder: join(folder.path, "infra"),
    testOtpValidUntil: "2036-01-01T00:00:00Z",
    ...options,
  });
}

function objectOf(
  type: string,
  objects: readonly SourceObject[],
): Readonly<Record<string, unknown>> | undefined {
  const inputs = objects.find((each) => each.type === type)?.inputs;
  if (inputs === undefined) return undefined;
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => name !== "projectRef"));
}

/** The inputs of one type that a text declares, without the project. */
function inputs(type: string, text: string, options: Partial<ConfigFileOptions> = {}) {
  const { objects, notes } = read(text, options);
  for (const object of objects) expect(listMisfits(object)).toEqual([]);
  return { inputs: objectOf(type, objects), notes: notes.join("\n"), objects };
}

const auth = (text: string, options: Partial<ConfigFileOptions> = {}) =>
  inputs("AuthConfig", text, options).inputs;
const config = (name: string) => expect.objectContaining({ name }) as unknown;

describe("the file", () => {
  it.each([
    ["", /config\.toml is empty\. Pass the file/],
    ["[auth", /config\.toml cannot be read: line 1, column \d+: .*\. Correct the file\.$/],
    ['[auth]\njwt_secret = "hush-hush', /cannot be read: line 2/],
    [
      '#:schema https://service.example/schemas/config/v2.json\nproject_id = "a"',
      /is of version 2 of its schema/,
    ],
    ["[auth]\nsite_url = 5", /config\.toml, line 2: `auth\.site_url` is a text in this file/],
    ['[auth]\njwt_expiry = "1h"', /line 2: `auth\.jwt_expiry` is a whole number/],
    ['[auth]\nenable_signup = "yes"', /line 2: `auth\.enable_signup` is `true` or `false`/],
    ["[api]\nschemas = [1]", /line 2: `api\.schemas` is a list of texts/],
    ['[storage]\nfile_size_limit = "many"', /line 2: expected a size such as `50MiB`/],
    ['[auth.sessions]\ntimebox = "1 day"', /line 2: expected a duration such as `1m30s`/],
    ['[auth]\npassword_requirements = "all"', /line 2: this is none of ``, `letters_digits`/],
    ['[auth]\npassword_requirements = "constructor"', /line 2: this is none of ``, `letters_digits`/],
    ['[auth]\npassword_requirements = "__proto__"', /line 2: this is none of ``, `letters_digits`/],
  ])("is refused with its line and what to do: %j", (text, message) => {
    expect(() => read(text)).toThrow(SourceError);
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).not.toThrow(/hush/);
  });

  it("may be JSON, with comments by its name, and is the only one", () => {
    const { objects } = read('{"auth": {"jwt_expiry": 60}}', {}, "config.json");
    expect(objectOf("AuthConfig", objects)).toEqual({ jwtExp: 60 });
    expect(() => read("[auth]\njwt_expiry = 60")).toThrow(
      /config\.toml and .*config\.json are in one folder/,
    );
  });

  it("may be JSON with comments", () => {
    const { objects } = read('{\n// codes\n"auth": {"jwt_expiry": 60,},}', {}, "config.jsonc");
    expect(objectOf("AuthConfig", objects)).toEqual({ jwtExp: 60 });
  });

  it("is missing", () => {
    const options = { names: literalNames, projectRef: REF, programFolder: ".", testOtpValidUntil: "" };
    expect(() => readConfigFile(join(folder.path, "none.toml"), options)).toThrow(
      /cannot be read \(ENOENT\): give the path/,
    );
  });

  it("declares nothing that it does not say", () => {
    expect(
      read('project_id = "shop"\n[api]\n[auth]\n[storage]\n[db.network_restrictions]\n[auth.email]').objects,
    ).toEqual([]);
  });

  it("has keys that the tool does not know: an error of generation 2, ignored by 3", () => {
    const text = "[auth]\nsite_uri = 1";
    expect(() => read(text, { generation: 2 })).toThrow(
      /line 2: the tool has no key `auth\.site_uri`: correct or remove it/,
    );
    expect(read(text, { generation: 3 }).notes.join("\n")).toMatch(
      /line 2: the tool has no key `auth\.site_uri`, and ignores it/,
    );
    expect(() => read("[auth.email]\nrequire_current_password = true", { generation: 2 })).toThrow(
      /has no key/,
    );
  });

  it.each([
    ["[former_local_smtp]\nport = 1", "`[local_smtp]`"],
    ['[experimental]\nengine_version = "1"', "`engine_version` of `[db]`"],
    ["[auth.external.idp15]\nenabled = true", "the section of the same name with `_oidc`"],
    ["[auth.external.former_provider]\nenabled = true", "the section of the same name with `_oidc`"],
    [`[remotes.a]\nproject_id = "${REF}"\n[remotes.a.auth.external.idp15]\nenabled = true`, "with `_oidc`"],
  ])("has a key that was withdrawn: %j", (text, instead) => {
    expect(() => read(text, { generation: 3 })).toThrow(
      `was withdrawn: use ${instead.startsWith("with") ? "the section of the same name " : ""}${instead} instead`,
    );
    expect(read(text, { generation: 2 }).notes.join("\n")).toContain("was withdrawn in generation 3");
    expect(read(text, { generation: 2 }).objects).toEqual([]);
  });

  it("with an empty withdrawn key is taken", () => {
    expect(read('[experimental]\nengine_version = ""', { generation: 3 }).notes.join("\n")).not.toMatch(
      /withdrawn/,
    );
  });

  it("has names in lower case in generation 2, those of secrets in capitals", () => {
    const text = '[edge_runtime.secrets]\nmail_host = "x"';
    expect(Object.keys(inputs("SecretSet", text, { generation: 2 }).inputs?.["secrets"] as object)).toEqual([
      "MAIL_HOST",
    ]);
    expect(Object.keys(inputs("SecretSet", text, { generation: 3 }).inputs?.["secrets"] as object)).toEqual([
      "mail_host",
    ]);
  });

  it("shows that generation 3 wrote it by a key of that alone", () => {
    expect(read("[auth.sms]\notp_length = 6").generation).toBe(3);
    expect(read("[auth]\njwt_expiry = 60").generation).toBeUndefined();
  });
});

describe("a value", () => {
  it.each([
    ['site_url = "env(SITE_URL)"', "siteUrl", { name: "SITE_URL", kind: "string", isSecret: false }],
    ['jwt_expiry = "env(EXPIRY)"', "jwtExp", { name: "EXPIRY", kind: "number" }],
    [
      'enable_manual_linking = "env(LINKING)"',
      "security.manualLinkingEnabled",
      { name: "LINKING", kind: "boolean" },
    ],
    ['additional_redirect_urls = "env(URLS)"', "uriAllowList", { name: "URLS", kind: "string" }],
    [
      'captcha = { enabled = true, provider = "turnstile", secret = "env(CAPTCHA)" }',
      "security.captchaSecret",
      { name: "CAPTCHA", isSecret: true },
    ],
  ])("of a variable is a configuration value: %s", (line, path, value) => {
    expect(at(auth(`[auth]\n${line}`), path)).toMatchObject(value);
    expect(at(auth(`[auth]\n${line}`), path)).toBeInstanceOf(ConfigValue);
  });

  it("is a variable only as a whole", () => {
    expect(auth('[auth]\nsite_url = "https://env(HOST)"')).toEqual({ siteUrl: "https://env(HOST)" });
  });

  it("of a list may be a variable in each element", () => {
    const list = at(
      auth('[auth]\nadditional_redirect_urls = ["https://a", "env(PREVIEW_URL)"]'),
      "uriAllowList",
    ) as JoinedText;
    expect(list).toBeInstanceOf(JoinedText);
    expect(list.parts).toEqual(["https://a", config("PREVIEW_URL")]);
  });

  it("that is a list in one text is split at commas", () => {
    expect(inputs("RestLayerConfig", '[api]\nschemas = "public,api"').inputs).toEqual({
      dbSchema: "public,api",
    });
  });

  it("of a variable in another unit or sense is a configuration value of its own", () => {
    const { inputs: own, notes } = inputs(
      "AuthConfig",
      '[auth]\nenable_signup = "env(SIGNUP)"\n[auth.sessions]\ntimebox = "env(BOX)"',
      { environment: { SIGNUP: "true", BOX: "90m" } },
    );
    expect(own).toMatchObject({
      disableSignup: { name: "authEnableSignup", kind: "boolean", value: "false" },
      sessions: { timebox: { name: "authSessionsTimebox", kind: "number", value: "1.5" } },
    });
    expect(notes).toMatch(
      /line 2: the value is that of the variable SIGNUP\. The input of the program is the opposite of the variable\./,
    );
  });

  it("of a variable that is empty or not at hand is not known", () => {
    const text = '[edge_runtime.secrets]\nTOKEN = "env(PAYMENT_TOKEN)"';
    const value = (environment: Record<string, string>) =>
      (
        inputs("SecretSet", text, { environment }).inputs?.["secrets"] as
          Record<string, ConfigValue> | undefined
      )?.["TOKEN"];
    expect(value({})).toMatchObject({ name: "PAYMENT_TOKEN", isSecret: true, value: undefined });
    expect(value({ PAYMENT_TOKEN: "" })?.value).toBeUndefined();
    expect(value({ PAYMENT_TOKEN: "t" })?.value).toBe("t");
  });

  it("that is encrypted is opened by any of the keys, and without one left out", () => {
    const sealed = /SEALED_TOKEN = "(encrypted:[^"]+)"/.exec(example)?.[1] ?? "";
    const text = `[edge_runtime.secrets]\nTOKEN = "${sealed}"\nOTHER = "env(SEALED)"`;
    const secrets = (environment: Record<string, string>) => {
      const found = inputs("SecretSet", text, { environment });
      return { ...(found.inputs?.["secrets"] as Record<string, ConfigValue>), notes: found.notes };
    };
    const other = "1".repeat(64);
    for (const environment of [
      { DOTENV_PRIVATE_KEY: KEY },
      { DOTENV_PRIVATE_KEY_PRODUCTION: `${other}, ${KEY}` },
    ]) {
      expect(secrets({ ...environment, SEALED: sealed })).toMatchObject({
        TOKEN: { value: "sealed-token" },
        OTHER: { value: "sealed-token" },
      });
    }
    const closed = secrets({ DOTENV_PRIVATE_KEY: other });
    expect(closed).toMatchObject({ TOKEN: { name: "TOKEN", isSecret: true, value: undefined } });
    expect(closed.notes).toMatch(
      /line 2: the value is encrypted, and no key in DOTENV_PRIVATE_KEY decrypts it\. Set the key and run the command again/,
    );
  });

  it.each([
    ['"5s"', 5],
    ['"1m30s"', 90],
    ['"1h0m0s"', 3600],
    ['"0s"', 0],
  ])("that is the duration %s has %d seconds", (duration, seconds) => {
    expect(auth(`[auth.email]\nmax_frequency = ${duration}`)).toEqual({ smtp: { maxFrequency: seconds } });
  });

  it.each([
    ['"50MiB"', 52428800],
    ['"50mb"', 52428800],
    ['"1K"', 1024],
    ['"1KB"', 1024],
    ['"2GiB"', 2147483648],
    ['"7B"', 7],
    ["52428800", 52428800],
  ])("that is the size %s has %d bytes", (size, bytes) => {
    expect(inputs("StorageConfig", `[storage]\nfile_size_limit = ${size}`).inputs).toEqual({
      fileSizeLimit: bytes,
    });
  });

  it("of Go's templates is text of the service", () => {
    expect(auth('[auth.sms]\ntemplate = "Your code is {{ .Code }}"')).toEqual({
      sms: { template: "Your code is {{ .Code }}" },
    });
  });
});

describe("a remote", () => {
  const other = "tsrqponmlkjihgfedcba";

  it("is a stack: tables laid over each other, lists and scalars in place of each other", () => {
    const text = `
[auth]
site_url = "https://local"
additional_redirect_urls = ["https://a", "https://b"]
jwt_expiry = 60
[remotes.production]
project_id = "${REF}"
[remotes.production.auth]
site_url = "https://shop"
additional_redirect_urls = ["https://c"]
[remotes.staging]
project_id = "${other}"`;
    const { objects, stacks, projectRef } = read(text);
    expect(objects).toEqual([]);
    expect(projectRef).toBeUndefined();
    expect(stacks.map(({ name, projectRef: ref }) => [name, ref])).toEqual([
      ["production", REF],
      ["staging", other],
    ]);
    expect(objectOf("AuthConfig", stacks[0]?.objects ?? [])).toEqual({
      siteUrl: "https://shop",
      uriAllowList: "https://c",
      jwtExp: 60,
    });
    expect(objectOf("AuthConfig", stacks[1]?.objects ?? [])).toEqual({
      siteUrl: "https://local",
      uriAllowList: "https://a,https://b",
      jwtExp: 60,
    });
    expect(stacks[0]?.objects[0]?.source).toMatch(/config\.toml, line 8 \[auth\]$/);
  });

  it("beside another project leaves that the rest of the file", () => {
    const text = `[auth]\njwt_expiry = 60\n[remotes.staging]\nproject_id = "${other}"`;
    const { objects, stacks } = read(text, { projectRef: REF });
    expect(objects).toMatchObject([{ importId: REF }]);
    expect(stacks).toMatchObject([{ projectRef: other }]);
  });

  it.each([
    [
      '[remotes.a]\nproject_id = "short"',
      /line 2: `remotes\.a\.project_id` is required and must be the reference/,
    ],
    ['[remotes.a]\nproject_id = "env(REF)"', /`env\(…\)` is not read there/],
    ["[remotes.a.auth]\njwt_expiry = 60", /`remotes\.a\.project_id` is required/],
    [
      `[remotes.a]\nproject_id = "${REF}"\n[remotes.b]\nproject_id = "${REF}"`,
      /line 4: `remotes\.b` and `remotes\.a` have one `project_id`/,
    ],
  ])("is refused: %j", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it("has no seeds unless it says so", () => {
    const seed = '[db.seed]\nenabled = true\nsql_paths = ["./seed.sql"]\n';
    const notes = (more: string) =>
      read(`${seed}[remotes.a]\nproject_id = "${other}"\n${more}`, { projectRef: REF }).stacks[0]?.notes.join(
        "\n",
      ) ?? "";
    expect(notes("")).not.toMatch(/seeds are not taken over/);
    expect(notes("[remotes.a.db.seed]\nenabled = true")).toMatch(/seeds are not taken over/);
    expect(read(seed).notes.join("\n")).toMatch(/seeds are not taken over/);
  });

  it("is missing: the tool's link is the project, or it has to be given", () => {
    const options = { projectRef: undefined };
    expect(() => read('project_id = "shop"', options)).toThrow(
      /does not say which project it is for.*Give the reference by `--project`/,
    );
    folder.write("svc/.temp/project-ref", `${other}\n`);
    expect(read("[auth]\njwt_expiry = 60", options)).toMatchObject({
      projectRef: other,
      objects: [{ importId: other }],
    });
  });
});

describe("[api], [db], [storage]", () => {
  it.each([
    ['[api]\nenabled = false\nschemas = ["public"]', "RestLayerConfig", { dbSchema: "" }],
    ['[api]\nschemas = ["public", "api"]', "RestLayerConfig", { dbSchema: "public,api" }],
    [
      '[api]\nextra_search_path = ["public", "extensions"]',
      "RestLayerConfig",
      { dbExtraSearchPath: "public,extensions" },
    ],
    ["[api]\nmax_rows = 500", "RestLayerConfig", { maxRows: 500 }],
    ["[api]\nmax_rows = 0", "RestLayerConfig", undefined],
    [
      '[api]\nenabled = true\nport = 1\nexternal_url = "x"\nauto_expose_new_tables = true\n[api.tls]\nenabled = true\ncert_path = "x"\nkey_path = "x"',
      "RestLayerConfig",
      undefined,
    ],
    [
      '[db.network_restrictions]\nenabled = true\nallowed_cidrs = ["203.0.113.0/24"]',
      "NetworkRestrictions",
      { allowedCidrs: ["203.0.113.0/24"] },
    ],
    [
      "[db.network_restrictions]\nenabled = true\nallowed_cidrs = []\nallowed_cidrs_v6 = []",
      "NetworkRestrictions",
      { allowedCidrs: [], allowedCidrsV6: [], denyAll: true },
    ],
    [
      '[db.network_restrictions]\nenabled = false\nallowed_cidrs = ["203.0.113.0/24"]',
      "NetworkRestrictions",
      undefined,
    ],
    ['[db.network_restrictions]\nallowed_cidrs = ["203.0.113.0/24"]', "NetworkRestrictions", undefined],
    ["[db.ssl_enforcement]\nenabled = true", "SslEnforcement", { database: true }],
    ["[db.ssl_enforcement]", "SslEnforcement", undefined],
    [
      "[storage.image_transformation]\nenabled = true",
      "StorageConfig",
      { features: { imageTransformation: { enabled: true } } },
    ],
    [
      "[storage.s3_protocol]\nenabled = false",
      "StorageConfig",
      { features: { s3Protocol: { enabled: false } } },
    ],
    [
      "[storage.analytics]\nenabled = true\nmax_namespaces = 5\nmax_tables = 10\nmax_catalogs = 2",
      "StorageConfig",
      { features: { icebergCatalog: { enabled: true, maxNamespaces: 5, maxTables: 10, maxCatalogs: 2 } } },
    ],
    [
      "[storage.vector]\nenabled = true\nmax_buckets = 10\nmax_indexes = 5",
      "StorageConfig",
      { features: { vectorBuckets: { enabled: true, maxBuckets: 10, maxIndexes: 5 } } },
    ],
    ["[storage]\nenabled = false", "StorageConfig", undefined],
    ["[experimental.webhooks]\nenabled = true", "DatabaseWebhooks", {}],
    ["[experimental.webhooks]\nenabled = false", "DatabaseWebhooks", undefined],
  ])("%j declares %s %j", (text, type, expected) => {
    expect(inputs(type, text).inputs).toEqual(expected);
  });

  it("leaves a feature that is off to the generation that wrote it", () => {
    const text = "[storage.vector]\nenabled = false\nmax_buckets = 10";
    expect(inputs("StorageConfig", text, { generation: 2 }).inputs).toBeUndefined();
    expect(inputs("StorageConfig", text, { generation: 3 }).inputs).toEqual({
      features: { vectorBuckets: { enabled: false, maxBuckets: 10 } },
    });
    expect(inputs("StorageConfig", text).notes).toMatch(
      /generation 2 of the tool ignores a feature that is off/,
    );
  });

  it("has the 23 settings of Postgres by their own names", () => {
    const settings = /\[db\.settings\]\n(.*?)\n\n/s.exec(example)?.[1] ?? "";
    const own = inputs("PostgresConfig", `[db.settings]\n${settings}`).inputs;
    expect(Object.keys(own ?? {})).toHaveLength(23);
    expect(configKeys.postgres).toHaveLength(23);
    expect(own).toMatchObject({
      maxConnections: 120,
      statementTimeout: "30s",
      trackCommitTimestamp: true,
      sessionReplicationRole: "origin",
    });
  });

  it("refuses webhooks that are off in generation 2", () => {
    expect(() => read("[experimental.webhooks]\nenabled = false", { generation: 2 })).toThrow(
      /line 2: webhooks cannot be disabled/,
    );
  });

  it.each([
    ["[db]\nmajor_version = 17", /the file is for Postgres 17\. Compare it/],
    ["[db.pooler]\ndefault_pool_size = 20", /it is not taken over as a PoolerConfig/],
    [
      '[db.pooler]\nenabled = true\nport = 1\npool_mode = "transaction"\nmax_client_conn = 100',
      /it is not taken over as a PoolerConfig/,
    ],
    ["[storage.analytics.buckets.warehouse]", /buckets of analytics/],
    ["[storage.vector.buckets.embeddings]", /buckets of vectors/],
    [
      '[compute.api]\nruntime = "node"\nsize = "small"\nexposure = "public"\ninstances = 2\nsource = "./api"\nexclude = ["*.md"]',
      /has no operations for them/,
    ],
  ])("reports what has nothing here: %j", (text, note) => {
    const { objects, notes } = read(text);
    expect(objects).toEqual([]);
    expect(notes.join("\n")).toMatch(note);
    expect(notes.join("\n")).not.toMatch(/hush/);
  });

  it.each([
    '[realtime]\nenabled = true\nip_version = "IPv6"\nmax_header_length = 1',
    '[studio]\nenabled = true\nport = 1\napi_url = "x"\nopenai_api_key = "x"',
    '[local_smtp]\nenabled = true\nport = 1\nsmtp_port = 1\npop3_port = 1\nadmin_email = "a"\nsender_name = "b"',
    '[analytics]\nenabled = true\nport = 1\nbackend = "bigquery"\nvector_port = 1\ngcp_project_id = "a"\ngcp_project_number = "1"\ngcp_jwt_path = "x"',
    '[local.services.default]\nversion = "linked"',
    '[db]\nport = 1\nshadow_port = 1\nhealth_timeout = "2m"\nroot_key = "x"\nengine_version = ""',
    '[db.migrations]\nschema_paths = ["./schemas/*.sql"]',
    '[db.migrations.checks]\nrls_disabled_in_public = "error"\n[db.migrations.checks.exclude]\nrls_disabled_in_public = ["public.a"]',
    '[edge_runtime]\nenabled = true\npolicy = "oneshot"\ninspector_port = 1\ndeno_version = 2',
    '[edge_runtime]\npolicy = "per_worker"',
    '[experimental]\nstack = true\ncompute = false\ns3_host = "x"\ns3_region = "x"\ns3_access_key = "x"\ns3_secret_key = "x"\n[experimental.differ]\nenabled = true\ndeclarative_schema_path = "x"\nformat_options = "{}"\n[[experimental.inspect.rules]]\nquery = "x"\nname = "x"\npass = "x"\nfail = "x"',
    '[auth]\nenabled = false\nexternal_url = "x"\njwt_issuer = "x"\nsigning_keys_path = "x"\npublishable_key = "x"\nsecret_key = "x"\njwt_secret = "x"\nanon_key = "x"\nservice_role_key = "x"',
  ])("leaves what is local: %j", (text) => {
    const { objects, notes } = read(text);
    expect(objects).toEqual([]);
    expect(notes.join("\n")).not.toMatch(/no key/);
  });
});

describe("[auth]", () => {
  it.each([
    ['site_url = "https://a"', { siteUrl: "https://a" }],
    ['additional_redirect_urls = ["https://a", "https://b"]', { uriAllowList: "https://a,https://b" }],
    ["jwt_expiry = 3600", { jwtExp: 3600 }],
    ["enable_signup = false", { disableSignup: true }],
    ["enable_anonymous_sign_ins = true", { externalAnonymousUsersEnabled: true }],
    ["enable_manual_linking = true", { security: { manualLinkingEnabled: true } }],
    ["enable_refresh_token_rotation = true", { security: { refreshTokenRotationEnabled: true } }],
    ["refresh_token_reuse_interval = 10", { security: { refreshTokenReuseInterval: 10 } }],
    ["minimum_password_length = 12", { password: { minLength: 12 } }],
    ['password_requirements = ""', { password: { requiredCharacters: "" } }],
    [
      'password_requirements = "letters_digits"',
      { password: { requiredCharacters: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789" } },
    ],
    [
      'password_requirements = "lower_upper_letters_digits"',
      {
        password: { requiredCharacters: "abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789" },
      },
    ],
    [
      'password_requirements = "lower_upper_letters_digits_symbols"',
      { password: { requiredCharacters: expect.stringMatching(/:!@#/) as unknown } },
    ],
    ["passkey.enabled = true", { passkeyEnabled: true }],
    [
      'webauthn = { rp_display_name = "a", rp_id = "b", rp_origins = ["c", "d"] }',
      { webAuthn: { rpDisplayName: "a", rpId: "b", rpOrigins: "c,d" } },
    ],
    [
      "rate_limit = { sms_sent = 1, anonymous_users = 2, token_refresh = 3, web3 = 4 }",
      { rateLimits: { smsSent: 1, anonymousUsers: 2, tokenRefresh: 3, web3: 4 } },
    ],
    ["rate_limit = { sign_in_sign_ups = 5, token_verifications = 6 }", { rateLimits: { otp: 5, verify: 6 } }],
    [
      'captcha = { enabled = true, provider = "turnstile", secret = "s" }',
      {
        security: {
          captchaEnabled: true,
          captchaProvider: "turnstile",
          captchaSecret: config("authCaptchaSecret"),
        },
      },
    ],
    [
      'captcha = { enabled = false, provider = "turnstile", secret = "env(X)" }',
      { security: { captchaEnabled: false } },
    ],
    ["mfa.max_enrolled_factors = 10", { mfa: { maxEnrolledFactors: 10 } }],
    [
      "mfa = { totp = { enroll_enabled = true, verify_enabled = true }, phone = { enroll_enabled = false, verify_enabled = true }, web_authn = { verify_enabled = true } }",
      {
        mfa: {
          totpEnrollEnabled: true,
          totpVerifyEnabled: true,
          phoneEnrollEnabled: false,
          phoneVerifyEnabled: true,
          webAuthnVerifyEnabled: true,
        },
      },
    ],
    [
      'mfa.phone = { otp_length = 8, template = "t", max_frequency = "10s" }',
      { mfa: { phoneOtpLength: 8, phoneTemplate: "t", phoneMaxFrequency: 10 } },
    ],
    [
      'sessions = { timebox = "24h", inactivity_timeout = "8h30m" }',
      { sessions: { timebox: 24, inactivityTimeout: 8.5 } },
    ],
    ["email.enable_signup = true", { externalEmailEnabled: true }],
    ["email = { enabled = false, enable_signup = false }", { externalEmailEnabled: false }],
    ["email.double_confirm_changes = true", { mailer: { secureEmailChangeEnabled: true } }],
    ["email.enable_confirmations = true", { mailer: { autoconfirm: false } }],
    ["email.secure_password_change = true", { security: { updatePasswordRequireReauthentication: true } }],
    [
      "email.require_current_password = true",
      { extraSettings: { security_update_password_require_current_password: true } },
    ],
    ["email = { otp_length = 8, otp_expiry = 1800 }", { mailer: { otpLength: 8, otpExp: 1800 } }],
    ["sms = { otp_length = 6, otp_expiry = 60 }", { sms: { otpLength: 6, otpExp: 60 } }],
    ['sms.max_frequency = "5s"', { sms: { maxFrequency: 5 } }],
    [
      "web3 = { solana = { enabled = true }, ethereum = { enabled = false } }",
      { externalWeb3SolanaEnabled: true, externalWeb3EthereumEnabled: false },
    ],
    [
      'oauth_server = { enabled = true, allow_dynamic_registration = false, authorization_url_path = "/c" }',
      { oauthServer: { enabled: true, allowDynamicRegistration: false, authorizationPath: "/c" } },
    ],
    [
      'sms.test_otp = { 491700000001 = "123456", 491700000002 = "654321" }',
      { sms: { testOtp: config("smsTestOtp"), testOtpValidUntil: "2036-01-01T00:00:00Z" } },
    ],
    ["sms.test_otp = {}", undefined],
  ])("%s declares %j", (line, expected) => {
    expect(auth(`[auth]\n${line}`)).toEqual(expected);
  });

  it("refuses two names of one setting that differ", () => {
    expect(() => read("[auth.email]\nenabled = true\nenable_signup = false")).toThrow(
      /line 2: .* are two names of one setting but have different values/,
    );
  });

  it("leaves out what the generation that wrote the file does not push", () => {
    expect(auth("[auth]\npasskey.enabled = true", { generation: 3 })).toBeUndefined();
    expect(auth("[auth]\noauth_server.enabled = true", { generation: 2 })).toBeUndefined();
  });

  it("has a limit of emails only with an SMTP server", () => {
    const limit = "[auth.rate_limit]\nemail_sent = 100\n";
    const smtp =
      '[auth.email.smtp]\nenabled = true\nhost = "h"\nport = 587\nuser = "u"\npass = "env(P)"\nadmin_email = "a@example.com"\n';
    expect(inputs("AuthConfig", limit).inputs).toBeUndefined();
    expect(inputs("AuthConfig", limit).notes).toMatch(
      /line 2: left out: the service accepts a limit of emails only if the project has its own SMTP server/,
    );
    expect(auth(limit + smtp)).toMatchObject({
      rateLimits: { emailSent: 100 },
      smtp: { host: "h", port: 587, password: config("P"), adminEmail: "a@example.com" },
    });
    expect(auth("[auth.email.smtp]\nenabled = false")).toEqual({ smtp: { host: "" } });
    expect(() => read('[auth.email.smtp]\nenabled = true\nhost = "h"')).toThrow(
      /line 1: an SMTP server needs `port`/,
    );
    const silent = smtp.replace("enabled = true\n", "");
    expect(auth(silent, { generation: 2 })).toMatchObject({ smtp: { host: "h" } });
    expect(auth(silent, { generation: 3 })).toBeUndefined();
    expect(inputs("AuthConfig", silent).notes).toMatch(/generation 2 treats it as on, generation 3 as off/);
  });

  it.each(configKeys.hooks)("has the hook %s with what it needs", (hook) => {
    const name = hook.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const section = `[auth.hook.${hook}]\n`;
    const secret = `v1,whsec_${"a".repeat(32)}`;
    const url = 'uri = "https://hooks.example.com"\n';
    expect(auth(`${section}enabled = true\n${url}secrets = "${secret}|${secret}"`)).toMatchObject({
      hooks: {
        [name]: {
          enabled: true,
          uri: "https://hooks.example.com",
          secrets: { isSecret: true, value: `${secret}|${secret}` },
        },
      },
    });
    expect(auth(`${section}enabled = false\n${url}secrets = "env(UNSET)"`)).toEqual({
      hooks: { [name]: { enabled: false } },
    });
    expect(auth(section + url)).toBeUndefined();
    expect(auth(`${section}enabled = true\nuri = "pg-functions://postgres/public/f"`)).toEqual({
      hooks: { [name]: { enabled: true, uri: "pg-functions://postgres/public/f" } },
    });
    expect(() => read(`${section}enabled = true\n${url}`)).toThrow(/line 1: a hook at a URL needs `secrets`/);
    expect(() =>
      read(`${section}enabled = true\nuri = "pg-functions://postgres/public/f"\nsecrets = "${secret}"`),
    ).toThrow(/line 4: calls of a hook in the database are not signed/);
    expect(() => read(`${section}enabled = true\nuri = "ftp://a"`)).toThrow(
      /line 3: the address of a hook must be an `https` URL/,
    );
    expect(() => read(`${section}enabled = true\n${url}secrets = "hush-hush"`)).toThrow(
      /line 4: each secret is `v1,whsec_`/,
    );
    expect(() => read(`${section}enabled = true`)).toThrow(/needs `uri`/);
  });

  it.each(configKeys.slots.filter((slot) => slot !== "idp15"))("has the provider %s", (slot) => {
    const section = `[auth.external.${slot}]\n`;
    const all =
      'client_id = "c"\nsecret = "env(S)"\nemail_optional = true\nurl = "https://u"\nskip_nonce_check = true\nredirect_uri = "x"\n';
    expect(auth(`${section}enabled = false\n${all}`)).toEqual({ external: { [slot]: { enabled: false } } });
    expect(auth(section + all)).toBeUndefined();
    expect(auth(`${section}enabled = true\n${all}`)).toEqual({
      external: {
        [slot]: {
          enabled: true,
          clientId: "c",
          secret: config("S"),
          ...(slot === "idp20" ? {} : { emailOptional: true }),
          ...(["idp02", "idp08", "idp11", "idp20"].includes(slot) ? { url: "https://u" } : {}),
          ...(slot === "idp09" ? { skipNonceCheck: true } : {}),
        },
      },
    });
    const withoutSecret = () => read(`${section}enabled = true\nclient_id = "c"`);
    if (["idp01", "idp09"].includes(slot)) expect(withoutSecret).not.toThrow();
    else expect(withoutSecret).toThrow(/line 1: a provider that is on needs `secret`/);
    expect(() => read(`${section}enabled = true`)).toThrow(/needs `client_id`/);
  });

  it.each([
    [
      "vendorA",
      'originator = "o"\naccess_key = "env(K)"',
      { vendorA: { originator: "o", accessKey: config("K") } },
    ],
    ["vendorB", 'sender = "o"\napi_key = "env(K)"', { vendorB: { sender: "o", apiKey: config("K") } }],
    [
      "vendorC",
      'account_sid = "a"\nmessage_service_sid = "m"\ncontent_sid = "c"\nauth_token = "env(K)"',
      { vendorC: { accountSid: "a", messageServiceSid: "m", contentSid: "c", authToken: config("K") } },
    ],
    [
      "vendorC_verify",
      'account_sid = "a"\nmessage_service_sid = "m"\nauth_token = "env(K)"',
      { vendorC: { verifyAccountSid: "a", verifyMessageServiceSid: "m", verifyAuthToken: config("K") } },
    ],
    [
      "vendorD",
      'from = "o"\napi_key = "k"\napi_secret = "env(K)"',
      { vendorD: { sender: "o", apiKey: "k", apiSecret: config("K") } },
    ],
  ])("has the vendor %s where it is the first that is on", (vendor, members, expected) => {
    expect(auth(`[auth.sms.${vendor}]\nenabled = true\n${members}`)).toEqual({
      sms: { provider: vendor, ...expected },
    });
    expect(auth(`[auth.sms.${vendor}]\nenabled = false\n${members}`)).toBeUndefined();
  });

  it("takes the first vendor in the tool's order", () => {
    const on = (vendor: string) => `[auth.sms.${vendor}]\nenabled = true\n`;
    expect(auth(on("vendorD") + on("vendorA") + on("vendorC_verify"))).toEqual({
      sms: { provider: "vendorC_verify" },
    });
  });

  it("turns confirmations by phone round as the generation does", () => {
    const text = "[auth.sms]\nenable_confirmations = true";
    expect(auth(text, { generation: 2 })).toEqual({ sms: { autoconfirm: true } });
    expect(auth(text, { generation: 3 })).toEqual({ sms: { autoconfirm: false } });
    expect(auth(text)).toBeUndefined();
    expect(inputs("AuthConfig", text).notes).toMatch(
      /line 2: this key has opposite meanings in the two generations of the tool/,
    );
  });

  it("has phone sign-ins without a vendor as generation 3 has them", () => {
    const text = "[auth.sms]\nenable_signup = true";
    expect(auth(text, { generation: 3 })).toEqual({ externalPhoneEnabled: true });
    expect(auth(text, { generation: 2 })).toBeUndefined();
    expect(auth("[auth.sms]\nenable_signup = false")).toEqual({ externalPhoneEnabled: false });
  });

  it.each(configKeys.templates)("has the template %s with its file, relative to the root", (kind) => {
    const name = kind.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    folder.write("mails/a.html", "<p>");
    expect(
      auth(`[auth.email.template.${kind}]\nsubject = "s"\ncontent_path = "./mails/a.html"`),
    ).toMatchObject({
      mailer: { templates: { [name]: { subject: "s", contentFile: "../mails/a.html" } } },
    });
    expect(() => read(`[auth.email.template.${kind}]\ncontent_path = "./none.html"`)).toThrow(
      /line 2: there is no file \.\/none\.html/,
    );
  });

  it.each(configKeys.notifications)("has the notification %s, whose file is read when it is on", (kind) => {
    const name = kind.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    folder.write("svc/mails/b.html", "<p>");
    const section = `[auth.email.notification.${kind}]\nsubject = "s"\ncontent_path = "./mails/b.html"\n`;
    expect(auth(`${section}enabled = true`)).toEqual({
      mailer: {
        notifications: { [`${name}Enabled`]: true },
        templates: { [`${name}Notification`]: { subject: "s", contentFile: "../svc/mails/b.html" } },
      },
    });
    expect(auth(`${section}enabled = true`, { generation: 2 })).toMatchObject({
      mailer: { templates: { [`${name}Notification`]: { contentFile: "../svc/mails/b.html" } } },
    });
    expect(auth(`${section}enabled = false`)).toEqual({
      mailer: {
        notifications: { [`${name}Enabled`]: false },
        templates: { [`${name}Notification`]: { subject: "s" } },
      },
    });
  });

  it("takes no text from outside of the project's folder", () => {
    expect(() => read(`[auth.email.template.invite]\ncontent_path = "${__filename}"`)).toThrow(
      /is outside the project's folder/,
    );
  });

  it.each([
    ["tpa1", 'project_id = "p"', undefined],
    ["tpa2", 'tenant = "t"\ntenant_region = "eu"', undefined],
    ["tpa3", 'user_pool_id = "env(P)"\nuser_pool_region = "eu-central-1"', undefined],
    ["tpa4", 'domain = "login.example.com"', "https://login.example.com"],
    ["tpa5", 'issuer_url = "https://idp.example.com"', "https://idp.example.com"],
  ])("has the third party %s on request only", (party, members, issuer) => {
    const text = `[auth.third_party.${party}]\nenabled = true\n${members}`;
    expect(inputs("ThirdPartyAuth", text).inputs).toBeUndefined();
    expect(inputs("ThirdPartyAuth", text).notes).toMatch(/line 1: the tool never pushes a third party/);
    expect(inputs("ThirdPartyAuth", text, { thirdParty: true }).inputs).toEqual(
      issuer === undefined ? undefined : { oidcIssuerUrl: issuer },
    );
    expect(read(text.replace("true", "false")).notes.join("\n")).not.toMatch(/third party/);
  });

  it("takes one third party at most", () => {
    expect(() =>
      read("[auth.third_party.tpa4]\nenabled = true\n[auth.third_party.tpa5]\nenabled = true"),
    ).toThrow(/line 3: the tool takes one third party at most/);
  });
});

describe("functions, their secrets and migrations", () => {
  it("are a set of the folder with the file, which reads their sections itself", () => {
    folder.write("svc/functions/hello/index.ts", "");
    const { inputs: own, notes } = inputs(
      "FunctionSet",
      '[functions.hello]\nverify_jwt = false\n[functions.hello.env]\nHOST = "env(HOST)"',
    );
    expect(own).toEqual({ sourceDir: "../svc/functions", configFile: "../svc/config.toml", adopt: true });
    expect(notes).toMatch(/the FunctionSet sends other paths/);
    expect(inputs("FunctionSet", '[functions.hello]\nverify_jwt = "env(OPEN)"').notes).toMatch(
      /hello: a section has `env\(…\)`/,
    );
  });

  it.each([
    'entrypoint = "./functions/hello/main.ts"',
    'import_map = "./import_map.json"',
    'static_files = ["./a.html"]',
    "enabled = false",
  ])("leave to the set, which reads the file, the key %s", (key) => {
    folder.write("svc/functions/hello/index.ts", "");
    expect(inputs("FunctionSet", `[functions.hello]\n${key}`).inputs).toEqual({
      ...{ sourceDir: "../svc/functions", configFile: "../svc/config.toml", adopt: true },
    });
  });

  it("are not declared without their folder", () => {
    const { inputs: own, notes } = inputs("FunctionSet", "[functions.hello]\nverify_jwt = false");
    expect(own).toBeUndefined();
    expect(notes).toMatch(/the folder `functions` does not exist beside the file/);
  });

  it("have secrets, but for the service's own names", () => {
    const { inputs: own, notes } = inputs(
      "SecretSet",
      '[edge_runtime.secrets]\nMAIL_HOST = "mail.example.com"\nTOKEN = "env(PAYMENT_TOKEN)"\nSVC_URL = "x"',
    );
    expect(own).toEqual({
      secrets: { MAIL_HOST: config("MAIL_HOST"), TOKEN: config("PAYMENT_TOKEN") },
      adopt: true,
    });
    expect(notes).toMatch(/names that begin with `SVC_` are the service's own/);
  });

  it("have secrets of the vault, by name", () => {
    const { objects } = inputs(
      "VaultSecret",
      '[db.vault]\nledger_key = "env(LEDGER_KEY)"\nplain = "hush-hush"',
      {
        environment: { LEDGER_KEY: "hush" },
      },
    );
    const vault = objects.filter(({ type }) => type === "VaultSecret");
    expect(vault.map(({ importId }) => importId)).toEqual([`${REF}/ledger_key`, `${REF}/plain`]);
    expect(vault.map(({ inputs: own }) => own)).toMatchObject([
      { name: "ledger_key", value: { name: "LEDGER_KEY", isSecret: true, value: "hush" } },
      { name: "plain", value: { name: "plain", isSecret: true, value: "hush-hush" } },
    ]);
    expect(JSON.stringify(vault)).not.toMatch(/hush/);
  });

  it("have buckets, whose files are not uploaded", () => {
    const text =
      '[storage.buckets.images]\npublic = true\nfile_size_limit = "5MiB"\nallowed_mime_types = ["image/png"]\nobjects_path = "./images"\n[storage.buckets."My Files"]';
    const { objects, notes } = inputs("StorageBucket", text);
    const buckets = objects.filter(({ type }) => type === "StorageBucket");
    expect(buckets.map(({ importId }) => importId)).toEqual([`${REF}/images`, `${REF}/My Files`]);
    expect(buckets.map(({ inputs: own }) => own)).toEqual([
      {
        projectRef: REF,
        name: "images",
        public: true,
        fileSizeLimit: 5_242_880,
        allowedMimeTypes: ["image/png"],
      },
      { projectRef: REF, name: "My Files" },
    ]);
    expect(notes).toMatch(/the files of the folder are not uploaded/);
  });

  it("have migrations where the tool applies them", () => {
    folder.write("svc/migrations/20260101000000_init.sql", "");
    folder.write("svc/migrations/20260102000000_next.down.sql", "");
    folder.write("svc/roles.sql", "");
    const { objects, notes } = inputs("MigrationSet", "[auth]\njwt_expiry = 60");
    expect(objects).toContainEqual(
      expect.objectContaining({
        type: "MigrationSet",
        importId: `${REF}/../svc/migrations`,
        inputs: { projectRef: REF, directory: "../svc/migrations" },
      }),
    );
    expect(notes).toMatch(/20260102000000_next\.down\.sql: a MigrationSet treats these/);
    folder.write("svc/migrations/queries.sql", "");
    const beside = inputs("MigrationSet", "[auth]\njwt_expiry = 60");
    expect(beside.inputs).toMatchObject({ exclude: ["queries.sql"] });
    expect(beside.notes).toMatch(/queries\.sql: the names have no version, so the tool passes over them/);
    expect(notes).toMatch(/roles\.sql beside the file is not taken over/);
    expect(inputs("MigrationSet", "[db.migrations]\nenabled = false").inputs).toBeUndefined();
  });
});

describe("names of an installation", () => {
  it("are the specification's in what is declared", () => {
    const word = acme.toWire
      .key(updateAuthConfigBody, "external_idp02_enabled")
      .replace(/^external_|_enabled$/g, "");
    const text = `[auth.external.${word}]\nenabled = false\n[auth.sms.pigeo]\nenabled = true\noriginator = "o"\n[auth.sms.semapho_verify]\nenabled = false\n[auth.third_party.werkstatt]\nenabled = true\nissuer_url = "https://i"\n[experimental.zaunkoenig]\nenabled = true\n[db]\nmotor_version = ""`;
    const { objects, notes } = read(text, { names: acme });
    expect(objectOf("AuthConfig", objects)).toEqual({
      sms: { provider: "vendorA", vendorA: { originator: "o" } },
      external: { idp02: { enabled: false } },
    });
    expect(notes.join("\n")).toMatch(/oidcIssuerUrl: "https:\/\/i"/);
    expect(notes.join("\n")).not.toMatch(/no key/);
    expect(read("[briefkasten]\nport = 1", { names: acme }).notes.join("\n")).toMatch(
      /was withdrawn in generation 3/,
    );
  });

  it("reserve their own prefix", () => {
    expect(
      inputs("SecretSet", '[edge_runtime.secrets]\nACME_URL = "x"', { names: acme }).inputs,
    ).toBeUndefined();
  });
});

describe("the example of every key", () => {
  const source = (options: Partial<ConfigFileOptions> = {}) => {
    folder.write("svc/templates/invite.html", "x");
    folder.write("svc/templates/password-changed.html", "x");
    return read(example, {
      projectRef: "zyxwvutsrqponmlkjihg",
      environment: { DOTENV_PRIVATE_KEY: KEY },
      ...options,
    });
  };

  it("has no key that is not known", () => {
    const { notes, generation } = source();
    expect(notes.join("\n")).not.toMatch(/no key|withdrawn/);
    expect(generation).toBe(3);
  });

  it("names only inputs of the catalog, with values that their definitions take", () => {
    const { objects, stacks } = source();
    expect(stacks.map(({ name }) => name)).toEqual(["production", "staging"]);
    for (const object of [...objects, ...stacks.flatMap((each) => each.objects)]) {
      const known = Object.keys(resourceByType(object.type).inputs.shape);
      expect(Object.keys(object.inputs).filter((name) => !known.includes(name))).toEqual([]);
      expect(listMisfits(object)).toEqual([]);
    }
  });

  it("declares what the tool makes of it", () => {
    const { objects, stacks } = source();
    const own = objectOf("AuthConfig", objects);
    expect(own).toMatchObject({
      mailer: { autoconfirm: false },
      disableSignup: false,
      sessions: { timebox: 24, inactivityTimeout: 8.5 },
      smtp: { port: 587, maxFrequency: 60 },
      sms: { provider: "vendorC", testOtp: { value: "491700000001=123456,491700000002=654321" } },
      external: {
        idp01: { clientId: "com.example.shop,com.example.shop.ios" },
        idp08: { secret: { value: "idp08-client-secret" } },
        idp11: { enabled: false },
        idp20: { enabled: false },
      },
    });
    expect(Object.keys(at(own, "external.idp11") as object)).toEqual(["enabled"]);
    expect(objectOf("StorageConfig", objects)).toMatchObject({ fileSizeLimit: 52428800 });
    expect(objectOf("RestLayerConfig", objects)).toMatchObject({ dbSchema: "public,api,graphql_public" });
    expect(objectOf("SecretSet", objects)).toMatchObject({
      secrets: { SEALED_TOKEN: { value: "sealed-token" } },
    });
    const production = stacks[0]?.objects ?? [];
    expect(objectOf("AuthConfig", production)).toMatchObject({
      uriAllowList: "https://shop.example.com/**",
      external: {
        idp11: { enabled: true, clientId: "shop-production", url: "https://id.example.com/realms/shop" },
      },
    });
    expect(objectOf("NetworkRestrictions", production)).toEqual({
      allowedCidrs: ["203.0.113.0/24"],
      allowedCidrsV6: ["2001:db8:42::/48"],
    });
  });

  it("shows no secret in what is made of it", () => {
    const shown = JSON.stringify(source());
    expect(shown).not.toMatch(/sealed-|idp08-client-secret|whsec_|encrypted:|123456"/);
  });
});

it("reads back whatever is written as TOML", () => {
  const flags = configKeys.auth.filter(
    ({ kind, as, pushedBy }) => kind === "boolean" && as === undefined && pushedBy === undefined,
  );
  const counts = configKeys.auth.filter(({ kind, pushedBy }) => kind === "number" && pushedBy === undefined);
  const texts = configKeys.auth.filter(
    ({ kind, as, pushedBy }) => kind === "string" && as === undefined && pushedBy === undefined,
  );
  const some = <T>(keys: readonly { key: string }[], value: fc.Arbitrary<T>) =>
    fc.record(Object.fromEntries(keys.map(({ key }) => [key, value])), { requiredKeys: [] });
  const plain = fc
    .string({ minLength: 1 })
    .filter((text) => !text.includes(",") && !/^env\(.*\)$/s.test(text));
  const remoteName = fc.stringMatching(/^[a-z][a-z0-9 ."'-]{0,8}$/);
  fc.assert(
    fc.property(
      some(flags, fc.boolean()),
      some(counts, fc.integer({ min: 6, max: 10 })),
      some(texts, plain),
      fc.array(plain, { minLength: 1, maxLength: 4 }),
      remoteName,
      (on, numbers, words, urls, name) => {
        const values: Record<string, unknown> = {
          ...on,
          ...numbers,
          ...words,
          additional_redirect_urls: urls,
        };
        const tables = { auth: nested(values), remotes: { [name]: { project_id: "tsrqponmlkjihgfedcba" } } };
        const { objects, stacks } = read(stringify(tables));
        const byKey = new Map(configKeys.auth.map((each) => [each.key, each.wire]));
        const body = Object.fromEntries(
          Object.entries(values).map(([key, value]) => [
            byKey.get(key) ?? key,
            Array.isArray(value) ? value.join(",") : value,
          ]),
        );
        expect(wireOf(objects)).toEqual(body);
        expect(wireOf(stacks[0]?.objects ?? [])).toEqual(body);
      },
    ),
    { numRuns: 50 },
  );
});

/** `{ email: { otp_length: 6 } }` for `email.otp_length`. */
function nested(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const tables: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const parts = key.split(".");
    let table = tables;
    for (const part of parts.slice(0, -1)) table = (table[part] ??= {}) as Record<string, unknown>;
    table[parts.at(-1) ?? ""] = value;
  }
  return tables;
}

/** The inputs of the auth configuration by the API's names. */
function wireOf(objects: readonly SourceObject[]): Record<string, unknown> {
  const own = objectOf("AuthConfig", objects) ?? {};
  const { fields, wirePaths } = collectSettingFields({
    settings: authSettings,
    wireNames: authWireNames,
    body: updateAuthConfigBody,
  });
  const found = [...fields.keys()].map(
    (name) => [(wirePaths.get(name) ?? []).join("."), at(own, name)] as const,
  );
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((above, key) => (above as Record<string, unknown> | undefined)?.[key], value);
}
