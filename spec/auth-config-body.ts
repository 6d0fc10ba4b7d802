import { z } from "zod";
import { authConfigFields, newerAuthConfigFields } from "./auth-config-fields";

// Both take the very texts that the specification's patterns take, whose time grows exponentially with the text.
const words = z.string().regex(/^(?:\s*[a-zA-Z0-9_-]+(?:\s*,+\s*[a-zA-Z0-9_-]+)*(?:\s*,+)?)?\s*$/);
const codesByPhone = z.string().regex(/^(?:[0-9]{1,15}=(?:[0-9]{2,}=)*[0-9]+(?:,|$))*$/);

/** Any subset of the configuration; what is read without these limits is written within them. */
export const updateAuthConfigBody = z
  .object({
    ...authConfigFields,
    ...newerAuthConfigFields,
    site_url: z
      .string()
      .regex(/^[^,]+$/)
      .nullable(),
    jwt_exp: z.int().min(0).max(604800).nullable(),
    smtp_max_frequency: z.int().min(0).max(32767).nullable(),
    mfa_max_enrolled_factors: z.int().min(0).max(2147483647).nullable(),
    saml_external_url: z
      .string()
      .regex(/^[^,]+$/)
      .nullable(),
    sessions_timebox: z.number().min(0).nullable(),
    sessions_inactivity_timeout: z.number().min(0).nullable(),
    sessions_tags: words.nullable(),
    rate_limit_anonymous_users: z.int().min(1).max(2147483647).nullable(),
    rate_limit_email_sent: z.int().min(1).max(2147483647).nullable(),
    rate_limit_sms_sent: z.int().min(1).max(2147483647).nullable(),
    rate_limit_verify: z.int().min(1).max(2147483647).nullable(),
    rate_limit_token_refresh: z.int().min(1).max(2147483647).nullable(),
    rate_limit_otp: z.int().min(1).max(2147483647).nullable(),
    rate_limit_web3: z.int().min(1).max(2147483647).nullable(),
    password_min_length: z.int().min(6).max(32767).nullable(),
    security_refresh_token_reuse_interval: z.int().min(0).max(2147483647).nullable(),
    mailer_otp_exp: z.int().min(0).max(2147483647),
    mailer_otp_length: z.int().min(6).max(10).nullable(),
    sms_max_frequency: z.int().min(0).max(32767).nullable(),
    sms_otp_exp: z.int().min(0).max(2147483647).nullable(),
    sms_otp_length: z.int().min(0).max(32767),
    sms_test_otp: codesByPhone.nullable(),
    mfa_phone_max_frequency: z.int().min(0).max(32767).nullable(),
    mfa_phone_otp_length: z.int().min(0).max(32767).nullable(),
    oauth_server_enabled: z.boolean().nullable(),
    oauth_server_allow_dynamic_registration: z.boolean().nullable(),
  })
  .partial();
