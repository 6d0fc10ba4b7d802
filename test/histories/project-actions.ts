import fc from "fast-check";
import { operations, type OperationName } from "../../spec/table";
import { arbitraryOf, HOSTILE_TEXTS } from "../import/random/arbitrary-body";

/** One thing that is done to a project by hand. */
export type ProjectAction =
  | {
      readonly kind: "call";
      readonly operation: OperationName;
      readonly parameters: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "deploy"; readonly slug: string; readonly deployed: Deployed }
  | {
      readonly kind: "secrets";
      readonly secrets: Readonly<Record<string, string>>;
      readonly given: "equal" | "different" | "none";
    }
  | { readonly kind: "migrate"; readonly name: string; readonly query: string }
  | { readonly kind: "import with"; readonly choose: readonly string[]; readonly full: boolean };

export interface Deployed {
  readonly files: Readonly<Record<string, string>>;
  readonly entrypoint: string;
  readonly importMap?: string;
  readonly name: string;
}

/** What every secret of a random project contains: no file of a program may. */
export const HUSH = "4917642";

const secret = fc.constantFrom(`hush-${HUSH}`, `two\nlines ${HUSH}`, `"${HUSH}' $\{a} $$`, HUSH);

/** Names that collide with each other, with words of the languages, and with what a program has already. */
const NAMES = [
  "shop",
  "backend",
  "default",
  "config",
  "management",
  "pulumi",
  "protect",
  "class",
  "lambda",
  "project",
  "secret_key",
  "api_key",
  "__proto",
  "ref_",
  "hello",
  "hello_2",
] as const;
const keyName = fc.constantFrom(...NAMES.filter((each) => each.length >= 4));
const secretName = fc.constantFrom(
  "SHOP",
  "BACKEND",
  "config",
  "CLASS",
  "API_KEY",
  "api-key",
  "api.key",
  "1ST",
  "A",
  "HELLO",
  "Ünïcödé",
  "a b",
  'quote"d',
  "constructor",
);
const slug = fc.constantFrom(
  "shop",
  "backend",
  "hello",
  "Hello",
  "hello-2",
  "hello_2",
  "class",
  "config",
  "constructor",
  "a",
);
const anyName = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.constant("x".repeat(200)),
  fc.constant("7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50"),
);

const size = fc.constantFrom("64MB", "131072kB", "1GB", "8192", "0", "-1");
const span = fc.constantFrom("30s", "1min", "0", "1500ms", "2h");
const url = fc.constantFrom(
  "https://shop.example.com",
  "https://shop.example.com/a?b=${c}&d='e'",
  "pg-functions://postgres/public/hook",
  "http://127.0.0.1:3000",
);
const domain = fc.constantFrom("example.com", "example.org", "xn--bcher-kva.example");
const cidr = fc.constantFrom("203.0.113.0/24", "198.51.100.7/32", "0.0.0.0/0", "10.0.0.0/8");
const cidrV6 = fc.constantFrom("2001:db8:42::/48", "::/0", "2001:DB8::1/128");
const cidrs = fc.uniqueArray(cidr, { maxLength: 3 });
const cidrsV6 = fc.uniqueArray(cidrV6, { maxLength: 2 });

/** Values of texts that only some forms are taken for, by the place in a body. */
function known(path: string): fc.Arbitrary<unknown> | undefined {
  if (path === "sms_test_otp") return fc.constant(`${HUSH}=123456,4915112345678=123456`);
  if (/hook_.*_secrets$/.test(path)) return fc.constant(`v1,whsec_${HUSH}`);
  // An account's name, which the service shows.
  if (path === "sms_vendorD_api_key") return fc.constant("account-1");
  if (/(_secret|_pass|_secrets|_auth_token|_access_key|_api_key|_api_secret|_token)$/.test(path))
    return secret;
  if (path === "sms_test_otp_valid_until")
    return fc.constantFrom("2040-01-31T18:00:00Z", "2039-12-31T23:59:59.123+02:00");
  if (/email$/.test(path) && path.startsWith("smtp"))
    return fc.constantFrom("auth@example.com", "o'neil+shop@example.com");
  if (path === "smtp_port") return fc.constantFrom("465", "587", "2525");
  if (path === "site_url" || /(_uri|_url)$/.test(path)) return url;
  if (/uri_allow_list$/.test(path))
    return fc.constantFrom("https://shop.example.com/**", "https://a.example.com,https://b.example.com/*");
  if (path === "sessions_tags") return fc.constantFrom("one", "one, two", "a-b,c_d,");
  if (/timeout$|delay$/.test(path)) return /max_standby/.test(path) ? fc.oneof(size, span) : span;
  if (/_work_mem|work_mem|shared_buffers|wal_size|wal_keep_size|cache_size|query_size/.test(path))
    return size;
  if (path === "max_connections") return fc.integer({ min: 20, max: 500 });
  if (path === "db_schema") return fc.constantFrom("public", "public,api", "public, graphql_public", "");
  if (path === "db_extra_search_path") return fc.constantFrom("extensions", "public, extensions", "");
  return undefined;
}

/** A body along the schema of an operation. */
function call(
  operation: OperationName,
  more: fc.Arbitrary<object> = fc.constant({}),
): fc.Arbitrary<ProjectAction> {
  const { body } = operations[operation];
  const given =
    body === undefined ? fc.constant({}) : arbitraryOf(body.schema, known).map((value) => ({ body: value }));
  return fc.tuple(given, more).map(([parameters, others]) => ({
    kind: "call" as const,
    operation,
    parameters: { ...parameters, ...others },
  }));
}

function withBody(operation: OperationName, body: fc.Arbitrary<unknown>): fc.Arbitrary<ProjectAction> {
  return body.map((value) => ({ kind: "call" as const, operation, parameters: { body: value } }));
}

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const someText = fc.constantFrom(...HOSTILE_TEXTS);

const METADATA =
  '<?xml version="1.0"?>\n<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ' +
  'entityID="https://idp.example.com/$${a}"><md:IDPSSODescriptor/></md:EntityDescriptor>';

const SOURCES: readonly Omit<Deployed, "name">[] = [
  {
    files: { "index.ts": "Deno.serve(() => new Response('`$${one} ${two} $$`'));\n" },
    entrypoint: "index.ts",
  },
  {
    files: {
      "index.ts": 'import { greet } from "./lib/greet.ts";\r\ngreet();\n',
      "lib/greet.ts": "\uFEFFexport const greet = () => '\u2028\\n\t';",
    },
    entrypoint: "index.ts",
  },
  {
    files: {
      "functions/hello/index.ts":
        'import { cors } from "../_shared/cors.ts";\nDeno.serve(() => new Response(cors));\n',
      "functions/_shared/cors.ts": 'export const cors = "*";\n',
    },
    entrypoint: "functions/hello/index.ts",
  },
  {
    files: { "index.ts": "Deno.serve();\n", "deno.json": '{ "imports": { "a": "npm:a" } }\n' },
    entrypoint: "index.ts",
    importMap: "deno.json",
  },
  {
    files: { "main.js": "1;", "maps/import_map.json": "{}" },
    entrypoint: "main.js",
    importMap: "maps/import_map.json",
  },
  { files: { "index.ts": "1;", ".env.local": "A=1\n", ".hidden/a.ts": "2;" }, entrypoint: "index.ts" },
  { files: { "index.ts": "1;", "a b/quote'd.ts": "2;", "Ünïcödé.md": "# Hello\n" }, entrypoint: "index.ts" },
  { files: { "index.ts": "1;", "../_shared/cors.ts": "2;" }, entrypoint: "index.ts" },
  { files: { "index.ts": "one\0" }, entrypoint: "index.ts" },
  { files: { "index.ts": "x".repeat(300_000) }, entrypoint: "index.ts" },
  {
    files: { "index.ts": "1;", "node_modules/a/index.js": "2;", ".git/config": "3" },
    entrypoint: "index.ts",
  },
  { files: { "index.ts": "" }, entrypoint: "index.ts" },
];

const settings = fc.oneof(
  { weight: 6, arbitrary: call("updateAuthConfig") },
  { weight: 2, arbitrary: call("updatePostgresConfig") },
  { weight: 2, arbitrary: call("updateStorageConfig") },
  call("updateRealtimeConfig"),
  call("updateRestLayerConfig"),
  call("updatePoolerConfig"),
  call("updateSslEnforcement"),
  call("updateJitAccess"),
  call("updateLegacyApiKeys", fc.record({ enabled: fc.boolean() })),
  withBody(
    "updateDisk",
    fc.record({
      attributes: fc.oneof(
        fc.record({
          type: fc.constant("gp3"),
          size_gb: fc.integer({ min: 9, max: 200 }),
          iops: fc.constantFrom(3_000, 3_500, 4_000),
        }),
        fc.record({
          type: fc.constant("gp3"),
          size_gb: fc.integer({ min: 9, max: 200 }),
          iops: fc.constant(3_000),
          throughput_mibps: fc.constantFrom(125, 200, 250),
        }),
        fc.record({
          type: fc.constant("io2"),
          size_gb: fc.integer({ min: 9, max: 200 }),
          iops: fc.constantFrom(1_000, 5_000),
        }),
      ),
    }),
  ),
  withBody(
    "applyNetworkRestrictions",
    fc.record({ dbAllowedCidrs: cidrs, dbAllowedCidrsV6: cidrsV6 }, { requiredKeys: [] }),
  ),
  withBody("updateProject", fc.record({ name: anyName })),
);

const objects = fc.oneof(
  {
    weight: 2,
    arbitrary: withBody(
      "createApiKey",
      fc.record(
        {
          type: fc.constantFrom("publishable", "secret"),
          name: keyName,
          description: someText,
          secret_jwt_template: fc.dictionary(
            fc.constantFrom("role", "user name", "${a}", "$$b", "1"),
            fc.oneof(someText, fc.integer(), fc.constant(null), fc.array(someText, { maxLength: 2 })),
            { maxKeys: 2 },
          ),
        },
        { requiredKeys: ["type", "name"] },
      ),
    ),
  },
  withBody(
    "createSigningKey",
    fc.record({ algorithm: fc.constantFrom("ES256", "RS256", "EdDSA"), status: fc.constant("standby") }),
  ),
  withBody(
    "createSsoProvider",
    fc
      .record(
        {
          type: fc.constant("saml"),
          metadata: fc.boolean(),
          domains: fc.uniqueArray(domain, { maxLength: 2 }),
          attribute_mapping: fc.record({
            keys: fc.dictionary(
              fc.constantFrom("mail", "user name", "${a}", "$$b", "a.b"),
              fc.record(
                {
                  name: someText,
                  names: fc.array(someText, { maxLength: 2 }),
                  default: fc.oneof(someText, fc.integer(), fc.boolean(), fc.constant({ "a b": 1 })),
                  array: fc.boolean(),
                },
                { requiredKeys: [] },
              ),
              { maxKeys: 3 },
            ),
          }),
          name_id_format: fc.constantFrom("urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"),
        },
        { requiredKeys: ["type", "metadata"] },
      )
      .map(({ metadata, ...others }) => ({
        ...others,
        ...(metadata
          ? { metadata_xml: METADATA }
          : { metadata_url: "https://idp.example.com/metadata?a=${b}" }),
      })),
  ),
  withBody(
    "createThirdPartyAuth",
    fc.oneof(
      fc.record({
        oidc_issuer_url: fc.constantFrom("https://idp.example.com", "https://other.example.com/a b"),
      }),
      fc.record({ jwks_url: fc.constantFrom("https://idp.example.com/keys") }),
      fc.record({
        custom_jwks: fc.constant({ keys: [{ kty: "EC", crv: "P-256", kid: "one $${a}", x: "AA", y: "AA" }] }),
      }),
    ),
  ),
  withBody(
    "updateJitUser",
    fc.record({
      user_id: fc.constantFrom(
        "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50",
        "00000000-0000-4000-8000-000000000001",
      ),
      roles: fc.array(
        fc
          .record({
            role: fc.constantFrom("postgres", "read_only_user", 'a "b"'),
            expires_at: optional(fc.constantFrom(2_211_559_200, 2_211_559_200.5)),
            v4: optional(cidrs),
            v6: optional(cidrsV6),
          })
          .map(({ role, expires_at, v4, v6 }) => ({
            role,
            ...(expires_at === undefined ? {} : { expires_at }),
            ...(v4 === undefined && v6 === undefined
              ? {}
              : {
                  allowed_networks: {
                    ...(v4 === undefined ? {} : { allowed_cidrs: v4.map((each) => ({ cidr: each })) }),
                    ...(v6 === undefined ? {} : { allowed_cidrs_v6: v6.map((each) => ({ cidr: each })) }),
                  },
                }),
          })),
        { minLength: 1, maxLength: 2 },
      ),
    }),
  ),
  withBody(
    "applyAddon",
    fc.constantFrom(
      { addon_type: "compute_instance", addon_variant: "ci_small" },
      { addon_type: "compute_instance", addon_variant: "ci_xlarge" },
      { addon_type: "pitr", addon_variant: "pitr_7" },
      { addon_type: "ipv4", addon_variant: "ipv4_default" },
      { addon_type: "custom_domain", addon_variant: "cd_default" },
    ),
  ),
  withBody("initializeCustomHostname", fc.constant({ custom_hostname: "db.example.com" })),
  fc.constant<ProjectAction>({ kind: "call", operation: "reverifyCustomHostname", parameters: {} }),
  fc.constant<ProjectAction>({ kind: "call", operation: "activateCustomHostname", parameters: {} }),
  withBody(
    "activateVanitySubdomain",
    fc.integer({ min: 0, max: 1_000_000_000 }).map((number) => ({ vanity_subdomain: `shop-${number}` })),
  ),
  withBody("setUpReadReplica", fc.record({ read_replica_region: fc.constantFrom("eu-west-1", "us-east-1") })),
  withBody("updateCryptoExtConfig", fc.constant({ root_key: `${HUSH}a`.repeat(8) })),
  fc.constant<ProjectAction>({ kind: "call", operation: "enableWebhooks", parameters: {} }),
  {
    weight: 2,
    arbitrary: withBody(
      "createBranch",
      fc.record(
        {
          branch_name: anyName,
          git_branch: fc.constantFrom("feature/a", "feature/${b}", "Ünïcödé"),
          persistent: fc.boolean(),
          region: fc.constantFrom("eu-west-1"),
          desired_instance_size: fc.constantFrom("micro", "large"),
          secrets: fc.dictionary(fc.constantFrom("A", "B"), secret, { maxKeys: 2 }),
          with_data: fc.boolean(),
          notify_url: fc.constantFrom("https://hooks.example.com/?a=${b}"),
        },
        { requiredKeys: ["branch_name"] },
      ),
    ),
  },
);

/** What makes a project grow; databases are slow, so migrations are rare. */
export const projectAction: fc.Arbitrary<ProjectAction> = fc.oneof(
  { weight: 8, arbitrary: settings },
  { weight: 8, arbitrary: objects },
  {
    weight: 3,
    arbitrary: fc
      .tuple(slug, fc.constantFrom(...SOURCES), anyName)
      .map(([name, source, title]): ProjectAction => ({
        kind: "deploy",
        slug: name,
        deployed: { ...source, name: title },
      })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.dictionary(secretName, secret, { minKeys: 1, maxKeys: 3 }),
        fc.constantFrom("equal" as const, "different" as const, "none" as const),
      )
      .map(([secrets, given]): ProjectAction => ({ kind: "secrets", secrets, given })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom("create notes", "first", "a_b-c", "Ünïcödé", ""),
        fc.constantFrom(
          "create table if not exists notes (body text);",
          "select '$${a} ${b}; two';\nselect 2;",
        ),
      )
      .map(([name, query]): ProjectAction => ({ kind: "migrate", name, query })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.subarray(["AllowedCidr", "Migration"]), fc.boolean())
      .map(([choose, full]): ProjectAction => ({ kind: "import with", choose, full })),
  },
);

/** As a line of a report. */
export function describeProjectAction(action: ProjectAction): string {
  return JSON.stringify(action);
}
