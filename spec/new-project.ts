import type { z } from "zod";
import type { authConfigResponse } from "./auth-config-response";

/**
 * What a new project is set to, by the names of the API. The specification names no defaults: what was recorded is so
 * (service, Defaults), all else is plausible. The emulator begins with it, and an import leaves it out; no safety rests on it.
 */

const formatLink = (text: string): string => `<p><a href="{{ .ConfirmationURL }}">${text}</a></p>`;
const formatNotice = (text: string): string => `<h2>${text}</h2><p>If this was not you, contact support.</p>`;

/** The auth configuration of a new project; what is not named is false, null or empty. */
export const newAuthConfig: Partial<z.output<typeof authConfigResponse>> = {
  site_url: "http://localhost:3000",
  uri_allow_list: "",
  jwt_exp: 3600,
  external_email_enabled: true,
  api_max_request_duration: 10,
  db_max_pool_size: 10,
  db_max_pool_size_unit: "connections",
  smtp_max_frequency: 60,
  mailer_secure_email_change_enabled: true,
  mailer_otp_exp: 3600,
  mailer_otp_length: 8,
  mailer_subjects_invite: "You have been invited",
  mailer_subjects_confirmation: "Confirm your signup",
  mailer_subjects_recovery: "Reset your password",
  mailer_subjects_email_change: "Confirm your email change",
  mailer_subjects_magic_link: "Your sign-in link",
  mailer_subjects_reauthentication: "Confirm reauthentication",
  mailer_subjects_password_changed_notification: "Your password has been changed",
  mailer_subjects_email_changed_notification: "Your email address has been changed",
  mailer_subjects_phone_changed_notification: "Your phone number has been changed",
  mailer_subjects_mfa_factor_enrolled_notification: "A new factor has been enrolled",
  mailer_subjects_mfa_factor_unenrolled_notification: "A factor has been unenrolled",
  mailer_subjects_identity_linked_notification: "A new identity has been linked",
  mailer_subjects_identity_unlinked_notification: "An identity has been unlinked",
  mailer_templates_invite_content: `<h2>You have been invited</h2>${formatLink("Accept the invitation")}`,
  mailer_templates_confirmation_content: `<h2>Confirm your signup</h2>${formatLink("Confirm your email address")}`,
  mailer_templates_recovery_content: `<h2>Reset your password</h2>${formatLink("Reset the password")}`,
  mailer_templates_email_change_content: `<h2>Confirm your email change</h2>${formatLink("Change to {{ .NewEmail }}")}`,
  mailer_templates_magic_link_content: `<h2>Your sign-in link</h2>${formatLink("Sign in")}`,
  mailer_templates_reauthentication_content: "<h2>Confirm reauthentication</h2><p>Code: {{ .Token }}</p>",
  mailer_templates_password_changed_notification_content: formatNotice("Your password has been changed"),
  mailer_templates_email_changed_notification_content: formatNotice("Your email address has been changed"),
  mailer_templates_phone_changed_notification_content: formatNotice("Your phone number has been changed"),
  mailer_templates_mfa_factor_enrolled_notification_content: formatNotice("A new factor has been enrolled"),
  mailer_templates_mfa_factor_unenrolled_notification_content: formatNotice("A factor has been unenrolled"),
  mailer_templates_identity_linked_notification_content: formatNotice("A new identity has been linked"),
  mailer_templates_identity_unlinked_notification_content: formatNotice("An identity has been unlinked"),
  mfa_max_enrolled_factors: 10,
  mfa_totp_enroll_enabled: true,
  mfa_totp_verify_enabled: true,
  mfa_phone_max_frequency: 5,
  mfa_phone_otp_length: 6,
  mfa_phone_template: "Your code is {{ .Code }}",
  sessions_timebox: 0,
  sessions_inactivity_timeout: 0,
  rate_limit_anonymous_users: 30,
  rate_limit_email_sent: 2,
  rate_limit_sms_sent: 30,
  rate_limit_verify: 30,
  rate_limit_token_refresh: 150,
  rate_limit_otp: 30,
  rate_limit_web3: 30,
  refresh_token_rotation_enabled: true,
  password_min_length: 6,
  password_required_characters: null,
  security_captcha_provider: "hcaptcha",
  security_refresh_token_reuse_interval: 10,
  sms_max_frequency: 5,
  sms_otp_exp: 60,
  sms_otp_length: 6,
  sms_provider: "vendorC",
  sms_template: "Your code is {{ .Code }}",
  external_idp09_skip_nonce_check: null,
  custom_oauth_max_providers: 3,
};

/** What a newer service has beside them. Unknown what a new project has of these: here what changes least. */
export const newerAuthSettings = {
  passkey_enabled: false,
  webauthn_rp_display_name: null,
  webauthn_rp_id: null,
  webauthn_rp_origins: null,
};

const createStorageFeatures = (isPaid: boolean) => ({
  imageTransformation: { enabled: isPaid },
  s3Protocol: { enabled: true },
  icebergCatalog: { enabled: isPaid, maxNamespaces: 10, maxTables: 10, maxCatalogs: 2 },
  vectorBuckets: { enabled: isPaid, maxBuckets: 10, maxIndexes: 5 },
});

/** The storage of a new project, on the free plan and on a paid one. */
export const newStorageConfig = {
  free: {
    fileSizeLimit: 50 * 2 ** 20,
    features: createStorageFeatures(false),
    external: { upstreamTarget: "main" },
  },
  paid: {
    fileSizeLimit: 50 * 2 ** 20,
    features: createStorageFeatures(true),
    external: { upstreamTarget: "main" },
  },
};

/** The realtime service of a new project. */
export const newRealtimeConfig = {
  private_only: false,
  connection_pool: 2,
  max_concurrent_users: 200,
  max_events_per_second: 100,
  max_bytes_per_second: 100_000,
  max_channels_per_client: 100,
  max_joins_per_second: 100,
  max_presence_events_per_second: 100,
  max_payload_size_in_kb: 100,
  suspend: false,
};

/** What a newer service has beside them; unknown what a new project has of it. */
export const newerRealtimeSettings = { presence_enabled: true };

/** The REST layer of a new project. */
export const newRestLayerConfig = {
  db_schema: "public,graphql_public",
  db_extra_search_path: "public, extensions",
  max_rows: 1_000,
};
