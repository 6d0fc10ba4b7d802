import { createHmac } from "node:crypto";
import { authConfigDefaults } from "../../../../../emulator/service/rules/auth/auth-config-view";
import { authConfigResponse } from "../../../../../spec/auth-config-response";
import type { Operations } from "../../../../../spec/table";
import type { OperationAnswer, OperationParameters } from "../../../../../spec/operation";
import { createRulesWorld, type RulesWorld } from "../rules-world";

type Config = OperationAnswer<Operations["getAuthConfig"]>;
type Change = OperationParameters<Operations["updateAuthConfig"]>["body"];

describe("the auth configuration", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const get = (): Config => service.call("getAuthConfig", { ref });
  const set = (body: Change): Config => service.call("updateAuthConfig", { ref, body });
  const refused = (body: Change): string => service.refusal("updateAuthConfig", { ref, body });
  const hmac = (value: string): string => createHmac("sha256", ref).update(value).digest("hex");

  it("has a default for every field of the table", () => {
    expect(authConfigResponse.strict().parse(authConfigDefaults)).toEqual(authConfigDefaults);
    expect(get()).toEqual(authConfigDefaults);
    service.world.state.newer = true;
    expect(authConfigResponse.parse(get())).toMatchObject(authConfigDefaults);
    expect(Object.keys(authConfigResponse.parse(get()))).toHaveLength(
      Object.keys(authConfigResponse.shape).length,
    );
  });

  it("begins with what was recorded of a new project (service, Defaults)", () => {
    expect(get()).toMatchObject({
      mailer_otp_length: 8,
      security_captcha_provider: "hcaptcha",
      oauth_server_authorization_path: null,
      password_required_characters: null,
      external_idp09_skip_nonce_check: null,
    });
  });

  it("shows no rule for passwords where one was emptied (service, Auth configuration)", () => {
    set({ password_required_characters: "" });
    expect(get().password_required_characters).toBeNull();
  });

  it("answers null to a change where a read shows a default (service, Auth configuration)", () => {
    const untold = { sms_provider: null, rate_limit_email_sent: null, security_captcha_provider: null };
    expect(set({ jwt_exp: 600 })).toEqual({ ...get(), ...untold });
    expect(get()).toMatchObject({ sms_provider: "vendorC", rate_limit_email_sent: 2 });
    expect(set({ sms_provider: "vendorB" })).toMatchObject({ ...untold, sms_provider: "vendorB" });
  });

  it("merges a change into what is there, and answers the whole of it", () => {
    set({ site_url: "https://shop.example.com", jwt_exp: 600 });
    const changed = set({ jwt_exp: 900, mailer_subjects_invite: "Come in" });
    expect(get()).toEqual({
      ...authConfigDefaults,
      site_url: "https://shop.example.com",
      jwt_exp: 900,
      mailer_subjects_invite: "Come in",
    });
    expect(Object.keys(changed)).toEqual(Object.keys(get()));
    expect(set({})).toEqual(changed);
  });

  it("resets a field to its default by null", () => {
    set({ site_url: "https://shop.example.com", mfa_phone_otp_length: 8, oauth_server_enabled: true });
    set({ site_url: null, mfa_phone_otp_length: null, oauth_server_enabled: null });
    expect(get()).toEqual(authConfigDefaults);
    expect(service.projectRecord(ref).auth.config).toEqual({});
  });

  it("belongs to one project", () => {
    const other = service.healthyProject("other");
    set({ disable_signup: true });
    expect(service.call("getAuthConfig", { ref: other }).disable_signup).toBe(false);
  });

  it.each([
    "smtp_pass",
    "security_captcha_secret",
    "partner_oauth_client_secret",
    "hook_send_sms_secrets",
    "hook_after_user_created_secrets",
    "external_idp01_secret",
    "external_idp21_secret",
    "sms_vendorA_access_key",
    "sms_vendorB_api_key",
    "sms_vendorC_auth_token",
    "sms_vendorC_verify_auth_token",
    "sms_vendorD_api_secret",
  ] as const)("never gives %s back but as its HMAC under the project's ref", (field) => {
    expect(get()[field]).toBeNull();
    expect(set({ [field]: "hush" })[field]).toBe(hmac("hush"));
    expect(JSON.stringify(get())).not.toContain("hush");
    expect(service.projectRecord(ref).auth.config[field]).toBe("hush");
    expect(set({ [field]: "" })[field]).toBe("");
  });

  it("gives everything else back in clear", () => {
    const plain = { smtp_user: "mailer", external_idp05_client_id: "client", sms_vendorD_api_key: "account" };
    expect(set(plain)).toMatchObject(plain);
  });

  it("has no SMTP server left after an empty host", () => {
    const smtp = { smtp_host: "mail.example.com", smtp_port: "587", smtp_user: "mailer", smtp_pass: "hush" };
    set({ ...smtp, smtp_admin_email: "admin@example.com", smtp_sender_name: "Shop", smtp_max_frequency: 5 });
    const emptied = Object.entries(set({ smtp_host: "" })).filter(([field]) => field.startsWith("smtp_"));
    expect(emptied).toHaveLength(7);
    expect(emptied.map(([, value]) => value)).toEqual(emptied.map(() => null));
  });

  it("ignores what is only read, and shows it as it is set from outside", () => {
    service.call("updateAuthConfig", { ref, body: { custom_oauth_max_providers: 100 } as Change });
    expect(get()).toEqual(authConfigDefaults);
    service.projectRecord(ref).auth.config.saml_allow_encrypted_assertions = true;
    expect(get().saml_allow_encrypted_assertions).toBe(true);
  });

  it("folds additional client ids into the client id where the service does", () => {
    set({ external_idp01_client_id: "web", external_idp01_additional_client_ids: "ios,android" });
    expect(get()).toMatchObject({ external_idp01_additional_client_ids: "ios,android" });
    service.world.state.auth.additionalClientIdsFolded = true;
    expect(get()).toMatchObject({
      external_idp01_client_id: "web,ios,android",
      external_idp01_additional_client_ids: null,
      external_idp09_client_id: null,
    });
    set({ external_idp09_additional_client_ids: "only" });
    expect(get().external_idp09_client_id).toBe("only");
  });

  it.each([
    [
      { hook_send_email_enabled: true },
      "hook_send_email_enabled: cannot be true without hook_send_email_uri",
    ],
    [
      { external_idp03_enabled: true, external_idp03_client_id: "client" },
      "external_idp03_enabled: cannot be true without external_idp03_secret",
    ],
    [
      { security_captcha_enabled: true },
      "security_captcha_enabled: cannot be true without security_captcha_secret",
    ],
    [
      { external_phone_enabled: true, sms_provider: "vendorA", sms_vendorA_originator: "Shop" },
      "external_phone_enabled: the SMS provider vendorA lacks sms_vendorA_access_key",
    ],
    [{ mfa_phone_enroll_enabled: true }, "mfa_phone_enroll_enabled: needs the add-on auth_mfa_phone"],
    [
      { mfa_web_authn_verify_enabled: true },
      "mfa_web_authn_verify_enabled: needs the add-on auth_mfa_web_authn",
    ],
    [{ site_url: "shop" }, 'site_url: "shop" is not a URL'],
    [{ uri_allow_list: "https://a.example.com, nowhere" }, "uri_allow_list"],
    [{ saml_external_url: "ftp://example.com" }, "saml_external_url"],
    [{ smtp_port: "mail" }, "smtp_port"],
    [{ hook_send_sms_uri: "http://example.com" }, "hook_send_sms_uri"],
  ] as const)("refuses %j and leaves everything as it was", (body, message) => {
    expect(refused({ disable_signup: true, ...body })).toContain(`400 ${message}`);
    expect(get()).toEqual(authConfigDefaults);
  });

  it("takes the same once what was lacking is there", () => {
    // The API lists this add-on but does not sell it (service, Billing add-ons).
    service.projectRecord(ref).addons.set("auth_mfa_phone", "auth_mfa_phone_default");
    set({
      mfa_phone_enroll_enabled: true,
      hook_send_email_uri: "pg-functions://postgres/public/send_email",
      hook_send_email_enabled: true,
      hook_send_sms_uri: "http://localhost:9000/sms",
      hook_custom_access_token_uri: "https://hooks.example.com",
      external_idp03_enabled: true,
      external_idp03_client_id: "client",
      external_idp03_secret: "hush",
      sms_vendorB_api_key: "hush",
      uri_allow_list: "https://*.example.com/**,myapp://callback, http://localhost:3000",
    });
    set({ external_phone_enabled: true, sms_provider: "vendorB", sms_vendorB_sender: "Shop" });
    expect(get()).toMatchObject({ external_phone_enabled: true, external_idp03_enabled: true });
  });

  it("needs no SMS vendor where a hook sends", () => {
    const hook = { hook_send_sms_enabled: true, hook_send_sms_uri: "https://hooks.example.com/sms" };
    expect(set({ external_phone_enabled: true, ...hook }).external_phone_enabled).toBe(true);
    expect(refused({ hook_send_sms_enabled: false })).toContain("sms_vendorC_account_sid");
  });

  it("cannot lose what is in use, but changes elsewhere although something is wrong", () => {
    set({ external_idp03_enabled: true, external_idp03_client_id: "client", external_idp03_secret: "hush" });
    expect(refused({ external_idp03_secret: null })).toContain("external_idp03_secret");
    service.projectRecord(ref).auth.config.external_idp03_secret = null;
    expect(set({ jwt_exp: 60 }).jwt_exp).toBe(60);
    set({ external_idp03_enabled: false });
  });

  it("names every fault at once", () => {
    const message = refused({ site_url: "shop", smtp_port: "0", mfa_phone_verify_enabled: true });
    for (const field of ["site_url", "smtp_port", "mfa_phone_verify_enabled"]) {
      expect(message).toContain(`${field}: `);
    }
  });

  it("is read at any time, and written once the auth service is healthy", () => {
    const fresh = service.newProject("fresh");
    expect(service.call("getAuthConfig", { ref: fresh }).jwt_exp).toBe(3600);
    expect(service.refusal("updateAuthConfig", { ref: fresh, body: { jwt_exp: 60 } })).toMatch(
      /^400 Project status/,
    );
    service.projectRecord(ref).unhealthyServices.set("auth", "down");
    expect(refused({ jwt_exp: 60 })).toMatch(/^400 Service auth .*down/);
  });

  it("says whether SSO can be used, where SSO needs SAML", () => {
    service.world.state.auth.ssoNeedsSaml = true;
    expect(get().saml_enabled).toBe(false);
    expect(service.refusal("listSsoProviders", { ref })).toMatch(/^404 SAML/);
    set({ saml_enabled: true });
    expect(service.call("listSsoProviders", { ref })).toEqual({ items: [] });
  });

  it("answers at once however long the text that fits no pattern", () => {
    // A pattern that takes more than one look at each character would not end within any time limit.
    expect(refused({ sessions_tags: `${"a".repeat(1_000_000)}!` })).toContain("sessions_tags");
    expect(refused({ sms_test_otp: `${"1=11".repeat(400_000)}!` })).toContain("sms_test_otp");
    expect(
      set({ sessions_tags: " one, two ,", sms_test_otp: "4912345=123456,4912346=123456" }).sessions_tags,
    ).toBe(" one, two ,");
  });
});
