import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { authConfigDefaults, viewAuthConfig } from "./auth-config-view";
import { requireUsable, type AuthConfigBody } from "./auth-config-rules";
import { sentFields } from "../shared/sent-fields";
import type { AuthConfig } from "../../world/records/auth";

const getAuthConfig: Handler<Operations["getAuthConfig"]> = ({ params, world }) =>
  viewAuthConfig(world, projectAt(world, params.ref));

const updateAuthConfig: Handler<Operations["updateAuthConfig"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref, "auth");
  const config = merged(project.auth.config, body);
  requireUsable(world, project, { ...authConfigDefaults, ...config }, body);
  project.auth.config = config;
  return { ...viewAuthConfig(world, project), ...untold(config) };
};

/** Where a read shows a default, the answer to a change has null (service, Auth configuration). */
function untold(config: Partial<AuthConfig>): Partial<AuthConfig> {
  const fields = ["sms_provider", "rate_limit_email_sent", "security_captcha_provider"] as const;
  return Object.fromEntries(
    fields.filter((field) => config[field] === undefined).map((field) => [field, null]),
  );
}

/** A change merges, and null resets a field (service, Auth configuration). */
function merged(config: Partial<AuthConfig>, body: AuthConfigBody): Partial<AuthConfig> {
  const sent = sentFields(body);
  const isReset = (field: string): boolean => Reflect.get(sent, field) === null;
  const kept = Object.entries({ ...config, ...sent }).filter(([field]) => !isReset(field));
  return { ...Object.fromEntries(kept), ...(body.smtp_host === "" ? emptiedSmtp() : {}) };
}

/** service, Values that come back changed: an empty host empties the whole group. */
function emptiedSmtp(): Partial<AuthConfig> {
  const fields = Object.keys(authConfigDefaults).filter((field) => field.startsWith("smtp_"));
  return Object.fromEntries(fields.map((field) => [field, null]));
}

export const authConfigHandlers = { getAuthConfig, updateAuthConfig };
