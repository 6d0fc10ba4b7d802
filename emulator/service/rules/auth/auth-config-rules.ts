import type { z } from "zod";
import type { updateAuthConfigBody } from "../../../../spec/auth-config-body";
import { InvalidRequest, type RequestIssue } from "../../answers/invalid-request";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import type { AuthConfig } from "../../world/records/auth";
import type { ProjectRecord } from "../../world/records/project";

export type AuthConfigBody = z.output<typeof updateAuthConfigBody>;
type AuthBodyField = keyof AuthConfigBody;

const slots = Array.from({ length: 21 }, (_, index) => String(index + 1).padStart(2, "0"));
const hooks = [
  "custom_access_token",
  "mfa_verification_attempt",
  "password_verification_attempt",
  "send_sms",
  "send_email",
  "before_user_created",
  "after_user_created",
] as const;

/** What must be set before a flag can be. */
const needs: readonly (readonly [flag: AuthBodyField, ...needed: AuthBodyField[]])[] = [
  ["security_captcha_enabled", "security_captcha_provider", "security_captcha_secret"],
  ...hooks.map((hook) => [`hook_${hook}_enabled`, `hook_${hook}_uri`] as const),
  // All slots have these three, which a list of texts cannot say.
  ...(slots.map((slot) => ["enabled", "client_id", "secret"].map((end) => `external_idp${slot}_${end}`)) as [
    AuthBodyField,
    AuthBodyField,
    AuthBodyField,
  ][]),
];

/** The native clients of a provider that takes further client ids need no secret (service, Auth configuration). */
function withoutNativeSecret(need: (typeof needs)[number]): (typeof needs)[number] {
  const [flag, ...needed] = need;
  return /^external_idp(?:01|09)_enabled$/.test(flag)
    ? [flag, ...needed.filter((field) => !field.endsWith("_secret"))]
    : need;
}

/** The settings that each SMS vendor needs. */
const credentials: Readonly<Record<NonNullable<AuthConfig["sms_provider"]>, readonly AuthBodyField[]>> = {
  vendorA: ["sms_vendorA_access_key", "sms_vendorA_originator"],
  vendorB: ["sms_vendorB_api_key", "sms_vendorB_sender"],
  vendorC: ["sms_vendorC_account_sid", "sms_vendorC_auth_token", "sms_vendorC_message_service_sid"],
  vendorC_verify: [
    "sms_vendorC_verify_account_sid",
    "sms_vendorC_verify_auth_token",
    "sms_vendorC_verify_message_service_sid",
  ],
  vendorD: ["sms_vendorD_api_key", "sms_vendorD_api_secret", "sms_vendorD_from"],
};

/**
 * Refuses a configuration that could not work. Unknown which of these the service checks: here all that a user would
 * want to hear of, as far as the change concerns them, so that what was wrong before does not block other changes.
 */
export function requireUsable(
  { state }: World,
  project: ProjectRecord,
  config: AuthConfig,
  body: AuthConfigBody,
): void {
  const all = isAsMeasured(state) ? needs.map(withoutNativeSecret) : needs;
  const faults = [
    ...all.flatMap((need) => lackOf(config, body, need)),
    ...smsFaults(config, body),
    ...mfaFaults(project, body),
    ...urlFaults(body),
  ];
  if (faults.length > 0) throw new InvalidRequest(faults);
}

function lackOf(
  config: AuthConfig,
  body: AuthConfigBody,
  [flag, ...needed]: (typeof needs)[number],
): RequestIssue[] {
  if (config[flag] !== true || !isConcerned(body, [flag, ...needed])) return [];
  const lacking = missing(config, needed);
  return lacking.length === 0
    ? []
    : [{ path: flag, message: `cannot be true without ${lacking.join(" and ")}` }];
}

/** A phone needs somebody who sends: a vendor, or the hook in its place. */
function smsFaults(config: AuthConfig, body: AuthConfigBody): RequestIssue[] {
  const { sms_provider: provider } = config;
  const needed: readonly AuthBodyField[] = provider === null ? ["sms_provider"] : credentials[provider];
  const isConcern = isConcerned(body, [
    "external_phone_enabled",
    "hook_send_sms_enabled",
    "sms_provider",
    ...needed,
  ]);
  if (!isConcern || config.external_phone_enabled !== true || config.hook_send_sms_enabled === true)
    return [];
  const lacking = missing(config, needed);
  if (lacking.length === 0) return [];
  const message = `the SMS provider ${provider ?? ""} lacks ${lacking.join(" and ")}`;
  return [{ path: "external_phone_enabled", message }];
}

/** Factors that are paid for apart (service, Billing add-ons). */
function mfaFaults({ addons }: ProjectRecord, body: AuthConfigBody): RequestIssue[] {
  const factors = [
    ["auth_mfa_phone", "mfa_phone_enroll_enabled", "mfa_phone_verify_enabled"],
    ["auth_mfa_web_authn", "mfa_web_authn_enroll_enabled", "mfa_web_authn_verify_enabled"],
  ] as const;
  return factors.flatMap(([addon, ...flags]) =>
    addons.has(addon)
      ? []
      : flags
          .filter((flag) => body[flag] === true)
          .map((flag) => ({ path: flag, message: `needs the add-on ${addon}` })),
  );
}

function isConcerned(body: AuthConfigBody, fields: readonly AuthBodyField[]): boolean {
  return fields.some((field) => body[field] !== undefined);
}

function missing(config: AuthConfig, fields: readonly AuthBodyField[]): AuthBodyField[] {
  return fields.filter((field) => config[field] === null || config[field] === "");
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** What is wrong with the addresses that a change of the auth configuration sets. */
function urlFaults(body: AuthConfigBody): RequestIssue[] {
  return [
    ...fault("site_url", body.site_url, (text) => URL.canParse(text), "is not a URL"),
    ...fault("saml_external_url", body.saml_external_url, isWeb, "is not an http or https URL"),
    ...fault("smtp_port", body.smtp_port, isPort, "is not a port number"),
    ...fault("uri_allow_list", body.uri_allow_list, isAllowList, "is not a comma-separated list of URLs"),
    ...Object.entries(body)
      .filter(([field]) => /^hook_\w+_uri$/.test(field))
      .flatMap(([field, uri]) =>
        fault(
          field,
          uri,
          isHookUri,
          "is neither an https URL nor pg-functions://postgres/<schema>/<function>",
        ),
      ),
  ];
}

/** Null and the empty text take a value away. */
function fault(
  field: string,
  value: unknown,
  isFine: (text: string) => boolean,
  otherwise: string,
): RequestIssue[] {
  if (typeof value !== "string" || value === "" || isFine(value)) return [];
  return [{ path: field, message: `"${value}" ${otherwise}` }];
}

function isWeb(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/** Wildcards stand anywhere: `https://*.example.com/**`. */
function isAllowList(text: string): boolean {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.every((entry) => entry === "" || /^[a-z][a-z0-9+.-]*:\S+$/i.test(entry));
}

/** Postgres functions, or the web; unencrypted only on the machine itself. */
function isHookUri(text: string): boolean {
  if (/^pg-functions:\/\/postgres\/\w+\/\w+$/.test(text)) return true;
  if (!isWeb(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || loopback.has(hostname);
}
