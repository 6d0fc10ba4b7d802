import { updatePostgresConfigBody } from "../../spec/operations/database";

/** Which generation of the platform's tool knows a key, where not both do. */
export type Generation = 2 | 3;

const HOOKS = [
  "custom_access_token",
  "send_sms",
  "send_email",
  "mfa_verification_attempt",
  "password_verification_attempt",
  "before_user_created",
] as const;

const TEMPLATES = [
  "invite",
  "confirmation",
  "recovery",
  "magic_link",
  "email_change",
  "reauthentication",
] as const;

const NOTIFICATIONS = [
  "password_changed",
  "email_changed",
  "phone_changed",
  "mfa_factor_enrolled",
  "mfa_factor_unenrolled",
  "identity_linked",
  "identity_unlinked",
] as const;

const SLOTS = Array.from({ length: 21 }, (_, index) => `idp${String(index + 1).padStart(2, "0")}`);

/** Each vendor's members, in the order in which the tool looks for the one that is enabled. */
const VENDORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  vendorC: {
    account_sid: "sms_vendorC_account_sid",
    message_service_sid: "sms_vendorC_message_service_sid",
    content_sid: "sms_vendorC_content_sid",
    auth_token: "sms_vendorC_auth_token",
  },
  vendorC_verify: {
    account_sid: "sms_vendorC_verify_account_sid",
    message_service_sid: "sms_vendorC_verify_message_service_sid",
    auth_token: "sms_vendorC_verify_auth_token",
  },
  vendorA: { originator: "sms_vendorA_originator", access_key: "sms_vendorA_access_key" },
  vendorB: { sender: "sms_vendorB_sender", api_key: "sms_vendorB_api_key" },
  vendorD: {
    from: "sms_vendorD_from",
    api_key: "sms_vendorD_api_key",
    api_secret: "sms_vendorD_api_secret",
  },
};

const THIRD_PARTIES: Readonly<Record<string, readonly string[]>> = {
  tpa1: ["project_id"],
  tpa2: ["tenant", "tenant_region"],
  tpa3: ["user_pool_id", "user_pool_region"],
  tpa4: ["domain"],
  tpa5: ["issuer_url"],
};

/** What the file's value is on the wire. */
export type Conversion = "joined" | "inverted" | "seconds" | "hours" | "characters" | "size";

/** A key that is a field of the API by itself, below its section. */
export interface FieldKey {
  readonly key: string;
  readonly kind: "string" | "number" | "boolean" | "list";
  readonly wire: string;
  readonly as?: Conversion;
  /** The generation that pushes it, where not both do. */
  readonly pushedBy?: Generation;
}

function field(
  key: string,
  kind: FieldKey["kind"],
  wire: string,
  more: Pick<FieldKey, "as" | "pushedBy"> = {},
): FieldKey {
  return { key, kind, wire, ...more };
}

const flag = (key: string, wire: string): FieldKey => field(key, "boolean", wire);
const count = (key: string, wire: string): FieldKey => field(key, "number", wire);
const text = (key: string, wire: string): FieldKey => field(key, "string", wire);

/** Keys of `[auth]` that stand for one field each, whatever else the file says. */
const AUTH: readonly FieldKey[] = [
  text("site_url", "site_url"),
  field("additional_redirect_urls", "list", "uri_allow_list", { as: "joined" }),
  count("jwt_expiry", "jwt_exp"),
  field("enable_signup", "boolean", "disable_signup", { as: "inverted" }),
  flag("enable_anonymous_sign_ins", "external_anonymous_users_enabled"),
  flag("enable_manual_linking", "security_manual_linking_enabled"),
  flag("enable_refresh_token_rotation", "refresh_token_rotation_enabled"),
  count("refresh_token_reuse_interval", "security_refresh_token_reuse_interval"),
  count("minimum_password_length", "password_min_length"),
  field("password_requirements", "string", "password_required_characters", { as: "characters" }),
  field("passkey.enabled", "boolean", "passkey_enabled", { pushedBy: 2 }),
  field("webauthn.rp_display_name", "string", "webauthn_rp_display_name", { pushedBy: 2 }),
  field("webauthn.rp_id", "string", "webauthn_rp_id", { pushedBy: 2 }),
  field("webauthn.rp_origins", "list", "webauthn_rp_origins", { as: "joined", pushedBy: 2 }),
  ...["sms_sent", "anonymous_users", "token_refresh", "web3"].map((key) =>
    count(`rate_limit.${key}`, `rate_limit_${key}`),
  ),
  count("rate_limit.sign_in_sign_ups", "rate_limit_otp"),
  count("rate_limit.token_verifications", "rate_limit_verify"),
  count("mfa.max_enrolled_factors", "mfa_max_enrolled_factors"),
  ...["totp", "phone", "web_authn"].flatMap((factor) =>
    ["enroll_enabled", "verify_enabled"].map((key) => flag(`mfa.${factor}.${key}`, `mfa_${factor}_${key}`)),
  ),
  count("mfa.phone.otp_length", "mfa_phone_otp_length"),
  text("mfa.phone.template", "mfa_phone_template"),
  field("mfa.phone.max_frequency", "string", "mfa_phone_max_frequency", { as: "seconds" }),
  field("sessions.timebox", "string", "sessions_timebox", { as: "hours" }),
  field("sessions.inactivity_timeout", "string", "sessions_inactivity_timeout", { as: "hours" }),
  flag("email.double_confirm_changes", "mailer_secure_email_change_enabled"),
  field("email.enable_confirmations", "boolean", "mailer_autoconfirm", { as: "inverted" }),
  flag("email.secure_password_change", "security_update_password_require_reauthentication"),
  field("email.require_current_password", "boolean", "security_update_password_require_current_password", {
    pushedBy: 3,
  }),
  field("email.max_frequency", "string", "smtp_max_frequency", { as: "seconds" }),
  count("email.otp_length", "mailer_otp_length"),
  count("email.otp_expiry", "mailer_otp_exp"),
  text("sms.template", "sms_template"),
  field("sms.max_frequency", "string", "sms_max_frequency", { as: "seconds" }),
  field("sms.otp_length", "number", "sms_otp_length", { pushedBy: 3 }),
  field("sms.otp_expiry", "number", "sms_otp_exp", { pushedBy: 3 }),
  flag("web3.solana.enabled", "external_web3_solana_enabled"),
  flag("web3.ethereum.enabled", "external_web3_ethereum_enabled"),
  field("oauth_server.enabled", "boolean", "oauth_server_enabled", { pushedBy: 3 }),
  field("oauth_server.allow_dynamic_registration", "boolean", "oauth_server_allow_dynamic_registration", {
    pushedBy: 3,
  }),
  field("oauth_server.authorization_url_path", "string", "oauth_server_authorization_path", { pushedBy: 3 }),
];

/** Settings of Postgres that the tool has no key for. */
const NOT_IN_FILE = ["checkpoint_timeout", "hot_standby_feedback", "restart_database"];

const POSTGRES: readonly string[] = Object.keys(updatePostgresConfigBody.shape).filter(
  (key) => !NOT_IN_FILE.includes(key),
);

const EXTERNAL_MEMBERS = [
  "enabled",
  "client_id",
  "secret",
  "email_optional",
  "url",
  "skip_nonce_check",
  "redirect_uri",
];

const CHECKS = [
  "rls_disabled_in_public",
  "rls_enabled_no_policy",
  "policy_exists_rls_disabled",
  "security_definer_view",
  "rls_policy_always_true",
  "sensitive_columns_exposed",
  "auth_users_exposed",
  "function_search_path_mutable",
  "rls_references_user_metadata",
];

const prefixKeys = (section: string, keys: readonly string[]): string[] =>
  keys.map((key) => `${section}.${key}`);

/** Keys of both generations; `*` stands for a name that the user chose. */
const KEYS: readonly string[] = [
  "project_id",
  ...prefixKeys("api", ["enabled", "schemas", "extra_search_path", "max_rows", "auto_expose_new_tables"]),
  ...prefixKeys("api", ["port", "external_url", "tls.enabled", "tls.cert_path", "tls.key_path"]),
  ...prefixKeys("realtime", ["enabled", "ip_version", "max_header_length"]),
  ...prefixKeys("studio", ["enabled", "port", "api_url", "openai_api_key"]),
  ...["local_smtp", "former_local_smtp"].flatMap((section) =>
    prefixKeys(section, ["enabled", "port", "smtp_port", "pop3_port", "admin_email", "sender_name"]),
  ),
  ...prefixKeys("analytics", ["enabled", "port", "backend", "vector_port"]),
  ...prefixKeys("analytics", ["gcp_project_id", "gcp_project_number", "gcp_jwt_path"]),
  ...prefixKeys("db", ["port", "shadow_port", "health_timeout", "root_key", "major_version"]),
  ...prefixKeys("db.pooler", ["enabled", "port", "pool_mode", "default_pool_size", "max_client_conn"]),
  ...prefixKeys("db.migrations", ["enabled", "schema_paths"]),
  ...prefixKeys("db.seed", ["enabled", "sql_paths"]),
  ...prefixKeys("db.settings", POSTGRES),
  ...prefixKeys("db.network_restrictions", ["enabled", "allowed_cidrs", "allowed_cidrs_v6"]),
  "db.ssl_enforcement.enabled",
  "db.vault.*",
  ...prefixKeys("storage", [
    "enabled",
    "file_size_limit",
    "image_transformation.enabled",
    "s3_protocol.enabled",
  ]),
  ...prefixKeys("storage.analytics", [
    "enabled",
    "max_namespaces",
    "max_tables",
    "max_catalogs",
    "buckets.*",
  ]),
  ...prefixKeys("storage.vector", ["enabled", "max_buckets", "max_indexes", "buckets.*"]),
  ...prefixKeys("storage.buckets.*", ["public", "file_size_limit", "allowed_mime_types", "objects_path"]),
  "auth.enabled",
  ...prefixKeys(
    "auth",
    AUTH.filter(({ pushedBy }) => pushedBy !== 3).map(({ key }) => key),
  ),
  ...prefixKeys("auth.oauth_server", ["enabled", "allow_dynamic_registration", "authorization_url_path"]),
  "auth.rate_limit.email_sent",
  ...prefixKeys("auth.captcha", ["enabled", "provider", "secret"]),
  ...HOOKS.flatMap((hook) => prefixKeys(`auth.hook.${hook}`, ["enabled", "uri", "secrets"])),
  "auth.email.enable_signup",
  ...prefixKeys("auth.email.smtp", ["enabled", "host", "port", "user", "pass", "admin_email", "sender_name"]),
  ...prefixKeys("auth.email.template.*", ["subject", "content_path"]),
  ...prefixKeys("auth.email.notification.*", ["enabled", "subject", "content_path"]),
  ...prefixKeys("auth.sms", ["enable_signup", "enable_confirmations", "test_otp.*"]),
  ...Object.entries(VENDORS).flatMap(([vendor, members]) =>
    prefixKeys(
      `auth.sms.${vendor}`,
      ["enabled", ...Object.keys(members)].filter((key) => key !== "content_sid"),
    ),
  ),
  ...[...SLOTS, "former_provider"].flatMap((slot) => prefixKeys(`auth.external.${slot}`, EXTERNAL_MEMBERS)),
  ...Object.entries(THIRD_PARTIES).flatMap(([party, members]) =>
    prefixKeys(`auth.third_party.${party}`, ["enabled", ...members]),
  ),
  ...prefixKeys("auth", ["external_url", "jwt_issuer", "signing_keys_path", "publishable_key", "secret_key"]),
  ...prefixKeys("auth", ["jwt_secret", "anon_key", "service_role_key"]),
  ...prefixKeys("functions.*", ["enabled", "verify_jwt", "import_map", "entrypoint", "static_files"]),
  ...prefixKeys("edge_runtime", ["enabled", "policy", "inspector_port", "deno_version", "secrets.*"]),
  ...prefixKeys("experimental", ["webhooks.enabled", "engine_version", "s3_host", "s3_region"]),
  ...prefixKeys("experimental", ["s3_access_key", "s3_secret_key", "inspect.rules"]),
  ...prefixKeys("experimental.differ", ["enabled", "declarative_schema_path", "format_options"]),
];

/** Keys that generation 3 alone knows: a file that has one is of it. */
const NEWER_KEYS: readonly string[] = [
  "db.engine_version",
  ...prefixKeys("db.migrations.checks", CHECKS),
  ...prefixKeys("db.migrations.checks.exclude", CHECKS),
  "auth.email.enabled",
  "auth.sms.enabled",
  ...prefixKeys(
    "auth",
    AUTH.filter(({ pushedBy, key }) => pushedBy === 3 && !key.startsWith("oauth_server.")).map(
      ({ key }) => key,
    ),
  ),
  "auth.sms.vendorC.content_sid",
  "functions.*.env.*",
  "local.services.*.version",
  ...prefixKeys("compute.*", ["runtime", "size", "exposure", "instances", "source", "exclude"]),
  ...prefixKeys("experimental", ["stack", "compute"]),
];

export const configKeys = {
  auth: AUTH,
  postgres: POSTGRES,
  hooks: HOOKS,
  templates: TEMPLATES,
  notifications: NOTIFICATIONS,
  slots: SLOTS,
  vendors: VENDORS,
  thirdParties: THIRD_PARTIES,
  all: KEYS,
  newer: NEWER_KEYS,
};

/** Whether a key is among those, where `*` stands for any one name. */
export function isAmong(patterns: readonly string[], path: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const parts = pattern.split(".");
    return parts.length === path.length && parts.every((part, index) => part === "*" || part === path[index]);
  });
}
