import { checkInputs } from "../../../../provider/engine/check";
import type { Values } from "../../../../provider/define/values";
import { authConfig } from "../../../../provider/resources/auth/auth-config/auth-config";
import { requirements } from "../../../../provider/resources/auth/auth-config/requirements";
import { UNKNOWN } from "../../../../provider/define/unknown";
import type { AnyResource } from "../../../../provider/define/resource";

const resource = authConfig as unknown as AnyResource; // Inputs are looked at through the schemas.
const projectRef = "abcdefghijklmnopqrst";

function faults(inputs: Values, before?: Values): string[] {
  const declared = { projectRef: UNKNOWN, ...inputs };
  return checkInputs(resource, declared, before)
    .failures.map(({ path }) => path)
    .sort();
}

const HOOKS = [
  ...["customAccessToken", "mfaVerificationAttempt", "passwordVerificationAttempt", "sendSms", "sendEmail"],
  ...["beforeUserCreated", "afterUserCreated"],
];
const SLOTS = Array.from({ length: 21 }, (_, index) => `idp${String(index + 1).padStart(2, "0")}`);
const uri = "https://hooks.example.com/it";
const smtp = ["smtp.adminEmail", "smtp.password", "smtp.port", "smtp.user"];
const phone = (sms: Values): Values => ({ externalPhoneEnabled: true, sms });

/** What a program declares, and what it lacks then. */
const table: readonly (readonly [Values, readonly string[]])[] = [
  ...HOOKS.map((hook) => [{ hooks: { [hook]: { enabled: true } } }, [`hooks.${hook}.uri`]] as const),
  ...HOOKS.map((hook) => [{ hooks: { [hook]: { enabled: true, uri } } }, [`hooks.${hook}.secrets`]] as const),
  ...SLOTS.map((slot) => {
    const secret = ["idp01", "idp09"].includes(slot) ? [] : [`external.${slot}.secret`];
    return [{ external: { [slot]: { enabled: true } } }, [`external.${slot}.clientId`, ...secret]] as const;
  }),
  [{ externalPhoneEnabled: true }, ["sms.provider"]],
  [phone({ provider: "vendorA" }), ["sms.vendorA.accessKey", "sms.vendorA.originator"]],
  [phone({ provider: "vendorB" }), ["sms.vendorB.apiKey", "sms.vendorB.sender"]],
  [
    phone({ provider: "vendorC" }),
    ["sms.vendorC.accountSid", "sms.vendorC.authToken", "sms.vendorC.messageServiceSid"],
  ],
  [
    phone({ provider: "vendorC_verify" }),
    ["sms.vendorC.verifyAccountSid", "sms.vendorC.verifyAuthToken", "sms.vendorC.verifyMessageServiceSid"],
  ],
  [phone({ provider: "vendorD" }), ["sms.vendorD.apiKey", "sms.vendorD.apiSecret", "sms.vendorD.sender"]],
  [{ security: { captchaEnabled: true } }, ["security.captchaProvider", "security.captchaSecret"]],
  [{ security: { captchaEnabled: true, captchaProvider: "hcaptcha" } }, ["security.captchaSecret"]],
  [{ smtp: { host: "mail.example.com" } }, smtp],
];

it.each(table)("of %j in a new project it asks for %j, and on an update as well", (inputs, lacking) => {
  expect(faults(inputs)).toEqual(lacking);
  expect(faults(inputs, { projectRef })).toEqual(lacking);
});

it.each(table)("of %j it asks for nothing where the project is there, and may have it", (inputs) => {
  expect(faults({ projectRef, ...inputs })).toEqual([]);
});

it("has every rule in the table", () => {
  const tried = new Set(table.flatMap(([, lacking]) => lacking));
  expect(requirements.flatMap(({ needs }) => needs).filter((path) => !tried.has(path))).toEqual([]);
});

it.each(table)("never fails what was imported as %j without %j", (inputs) => {
  expect(faults(inputs, { projectRef, ...inputs })).toEqual([]);
});

it.each([
  [{ hooks: { sendSms: { enabled: false } } }],
  [{ hooks: { sendSms: { enabled: true, uri: "pg-functions://postgres/public/send" } } }],
  [{ hooks: { sendSms: { enabled: true, uri: UNKNOWN } } }],
  [{ externalPhoneEnabled: true, hooks: { sendSms: { enabled: true, uri, secrets: "v1,whsec_x" } } }],
  [{ externalPhoneEnabled: true, sms: UNKNOWN }],
  [{ sms: { provider: "vendorA" } }],
  [{ smtp: { host: "" } }],
  [{ smtp: { senderName: "Shop" } }],
  [{ security: { captchaEnabled: false } }],
  [{ mfa: { totpEnrollEnabled: true } }],
])("asks for nothing more of %j", (inputs) => {
  expect(faults(inputs)).toEqual([]);
});

it.each([
  [{ mfa: { totpEnrollEnabled: true, totpVerifyEnabled: false } }, "mfa.totpEnrollEnabled"],
  [{ mfa: { phoneEnrollEnabled: true, phoneVerifyEnabled: false } }, "mfa.phoneEnrollEnabled"],
  [{ mfa: { webAuthnEnrollEnabled: true, webAuthnVerifyEnabled: false } }, "mfa.webAuthnEnrollEnabled"],
  [{ rateLimits: { emailSent: 5 }, smtp: { host: "" } }, "rateLimits.emailSent"],
  [
    { hooks: { sendSms: { uri: "pg-functions://postgres/public/send", secrets: "v1,whsec_x" } } },
    "hooks.sendSms.secrets",
  ],
])("refuses %j, which contradicts itself", (inputs, path) => {
  expect(faults(inputs)).toEqual([path]);
});

it("asks for a secret that the program takes out while it is needed", () => {
  const security = { captchaEnabled: true, captchaProvider: "hcaptcha" };
  const before = { projectRef, security: { ...security, captchaSecret: "secret-of-the-shop" } };
  expect(faults({ security }, before)).toEqual(["security.captchaSecret"]);
});
