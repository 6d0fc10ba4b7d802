import { createHmac } from "node:crypto";
import { newerAuthConfigFields } from "../../../../spec/auth-config-fields";
import { authConfigResponse } from "../../../../spec/auth-config-response";
import { newAuthConfig } from "../../../../spec/new-project";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import type { AuthConfig } from "../../world/records/auth";
import type { ProjectRecord } from "../../world/records/project";

const unset = Object.fromEntries(
  Object.entries(authConfigResponse.shape)
    // What a newer service has beside them is added to the answer.
    .filter(([name]) => !Object.hasOwn(newerAuthConfigFields, name))
    .map(([name, schema]) => [name, schema.safeParse(false).success ? false : null]),
);

/** What a configuration is in which nothing was set. A test compares it with the table, which the compiler cannot. */
export const authConfigDefaults = { ...unset, ...newAuthConfig } as AuthConfig;

type AuthConfigField = keyof AuthConfig;

/** What stands beside each of the vendors' keys and senders names an account, which is no secret. */
const secret =
  /^(smtp_pass|security_captcha_secret|partner_oauth_client_secret|hook_\w+_secrets|external_\w+_secret|sms_vendor(A_access_key|B_api_key|C_auth_token|C_verify_auth_token|D_api_secret))$/;

// The keys of this object are the fields, which `Object.keys` widens to string.
const fields = Object.keys(authConfigDefaults) as AuthConfigField[];
const secretFields = fields.filter((field) => secret.test(field));

/** The configuration in force, in clear. */
export function authConfigOf(project: ProjectRecord): AuthConfig {
  return { ...authConfigDefaults, ...project.auth.config };
}

/** As it is answered. */
export function viewAuthConfig({ state }: World, project: ProjectRecord): AuthConfig {
  const config = authConfigOf(project);
  const view = { ...config, ...masked(project.ref, config) };
  // As recorded: an emptied rule for passwords is none.
  if (isAsMeasured(state) && view.password_required_characters === "")
    view.password_required_characters = null;
  return state.auth.additionalClientIdsFolded ? { ...view, ...folded(config) } : view;
}

/** A secret comes back as its HMAC under the project's ref (service, Values that come back changed). */
function masked(ref: string, config: AuthConfig): Partial<AuthConfig> {
  return Object.fromEntries(
    secretFields.map((field) => {
      const value = config[field];
      const isSet = typeof value === "string" && value !== "";
      return [field, isSet ? createHmac("sha256", ref).update(value).digest("hex") : value];
    }),
  );
}

/** service, Values that come back changed: `additional_client_ids`. */
function folded(config: AuthConfig): Partial<AuthConfig> {
  const join = (id: string | null, more: string | null): string | null =>
    more === null || more === "" ? id : [id, more].filter(Boolean).join(",");
  return {
    external_idp01_client_id: join(
      config.external_idp01_client_id,
      config.external_idp01_additional_client_ids,
    ),
    external_idp01_additional_client_ids: null,
    external_idp09_client_id: join(
      config.external_idp09_client_id,
      config.external_idp09_additional_client_ids,
    ),
    external_idp09_additional_client_ids: null,
  };
}
