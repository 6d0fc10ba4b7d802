import type { Values } from "../../provider/define/values";

/** A program that a preview refuses; `<folder>` stands for a folder with the files. */
export interface Refusal {
  readonly type: string;
  readonly is: Values;
  /** What the program declared before, where the resource exists. */
  readonly was?: Values;
  /** Of a state, what is no input. */
  readonly state?: (inputs: Values) => Values;
  /** Paths with texts; `-> path` is a link. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the folder has besides when the program changes, and what it no longer has. */
  readonly filesAfter?: Readonly<Record<string, string>>;
  readonly removed?: readonly string[];
  readonly ofNewProject?: true;
  readonly hasNoProject?: true;
  /** The environment, beside the address and the token; an empty value takes one out. */
  readonly env?: Readonly<Record<string, string>>;
  /** The plugin reports it of its own configuration. */
  readonly isConfiguration?: true;
  /** The inputs that are recorded are without what an import does not show. */
  readonly isImported?: true;
  readonly before?: () => void;
}

const FIRST = "20260101000000_first.sql";
const SECOND = "20260102000000_second.sql";
const applied = (): Values => ({ appliedVia: "query", latestVersion: "20260101000000" });
const folder: Values = { directory: "<folder>" };
const migrations = (files: Readonly<Record<string, string>>, is: Values = folder): Refusal => ({
  type: "MigrationSet",
  is: { ...folder, ...is },
  files,
});
const pending = (query: string): Refusal => ({ ...migrations({ [FIRST]: query }), ofNewProject: true });
/** Of a database that has the first file. */
const grown = (change: Partial<Refusal>): Refusal => ({
  ...migrations({ [FIRST]: "create table first ();" }),
  was: folder,
  state: applied,
  ...change,
});
const ONE: Values = { version: "20260101000000", name: "first", query: "create table first ();" };
const script = (is: Values): Refusal => ({
  type: "SqlScript",
  is: { name: "seed", query: "select 1;", ...is },
});
const auth = (is: Values, more: Partial<Refusal> = {}): Refusal => ({ type: "AuthConfig", is, ...more });
const functions = (files: Readonly<Record<string, string>>, is: Values = {}): Refusal => ({
  type: "FunctionSet",
  is: { sourceDir: "<folder>/functions", ...is },
  files: { "functions/hello/index.ts": "export default 1;", ...files },
});
const secrets = (text: string, is: Values = {}): Refusal => ({
  type: "SecretSet",
  is: { envFile: "<folder>/.env", ...is },
  files: { ".env": text },
});
const PROJECT: Values = {
  name: "shop",
  organizationSlug: "acme",
  dbPass: "a-password-of-the-shop",
  region: "eu-central-1",
};
const project = (is: Values): Refusal => ({
  type: "Project",
  was: PROJECT,
  is: { ...PROJECT, ...is },
  hasNoProject: true,
});
const PUBLIC_KEY: Values = { kty: "RSA", kid: "a", n: "AQAB", e: "AQAB" };

/** What a preview refuses without a call, by the problem that it tells. */
export const refusals: Readonly<Record<string, Refusal>> = {
  "*.noBaseUrl": {
    type: "Secret",
    is: { name: "A", value: "b" },
    env: { MANAGEMENT_BASE_URL: "" },
    isConfiguration: true,
  },
  "*.noAccessToken": {
    type: "Secret",
    is: { name: "A", value: "b" },
    env: { MANAGEMENT_ACCESS_TOKEN: "" },
    isConfiguration: true,
  },
  "*.namesFile": {
    type: "Secret",
    is: { name: "A", value: "b" },
    env: { MANAGEMENT_NAMES: "<folder>/names.json" },
    files: { "names.json": '{ "unknown": {} }' },
    isConfiguration: true,
  },
  "*.unknownProperty": { type: "Secret", is: { name: "A", value: "b", vaule: "c" } },
  "*.unlistedInReplacement": {
    ...project({ region: "a-newer-region", deletionProtection: false }),
    was: { ...PROJECT, deletionProtection: false },
  },
  "Secret.adoptsEmptySecret": { type: "Secret", is: { name: "A", value: "", adopt: true } },
  "Secret.foreignFolder": {
    type: "Secret",
    is: { name: "A", value: "b" },
    env: { XDG_STATE_HOME: "<folder>" },
    files: { "pulumi-management/creates/.keep": "" },
    before: () => {
      const uid = process.getuid?.() ?? 0;
      jest.spyOn(process, "getuid").mockReturnValue(uid + 1);
    },
  },
  "Project.notReplaced": project({ region: "us-east-1" }),
  "Project.movesToo": project({ organizationSlug: "other", region: "us-east-1" }),
  "Branch.neverReplaced": {
    type: "Branch",
    was: { name: "preview", diskSizeGb: 20 },
    is: { name: "preview", diskSizeGb: 30 },
  },
  "StorageBucket.keptAsItIs": {
    type: "StorageBucket",
    was: { name: "avatars" },
    is: { name: "pictures" },
    state: () => ({ createdAt: "2026-01-01T00:00:00.000Z", hasObjects: true }),
  },
  "ThirdPartyAuth.replacedWhenTargeted": {
    type: "ThirdPartyAuth",
    was: { oidcIssuerUrl: "https://id.example.com" },
    is: { oidcIssuerUrl: "https://other.example.com" },
  },
  "ApiKey.templateOfPublishable": {
    type: "ApiKey",
    is: { name: "mobile", type: "publishable", secretJwtTemplate: { role: "anon" } },
  },
  "AuthConfig.textTwice": auth(
    { mailer: { templates: { invite: { content: "a", contentFile: "<folder>/a.html" } } } },
    { files: { "a.html": "a" } },
  ),
  "AuthConfig.unreadableFile": auth({
    mailer: { templates: { invite: { contentFile: "<folder>/a.html" } } },
  }),
  "AuthConfig.emptyFile": auth(
    { mailer: { templates: { invite: { contentFile: "<folder>/a.html" } } } },
    { files: { "a.html": " " } },
  ),
  "AuthConfig.required": auth({ smtp: { host: "mail.example.com" } }, { ofNewProject: true }),
  "AuthConfig.enrollWithoutVerify": auth({ mfa: { totpEnrollEnabled: true, totpVerifyEnabled: false } }),
  "AuthConfig.limitWithoutSmtp": auth({ rateLimits: { emailSent: 5 }, smtp: { host: "" } }),
  "AuthConfig.secretsOfFunction": auth({
    hooks: { sendSms: { uri: "pg-functions://postgres/public/send", secrets: "v1,whsec_abc" } },
  }),
  "SigningKey.notAtFirst": { type: "SigningKey", is: { algorithm: "ES256", status: "revoked" } },
  "SsoProvider.metadataTwice": {
    type: "SsoProvider",
    is: { metadataXml: "<a/>", metadataUrl: "https://idp.example.com/metadata" },
  },
  "LogDrain.noKind": { type: "LogDrain", is: { name: "archive" } },
  "LogDrain.credentialsNotDeclared": {
    type: "LogDrain",
    was: { name: "archive", datadog: { region: "eu" } },
    is: { name: "archive", datadog: { region: "us" } },
    state: () => ({ __takenOver: true }),
  },
  "LogDrain.severalKinds": {
    type: "LogDrain",
    is: { name: "archive", datadog: { region: "eu" }, webhook: { url: "https://logs.example.com" } },
  },
  "ThirdPartyAuth.severalSources": {
    type: "ThirdPartyAuth",
    is: { oidcIssuerUrl: "https://id.example.com", jwksUrl: "https://id.example.com/jwks" },
  },
  "ThirdPartyAuth.privateKey": {
    type: "ThirdPartyAuth",
    is: { customJwks: { keys: [{ ...PUBLIC_KEY, d: "AQAB" }] } },
  },
  "ThirdPartyAuth.sharedSecret": {
    type: "ThirdPartyAuth",
    is: { customJwks: { keys: [{ kty: "oct", kid: "a", k: "AQAB" }] } },
  },
  "BillingAddon.isComputeSize": {
    type: "BillingAddon",
    is: { addonType: "compute_instance", variant: "ci_micro" },
  },
  "BillingAddon.ofAnotherType": { type: "BillingAddon", is: { addonType: "pitr", variant: "ipv4_default" } },
  "CryptoExtensionKey.keyChange": {
    type: "CryptoExtensionKey",
    was: { rootKey: "a".repeat(64) },
    is: { rootKey: "b".repeat(64) },
  },
  "Branch.notWithDiskSize": {
    type: "Branch",
    is: { name: "preview", diskSizeGb: 20, secrets: { PAYMENT_TOKEN: "one" } },
  },
  "Disk.cannotShrink": { type: "Disk", was: { sizeGb: 100 }, is: { sizeGb: 50 } },
  "Disk.noThroughput": { type: "Disk", is: { type: "io2", throughputMibps: 200 } },
  "JitUser.noCidrV4": {
    type: "JitUser",
    is: {
      userId: "0f8fad5b-d9cb-469f-a165-70867728950e",
      roles: [{ role: "postgres", allowedCidrs: ["here"] }],
    },
  },
  "JitUser.noCidrV6": {
    type: "JitUser",
    is: {
      userId: "0f8fad5b-d9cb-469f-a165-70867728950e",
      roles: [{ role: "postgres", allowedCidrsV6: ["here"] }],
    },
  },
  "JitUser.roleTwice": {
    type: "JitUser",
    is: {
      userId: "0f8fad5b-d9cb-469f-a165-70867728950e",
      roles: [{ role: "postgres" }, { role: "postgres" }],
    },
  },
  "JitUser.noPerson": { type: "JitUser", is: { roles: [{ role: "postgres" }] } },
  "JitUser.twoPersons": {
    type: "JitUser",
    is: {
      userId: "0f8fad5b-d9cb-469f-a165-70867728950e",
      email: "ana@example.com",
      roles: [{ role: "postgres" }],
    },
  },
  "MigrationSet.rowsForPsql": pending("copy a from stdin;\n1\n\\.\n"),
  "MigrationSet.psqlCommand": pending("\\connect shop\n"),
  "MigrationSet.ownTransaction": pending("select 1;\nrollback;\n"),
  "MigrationSet.neverClosed": pending("select 'open;\n"),
  "MigrationSet.standsAlone": pending("create table a (); create index concurrently b on a (c);"),
  "MigrationSet.rollbackInParts": migrations({
    [FIRST]: "create table first ();",
    [`rollbacks/${FIRST}`]: "begin; drop table first; commit; begin; select 1; commit;",
  }),
  "MigrationSet.rollbackAlone": migrations({
    [FIRST]: "create table first ();",
    [`rollbacks/${FIRST}`]: "drop index concurrently a;",
  }),
  "MigrationSet.rollbackByEndpoint": migrations(
    { [FIRST]: "create table first ();", [`rollbacks/${FIRST}`]: "drop index concurrently if exists a;" },
    { via: "migrations" },
  ),
  "MigrationSet.changed": grown({ filesAfter: { [FIRST]: "create table another ();" } }),
  "MigrationSet.renamed": grown({
    removed: [FIRST],
    filesAfter: { "20260101000000_another.sql": "create table first ();" },
  }),
  "MigrationSet.removed": grown({ removed: [FIRST], filesAfter: { [SECOND]: "create table second ();" } }),
  "MigrationSet.slippedIn": grown({ filesAfter: { "20250101000000_before.sql": "create table before ();" } }),
  "MigrationSet.noRollback": grown({ is: { ...folder, rollbackTo: "0" } }),
  "MigrationSet.otherVersion": grown({
    state: (inputs) => ({
      ...applied(),
      migrations: [
        ...(inputs["migrations"] as Values[]),
        { version: "20250102000000", name: "second", sha256: "b".repeat(64) },
      ],
      __others: [{ version: "20250102000000", name: "second", sha256: "b".repeat(64) }],
    }),
    filesAfter: { [SECOND]: "create table second ();" },
  }),
  "Migration.notItsVersion": { type: "Migration", is: { ...ONE, accept: ["20270101000000"] } },
  "Migration.versionStays": {
    type: "Migration",
    was: ONE,
    is: { ...ONE, version: "20270101000000" },
    state: applied,
  },
  "Migration.nothingToRollBack": { type: "Migration", is: { ...ONE, rollbackOnDelete: true } },
  "MigrationSet.unreadable": migrations({}, { directory: "<folder>/missing" }),
  "MigrationSet.misnamed": migrations({ "first.sql": "select 1;" }),
  "MigrationSet.noSuchExcluded": migrations({ [FIRST]: "select 1;" }, { exclude: ["queries.sql"] }),
  "MigrationSet.sameVersion": migrations({ [FIRST]: "select 1;", "20260101000000_b.sql": "select 2;" }),
  "MigrationSet.emptied": grown({ removed: [FIRST] }),
  "MigrationSet.downAlone": migrations({ "20260101000000_first.down.sql": "select 1;" }),
  "MigrationSet.twoRollbacks": migrations({
    [FIRST]: "select 1;",
    [`rollbacks/${FIRST}`]: "select 2;",
    "20260101000000_first.down.sql": "select 3;",
  }),
  "MigrationSet.noSuchVersion": migrations({ [FIRST]: "select 1;" }, { rollbackTo: "20270101000000" }),
  "MigrationSet.noSuchAccepted": migrations({ [FIRST]: "select 1;" }, { accept: ["20270101000000"] }),
  "MigrationSet.noSuchBaseline": migrations({ [FIRST]: "select 1;" }, { baseline: "20270101000000" }),
  "EdgeFunction.sourceTwice": {
    type: "EdgeFunction",
    is: { slug: "hello", sourceDir: "<folder>", files: { "index.ts": "export default 1;" } },
    files: { "index.ts": "export default 1;" },
  },
  "EdgeFunction.withoutSource": {
    type: "EdgeFunction",
    was: { slug: "hello", files: { "index.ts": "export default 1;" } },
    is: { slug: "hello", entrypointPath: "index.ts" },
    isImported: true,
  },
  "FunctionSet.unparsed": functions({ "functions/hello/index.ts": "const x = {{;" }),
  "FunctionSet.sourceTooLarge": functions({ "functions/hello/data.txt": "a".repeat(21 * 1024 * 1024) }),
  "FunctionSet.emptied": {
    ...functions({}),
    was: { sourceDir: "<folder>/functions" },
    removed: ["functions/hello"],
  },
  "FunctionSet.prunesAll": {
    ...functions({}, { sourceDir: "<folder>/none", prune: true }),
    files: { "none/.keep": "" },
  },
  "FunctionSet.noSlug": functions({ "functions/hosting.ts/index.ts": "export default 1;" }),
  "FunctionSet.noEntrypoint": {
    ...functions({ "functions/other/index.ts": "export default 1;" }),
    was: { sourceDir: "<folder>/functions" },
    removed: ["functions/hello/index.ts"],
    filesAfter: { "functions/hello/other.ts": "export default 1;" },
  },
  "FunctionSet.configFile": functions(
    { "config.toml": "[functions" },
    { configFile: "<folder>/config.toml" },
  ),
  "FunctionSet.configValue": functions(
    { "config.toml": '[functions.hello]\nverify_jwt = "yes"' },
    { configFile: "<folder>/config.toml" },
  ),
  "FunctionSet.configPath": functions(
    { "config.toml": '[functions.hello]\nimport_map = "../../../../etc/hosts"' },
    { configFile: "<folder>/config.toml" },
  ),
  "FunctionSet.configFromEnvironment": functions(
    { "config.toml": '[functions.hello]\nverify_jwt = "env(VERIFY)"' },
    { configFile: "<folder>/config.toml" },
  ),
  "FunctionSet.linkedFolder": functions({ "functions/linked": "-> hello" }),
  "FunctionSet.noFolder": functions({}, { only: ["missing"] }),
  "FunctionSet.unusableSource": functions({ "functions/hello/index.ts": 'import "./missing.ts";' }),
  "SecretSet.reservedName": {
    type: "SecretSet",
    is: { secrets: { ACME_URL: "a" } },
    env: { MANAGEMENT_NAMES: "<folder>/names.json" },
    files: { "names.json": '{ "reservedPrefixes": { "SVC_": "ACME_" } }' },
  },
  "SecretSet.nothingDeclared": { type: "SecretSet", is: {} },
  "SecretSet.unreadableFile": secrets("no assignment"),
  "SecretSet.notASecret": secrets(`${"A".repeat(300)}=b`),
  "AllowedCidr.noCidr": { type: "AllowedCidr", is: { cidr: "here" } },
  "NetworkRestrictions.nobodyAllowed": {
    type: "NetworkRestrictions",
    is: { allowedCidrs: [], allowedCidrsV6: [] },
  },
  "Organization.cannotBeRenamed": {
    type: "Organization",
    was: { name: "Acme" },
    is: { name: "Other" },
    hasNoProject: true,
  },
  "BackupRestore.notConfirmed": { type: "BackupRestore", is: { backupId: 1, confirm: "yes" } },
  "SqlScript.standsAlone": script({ query: "vacuum;" }),
  "SqlScript.notBeside": script({ query: "select 1; vacuum;" }),
  "SqlScript.unpaired": script({ query: "select 1; rollback;" }),
  "SqlScript.neverClosed": script({ query: "select 'open" }),
  "SqlScript.forPsql": script({ query: "\\connect shop" }),
  "SqlScript.undoStandsAlone": script({ onDelete: "vacuum;" }),
  "SqlScript.nothingToRecord": script({ readOnly: true, onDelete: "select 1;" }),
  "SqlScript.otherName": script({ adoptId: "another" }),
  "NetworkBanRemoval.nobody": { type: "NetworkBanRemoval", is: {} },
};

/** What an import refuses by its id alone; the plugin reads it in a preview. */
export const refusedImports: Readonly<Record<string, { readonly type: string; readonly id: string }>> = {
  "Secret.notAnImportId": { type: "Secret", id: "no reference" },
  "LoginRole.notImportable": { type: "LoginRole", id: "abcdefghijklmnopqrst/role" },
};

/** Arguments of functions that are refused without a call. */
export const refusedArguments: Readonly<Record<string, { readonly name: string; readonly args: Values }>> = {
  "getLogs.oneEnd": { name: "getLogs", args: { startTime: "2026-01-01T00:00:00Z" } },
  "getLogs.reversed": {
    name: "getLogs",
    args: { startTime: "2026-01-02T00:00:00Z", endTime: "2026-01-01T00:00:00Z" },
  },
  "getLogs.tooLong": {
    name: "getLogs",
    args: { startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-03T00:00:00Z" },
  },
};
