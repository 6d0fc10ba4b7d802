import type { z } from "zod";
import { shapeOf } from "../../../../spec/shape-of";
import { operations, type OperationName } from "../../../../spec/table";

/** Of the fields that hold text, those with a secret, by their name in the specification. */
export const SECRETS: readonly string[] = [
  "access_token",
  "api_key",
  "api_token",
  "client_secret",
  "code_verifier",
  "d",
  "db_pass",
  "dp",
  "dq",
  "external_idp01_secret",
  "external_idp02_secret",
  "external_idp03_secret",
  "external_idp04_secret",
  "external_idp05_secret",
  "external_idp06_secret",
  "external_idp07_secret",
  "external_idp08_secret",
  "external_idp09_secret",
  "external_idp10_secret",
  "external_idp11_secret",
  "external_idp12_secret",
  "external_idp13_secret",
  "external_idp14_secret",
  "external_idp15_secret",
  "external_idp16_secret",
  "external_idp17_secret",
  "external_idp18_secret",
  "external_idp19_secret",
  "external_idp20_secret",
  "external_idp21_secret",
  "hook_before_user_created_secrets",
  "hook_after_user_created_secrets",
  "hook_custom_access_token_secrets",
  "hook_mfa_verification_attempt_secrets",
  "hook_password_verification_attempt_secrets",
  "hook_send_email_secrets",
  "hook_send_sms_secrets",
  "jwt_secret",
  "k",
  "p",
  "partner_oauth_client_secret",
  "password",
  "q",
  "qi",
  "refresh_token",
  "root_key",
  "secret_access_key",
  "secrets.*",
  "security_captcha_secret",
  "signing_secret",
  "sms_vendorA_access_key",
  "sms_vendorB_api_key",
  "sms_vendorC_auth_token",
  "sms_vendorC_verify_auth_token",
  "sms_vendorD_api_key",
  "sms_vendorD_api_secret",
  "smtp_pass",
  "token",
];

/** Whose names look as if they held one. */
export const HARMLESS: readonly string[] = [
  "Idempotency-Key",
  "auth_id",
  "cache_key",
  "code_challenge",
  "code_challenge_method",
  "error_code",
  "fkey_name",
  "idempotency_key",
  "jwks_url",
  "key",
  "legacy_auth_custom_roles",
  "oauth_server_authorization_path",
  "partner_oauth_client_id",
  "password_required_characters",
  "token_alias",
  "webauthn_rp_display_name",
  "webauthn_rp_origins",
];

const LOOKS_SECRET = /pass|secret|token|key|jwt|jwk|credential|private|auth|cookie|signature|pwd|code/i;
/** Of these the place decides: a value is a secret or a DNS record, a code an authorization or an error, a key one of a log drain. */
export const BY_PLACE: readonly string[] = ["access_key_id", "cipher_key", "client_key", "code", "value"];

/** Names of all fields of requests and answers that hold text or anything, each with the operations that have it. */
export function textFields(): Map<string, Set<OperationName>> {
  const found = new Map<string, Set<OperationName>>();
  for (const [name, { body, params, query, headers, success }] of entries()) {
    for (const schema of [params, query, headers, success.schema, ...(body ? [body.schema] : [])]) {
      for (const field of textsIn(schema, "")) {
        const operationsWith = found.get(field) ?? new Set<OperationName>();
        found.set(field, operationsWith.add(name));
      }
    }
  }
  return found;
}

export function looksSecret(field: string): boolean {
  return LOOKS_SECRET.test(field) && !/^(?:mailer_|security_|sessions_|sms_template|rate_limit)/.test(field);
}

function entries(): [OperationName, (typeof operations)[OperationName]][] {
  // The keys of the table are its operation names, which `Object.entries` widens to string.
  return Object.entries(operations) as [OperationName, (typeof operations)[OperationName]][];
}

function* textsIn(schema: z.ZodType, name: string, depth = 0): Generator<string> {
  const shape = shapeOf(schema);
  if (depth > 10) return;
  const within = (child: z.ZodType, its = name): Generator<string> => textsIn(child, its, depth + 1);
  switch (shape.kind) {
    case "object":
      for (const [key, field] of Object.entries(shape.fields)) yield* within(field, key);
      return;
    case "record":
    case "map":
      yield* within(shape.values, `${name}.*`);
      return;
    case "array":
      yield* within(shape.element);
      return;
    case "union":
      for (const option of shape.options) yield* within(option);
      return;
    case "pipe":
      yield* within(shape.out);
      return;
    case "string":
      if (name !== "") yield name;
      return;
    default:
      return;
  }
}
