import { z } from "zod";
import { formed } from "../../../define/markers";
import {
  count,
  flag,
  text,
  textLike,
  type Beginning,
  type BodyField,
  type SettingsNamed,
} from "./field-kinds";

type External =
  | "external_anonymous_users_enabled"
  | "external_email_enabled"
  | "external_phone_enabled"
  | "external_web3_solana_enabled"
  | "external_web3_ethereum_enabled";

/** What belongs to no group: a field of the API that is in no group and not here does not compile. */
type General =
  | External
  | Exclude<
      BodyField,
      | Beginning<
          | "external_"
          | "smtp_"
          | "mailer_"
          | "mfa_"
          | "hook_"
          | "sessions_"
          | "rate_limit_"
          | "password_"
          | "security_"
          | "saml_"
          | "sms_"
          | "partner_oauth_"
          | "oauth_server_"
        >
      | "refresh_token_rotation_enabled"
      | "custom_oauth_enabled"
    >;

export const general = {
  siteUrl: textLike(
    formed(z.string().regex(/^[^,]+$/), "a URL without commas", "https://app.example.com").describe(
      "URL of the application, to which users return after signing in.",
    ),
  ),
  uriAllowList: text(
    "URLs to which users may be redirected, separated by commas; `*` and `**` are wildcards",
  ),
  disableSignup: flag("new users cannot sign up"),
  jwtExp: count("Lifetime of access tokens in seconds", 0, 604_800),
  externalAnonymousUsersEnabled: flag("users can sign in anonymously"),
  externalEmailEnabled: flag("users can sign in by email"),
  externalPhoneEnabled: flag("users can sign in by phone; requires an SMS provider or the hook `sendSms`"),
  externalWeb3SolanaEnabled: flag("users can sign in with a Solana wallet"),
  externalWeb3EthereumEnabled: flag("users can sign in with an Ethereum wallet"),
  apiMaxRequestDuration: z
    .int()
    .describe("Maximum duration in seconds of a request to the auth service.")
    .optional(),
  dbMaxPoolSize: z
    .int()
    .describe("Maximum number of database connections of the auth service, in `dbMaxPoolSizeUnit`.")
    .optional(),
  dbMaxPoolSizeUnit: z
    .enum(["connections", "percent"])
    .meta({ id: "AuthConfigPoolSizeUnit", description: "Unit of the size of a connection pool." })
    .describe("Unit of `dbMaxPoolSize`: `connections` or `percent` of all connections.")
    .optional(),
} satisfies SettingsNamed<General>;
