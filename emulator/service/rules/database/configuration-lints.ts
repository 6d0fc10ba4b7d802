import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { authConfigOf } from "../auth/auth-config-view";
import type { AuthConfig } from "../../world/records/auth";
import type { ProjectRecord } from "../../world/records/project";

export type Lint = OperationAnswer<Operations["getSecurityAdvisors"]>["lints"][number];

/** A look at how a project is configured. */
interface ConfigurationLint extends Pick<
  Lint,
  "name" | "title" | "level" | "description" | "detail" | "remediation"
> {
  readonly type: "auth" | "compliance";
  applies(project: ProjectRecord, auth: AuthConfig): boolean;
}

const LONGEST_OTP_SECONDS = 3_600;
const SHORTEST_OTP = 6;
const SHORTEST_PASSWORD = 8;

const configurationLints: readonly ConfigurationLint[] = [
  {
    name: "auth_otp_long_expiry",
    title: "Auth OTP long expiry",
    level: "WARN",
    type: "auth",
    description: "OTP expiry exceeds recommended threshold",
    detail: "The email provider is enabled with an OTP that is valid for more than an hour.",
    remediation: "Set mailer_otp_exp to at most 3600.",
    applies: (_project, { mailer_otp_exp: expiry }) => expiry > LONGEST_OTP_SECONDS,
  },
  {
    name: "auth_otp_short_length",
    title: "Auth OTP short length",
    level: "WARN",
    type: "auth",
    description: "OTP length is below the recommended threshold",
    detail: "The OTP of the email provider has fewer than 6 digits.",
    remediation: "Set mailer_otp_length to at least 6.",
    applies: (_project, { mailer_otp_length: length }) => length !== null && length < SHORTEST_OTP,
  },
  {
    name: "auth_leaked_password_protection",
    title: "Leaked password protection disabled",
    level: "WARN",
    type: "auth",
    description: "Leaked password protection is currently disabled.",
    detail: "Passwords are not compared with those that are known to be compromised.",
    remediation: "Set password_hibp_enabled.",
    applies: (_project, { password_hibp_enabled: isCompared }) => isCompared !== true,
  },
  {
    name: "password_requirements_min_length",
    title: "Password requirements: minimum length",
    level: "WARN",
    type: "auth",
    description: "Passwords may be shorter than recommended.",
    detail: "Passwords of fewer than 8 characters are accepted.",
    remediation: "Set password_min_length to at least 8.",
    applies: (_project, { password_min_length: length }) => (length ?? 0) < SHORTEST_PASSWORD,
  },
  {
    name: "auth_insufficient_mfa_options",
    title: "Insufficient MFA options",
    level: "WARN",
    type: "auth",
    description: "The project has too few options of multi-factor authentication enabled.",
    detail: "No kind of second factor can be verified.",
    remediation: "Enable TOTP, phone or WebAuthn as a second factor.",
    applies: (_project, auth) =>
      auth.mfa_totp_verify_enabled !== true &&
      auth.mfa_phone_verify_enabled !== true &&
      auth.mfa_web_authn_verify_enabled !== true,
  },
  {
    name: "ssl_not_enforced",
    title: "SSL not enforced",
    level: "WARN",
    type: "compliance",
    description: "The database accepts connections without encryption.",
    detail: "SSL enforcement of the project's database is off.",
    remediation: "Enforce SSL on the database.",
    applies: ({ sslEnforcement }) => !sslEnforcement.database,
  },
  {
    name: "network_restrictions_not_set",
    title: "Network restrictions not set",
    level: "INFO",
    type: "compliance",
    description: "The database can be reached from anywhere.",
    detail: "The project's network restrictions allow every address.",
    remediation: "Restrict the addresses that can reach the database.",
    applies: ({ network }) => {
      const { v4, v6 } = network.restrictions.config;
      return v4.includes("0.0.0.0/0") || v6.includes("::/0");
    },
  },
  {
    name: "pitr_not_enabled",
    title: "Point-in-time recovery not enabled",
    level: "INFO",
    type: "compliance",
    description: "The database can be taken back to its daily backups only.",
    detail: "The project has no point-in-time recovery.",
    remediation: "Select a variant of the add-on pitr.",
    applies: ({ addons }) => !addons.has("pitr"),
  },
];

/** What the configuration of a project gives reason to say. */
export function lintConfiguration(project: ProjectRecord): Lint[] {
  const auth = authConfigOf(project);
  return configurationLints
    .filter((lint) => lint.applies(project, auth))
    .map(({ name, title, level, type, description, detail, remediation }) => ({
      name,
      title,
      level,
      facing: "EXTERNAL",
      categories: ["SECURITY"],
      description,
      detail,
      remediation,
      metadata: { type, entity: type === "auth" ? "Auth" : "Project" },
      cache_key: name,
    }));
}
