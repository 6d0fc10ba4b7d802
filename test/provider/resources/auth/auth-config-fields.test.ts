import { authConfigResponse } from "../../../../spec/auth-config-response";
import { updateAuthConfigBody } from "../../../../spec/auth-config-body";
import { SettingsMapping } from "../../../../provider/settings/mapping/settings-mapping";
import { authConfig } from "../../../../provider/resources/auth/auth-config/auth-config";
import { authSettings, authWireNames } from "../../../../provider/resources/auth/auth-config/settings";

/** Fields of the answer that no program can set, by the output that shows each. */
const readOnly: Readonly<Record<string, string>> = {
  saml_allow_encrypted_assertions: "samlAllowEncryptedAssertions",
  partner_oauth_email_optional: "partnerOauthEmailOptional",
  custom_oauth_max_providers: "customOauthMaxProviders",
};

const form = new SettingsMapping({
  settings: authSettings,
  outputs: {},
  wireNames: authWireNames,
  body: updateAuthConfigBody,
});

/** All of its groups are flat on the wire. */
const placeOf = (of: SettingsMapping, name: string): string => of.wirePathOf(name).join(" below ");

it("has one setting for every field of the body, and none besides", () => {
  const fields = form.names.map((name) => placeOf(form, name));
  expect([...fields].sort()).toEqual(Object.keys(updateAuthConfigBody.shape).sort());
});

it("shows every field of the answer, as a setting or as an output", () => {
  const unseen = Object.keys(authConfigResponse.shape).filter(
    (field) => form.findProgramPath(field) === undefined,
  );
  expect(unseen.sort()).toEqual(Object.keys(readOnly).sort());
  expect(Object.keys(authConfig.outputs.shape).sort()).toEqual(Object.values(readOnly).sort());
});

it("lists no exception of names that names nothing, or that follows from the path", () => {
  const isUsed = (path: string): boolean => form.names.some((name) => `${name}.`.startsWith(`${path}.`));
  expect(Object.keys(authWireNames).filter((path) => !isUsed(path))).toEqual([]);
  for (const path of Object.keys(authWireNames)) {
    const others = Object.fromEntries(Object.entries(authWireNames).filter(([other]) => other !== path));
    const without = new SettingsMapping({
      settings: authSettings,
      outputs: {},
      wireNames: others,
      body: updateAuthConfigBody,
    });
    expect(without.names.map((name) => placeOf(without, name))).not.toEqual(
      form.names.map((name) => placeOf(form, name)),
    );
  }
});

it.each([
  ["siteUrl", "site_url"],
  ["smtp.password", "smtp_pass"],
  [
    "mailer.templates.mfaFactorEnrolledNotification.subject",
    "mailer_subjects_mfa_factor_enrolled_notification",
  ],
  ["mailer.templates.emailChange.content", "mailer_templates_email_change_content"],
  ["hooks.mfaVerificationAttempt.secrets", "hook_mfa_verification_attempt_secrets"],
  ["rateLimits.web3", "rate_limit_web3"],
  ["sms.vendorC.verifyMessageServiceSid", "sms_vendorC_verify_message_service_sid"],
  ["external.idp09.skipNonceCheck", "external_idp09_skip_nonce_check"],
  ["externalWeb3SolanaEnabled", "external_web3_solana_enabled"],
])("calls %s %s on the wire", (name, wireName) => {
  expect(placeOf(form, name)).toBe(wireName);
  expect(form.findProgramPath(wireName)).toBe(name);
});

it("takes every secret for one: what the service hashes, and codes", () => {
  const hashed = form.names
    .filter((name) => form.visibilityOf(name) === "presence")
    .map((name) => placeOf(form, name));
  const secret =
    /^(smtp_pass|security_captcha_secret|partner_oauth_client_secret|hook_\w+_secrets|external_\w+_secret|sms_vendor(A_access_key|B_api_key|C_auth_token|C_verify_auth_token|D_api_secret))$/;
  expect(hashed.sort()).toEqual(
    Object.keys(updateAuthConfigBody.shape)
      .filter((name) => secret.test(name))
      .sort(),
  );
});
