import { z } from "zod";
import { updateAuthConfigBody } from "../../../../spec/auth-config-body";
import { openEnum } from "../../../define/open-values";
import { formed } from "../../../define/markers";
import { external } from "./external-settings";
import {
  count,
  flag,
  group,
  secretText,
  text,
  textLike,
  type PrefixedField,
  type BodyField,
  type NamedFieldSettings,
  type PrefixSettings,
} from "./field-kinds";
import { mailer, smtp } from "./mail-settings";
import { sms } from "./sms-settings";

type ExternalFlag =
  | "external_anonymous_users_enabled"
  | "external_email_enabled"
  | "external_phone_enabled"
  | "external_web3_solana_enabled"
  | "external_web3_ethereum_enabled";

/** What belongs to no group: a field of the API that is in no group and not here does not compile. */
type GeneralField =
  | ExternalFlag
  | Exclude<
      BodyField,
      | PrefixedField<
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
          | "webauthn_"
        >
      | "refresh_token_rotation_enabled"
      | "custom_oauth_enabled"
    >;

const general = {
  siteUrl: textLike(
    formed(z.string().regex(/^[^,]+$/), "a URL without commas", "https://app.example.com").describe(
      "URL of the application, to which users return after sign-in.",
    ),
  ),
  uriAllowList: text(
    "URLs to which users may be redirected, separated by commas; `*` and `**` are wildcards",
  ),
  disableSignup: flag("new users cannot sign up"),
  jwtExp: count("Lifetime of access tokens, in seconds", 0, 604_800),
  externalAnonymousUsersEnabled: flag("users can sign in anonymously"),
  externalEmailEnabled: flag("users can sign in by email"),
  externalPhoneEnabled: flag("users can sign in by phone; requires an SMS provider or the hook `sendSms`"),
  externalWeb3SolanaEnabled: flag("users can sign in with a Solana wallet"),
  externalWeb3EthereumEnabled: flag("users can sign in with an Ethereum wallet"),
  passkeyEnabled: flag("users can sign in with a passkey. Older services do not have this setting"),
  apiMaxRequestDuration: z.int().describe("Timeout of a request to the auth service, in seconds.").optional(),
  dbMaxPoolSize: z
    .int()
    .describe("Maximum number of database connections of the auth service, in `dbMaxPoolSizeUnit`.")
    .optional(),
  dbMaxPoolSizeUnit: z
    .enum(["connections", "percent"])
    .meta({ id: "AuthConfigPoolSizeUnit", description: "Unit of the size of a connection pool." })
    .describe("Unit of `dbMaxPoolSize`: `connections` or `percent` of all connections.")
    .optional(),
} satisfies NamedFieldSettings<GeneralField>;

const { shape } = updateAuthConfigBody;

const mfa = {
  maxEnrolledFactors: count("Maximum number of factors that a user can enroll"),
  totpEnrollEnabled: flag("users can enroll an authenticator application"),
  totpVerifyEnabled: flag("users can sign in with an authenticator application"),
  webAuthnEnrollEnabled: flag("users can enroll a WebAuthn factor; requires the add-on `auth_mfa_web_authn`"),
  webAuthnVerifyEnabled: flag(
    "users can sign in with a WebAuthn factor; requires the add-on `auth_mfa_web_authn`",
  ),
  phoneEnrollEnabled: flag("users can enroll a phone as a factor; requires the add-on `auth_mfa_phone`"),
  phoneVerifyEnabled: flag(
    "users can sign in with a phone as a factor; requires the add-on `auth_mfa_phone`",
  ),
  phoneMaxFrequency: count("Minimum time between two codes to the same phone, in seconds", 0, 32_767),
  phoneOtpLength: count("Number of digits of a code", 0, 32_767),
  phoneTemplate: text("Text of the message; `{{ .Code }}` is the code"),
} satisfies PrefixSettings<"mfa_">;

const webAuthn = {
  rpDisplayName: text("Name of the application that browsers show when a user registers a passkey"),
  rpId: textLike(
    formed(
      z.string().regex(/^[^\s/:,]*$/),
      "a domain name without scheme, port and path",
      "example.com",
    ).describe(
      "Domain to which passkeys belong: that of the application or one above it, without scheme and port. After a change, passkeys that users have registered no longer work.",
    ),
  ),
  rpOrigins: text(
    "Origins from which passkeys can be used, separated by commas, such as `https://app.example.com`",
  ),
} satisfies PrefixSettings<"webauthn_">;

/** Fractions are allowed (service, Auth configuration). */
const hours = (description: string) => z.number().min(0).describe(description).optional();

const sessions = {
  timebox: hours("Maximum lifetime of a session in hours, such as `24` or `0.5`; 0 means no limit."),
  inactivityTimeout: hours("Time after which an unused session ends, in hours; 0 means never."),
  singlePerUser: flag("a user has only one session, so that a sign-in ends the previous one"),
  tags: textLike(
    formed(
      shape.sessions_tags.unwrap().unwrap(),
      "words of letters, digits, `-` and `_`, separated by commas",
      "web, mobile",
    ).describe(
      "Tags of clients that each have a separate session if `singlePerUser` is set, separated by commas.",
    ),
  ),
} satisfies PrefixSettings<"sessions_">;

const userGroups = {
  mfa: group("Mfa", "Multi-factor authentication.", mfa),
  webAuthn: group(
    "WebAuthn",
    "The application as browsers know it when they register and use passkeys. Older services do not have these settings.",
    webAuthn,
  ),
  sessions: group("Sessions", "Lifetime of sessions.", sessions),
};

const fields = {
  enabled: flag("the hook is called; requires `uri`"),
  uri: text("Target of the hook: an `https` URL, or `pg-functions://postgres/<schema>/<function>`"),
  secrets: secretText("Secrets that sign calls to an `https` URL, separated by `|`"),
} satisfies PrefixSettings<"hook_send_sms_">;

const hook = group("Hook", "A hook of the auth service.", fields);

/** Every hook, by the flag that each has. */
type HookSettings = {
  readonly [K in keyof PrefixSettings<"hook_"> as K extends `${infer Hook}Enabled` ? Hook : never]: z.ZodType;
};

const hooks = group(
  "Hooks",
  "Hooks: functions that the auth service calls to make decisions or send messages.",
  {
    customAccessToken: hook,
    mfaVerificationAttempt: hook,
    passwordVerificationAttempt: hook,
    sendSms: hook,
    sendEmail: hook,
    beforeUserCreated: hook,
    afterUserCreated: hook,
  } satisfies HookSettings,
);

const rateLimits = {
  anonymousUsers: count("Anonymous sign-ins per hour and IP address", 1),
  emailSent: count("Emails sent per hour", 1),
  smsSent: count("Text messages sent per hour", 1),
  verify: count("Verifications of codes and links per five minutes and IP address", 1),
  tokenRefresh: count("Refreshes of tokens per five minutes and IP address", 1),
  otp: count("Requests for a one-time password per five minutes and IP address", 1),
  web3: count("Wallet sign-ins per five minutes and IP address", 1),
} satisfies PrefixSettings<"rate_limit_">;

const password = {
  minLength: count("Minimum length of a password", 6, 32_767),
  hibpEnabled: flag("leaked passwords are rejected"),
  requiredCharacters: textLike(
    openEnum(
      shape.password_required_characters
        .unwrap()
        .unwrap()
        .meta({
          id: "AuthConfigRequiredCharacters",
          description: "Classes of characters that a password needs, separated by `:`.",
          valueNames: {
            "": "None",
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789": "LettersDigits",
            "abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789": "LowerUpperLettersDigits",
            "abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789:!@#$%^&*()_+-=[]{};'\\\\:\"|<>?,./`~":
              "LowerUpperLettersDigitsSymbols",
          },
        }),
    ).describe(
      "Classes of characters, separated by `:`. A password needs one character of each. Empty for none.",
    ),
  ),
} satisfies PrefixSettings<"password_">;

const security = {
  captchaEnabled: flag(
    "a captcha protects sign-in and sign-up; requires `captchaProvider` and `captchaSecret`",
  ),
  captchaProvider: openEnum(
    z
      .enum(["turnstile", "hcaptcha"])
      .meta({ id: "AuthConfigCaptchaProvider", description: "Provider of the captcha." }),
  )
    .describe("Provider of the captcha: `turnstile` or `hcaptcha`.")
    .optional(),
  captchaSecret: secretText("Secret key of the captcha"),
  manualLinkingEnabled: flag("users can link identities to their accounts"),
  refreshTokenRotationEnabled: flag("each refresh token can be used once"),
  refreshTokenReuseInterval: count("Time during which a used refresh token is still accepted, in seconds"),
  updatePasswordRequireReauthentication: flag("changing a password requires a recent sign-in"),
  svcForwardedForEnabled: flag("the client address is read from the forwarding header of trusted callers"),
} satisfies PrefixSettings<"security_"> & NamedFieldSettings<"refresh_token_rotation_enabled">;

const protectionGroups = {
  rateLimits: group("RateLimits", "Rate limits of the auth service.", rateLimits),
  password: group("Password", "Password requirements.", password),
  security: group("Security", "Captcha, refresh tokens and reauthentication.", security),
};

const saml = {
  enabled: flag("users can sign in with SAML"),
  externalUrl: textLike(
    formed(z.string().regex(/^[^,]+$/), "a URL without commas", "https://auth.example.com").describe(
      "URL by which identity providers know the service, if it is not the project's own.",
    ),
  ),
} satisfies PrefixSettings<"saml_">;

const partnerOauth = {
  clientId: text("Client id at the partner"),
  clientSecret: secretText("Client secret at the partner"),
} satisfies PrefixSettings<"partner_oauth_">;

const oauthServer = {
  enabled: flag("the project is an OAuth server for other applications"),
  allowDynamicRegistration: flag("applications can register themselves"),
  authorizationPath: text("Path below `siteUrl` of the consent page"),
  customOauthEnabled: flag("additional OAuth providers can be configured"),
} satisfies PrefixSettings<"oauth_server_"> & NamedFieldSettings<"custom_oauth_enabled">;

const federationGroups = {
  saml: group("Saml", "SAML sign-in.", saml),
  partnerOauth: group("PartnerOauth", "Sign-in with the partner.", partnerOauth),
  oauthServer: group("OauthServer", "The project as an OAuth server.", oauthServer),
};

/** The settings by their property names. */
export const authSettings = {
  ...general,
  smtp,
  mailer,
  ...userGroups,
  hooks,
  ...protectionGroups,
  sms,
  external,
  ...federationGroups,
};

/** What does not follow from a property's path; of a group it is the prefix of what is in it. */
export const authWireNames = {
  hooks: "hook",
  rateLimits: "rate_limit",
  webAuthn: "webauthn",
  "smtp.password": "smtp_pass",
  "security.refreshTokenRotationEnabled": "refresh_token_rotation_enabled",
  "oauthServer.customOauthEnabled": "custom_oauth_enabled",
  // The vendors' letters are capitals in the API.
  "sms.vendorA": "sms_vendorA",
  "sms.vendorB": "sms_vendorB",
  "sms.vendorC": "sms_vendorC",
  "sms.vendorD": "sms_vendorD",
  "sms.vendorD.sender": "sms_vendorD_from",
  // Subjects and contents are two tables in the API.
  "mailer.templates.invite.subject": "mailer_subjects_invite",
  "mailer.templates.confirmation.subject": "mailer_subjects_confirmation",
  "mailer.templates.recovery.subject": "mailer_subjects_recovery",
  "mailer.templates.emailChange.subject": "mailer_subjects_email_change",
  "mailer.templates.magicLink.subject": "mailer_subjects_magic_link",
  "mailer.templates.reauthentication.subject": "mailer_subjects_reauthentication",
  "mailer.templates.passwordChangedNotification.subject": "mailer_subjects_password_changed_notification",
  "mailer.templates.emailChangedNotification.subject": "mailer_subjects_email_changed_notification",
  "mailer.templates.phoneChangedNotification.subject": "mailer_subjects_phone_changed_notification",
  "mailer.templates.mfaFactorEnrolledNotification.subject":
    "mailer_subjects_mfa_factor_enrolled_notification",
  "mailer.templates.mfaFactorUnenrolledNotification.subject":
    "mailer_subjects_mfa_factor_unenrolled_notification",
  "mailer.templates.identityLinkedNotification.subject": "mailer_subjects_identity_linked_notification",
  "mailer.templates.identityUnlinkedNotification.subject": "mailer_subjects_identity_unlinked_notification",
} as const;
