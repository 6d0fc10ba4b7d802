import type { authConfig } from "../../../provider/resources/auth/auth-config/auth-config";
import { field, type SampleOf } from "../sample";

const smtp = {
  host: "mail.example.com",
  port: 587,
  user: "mailer",
  password: "smtp-password-of-the-shop",
  adminEmail: "auth@example.com",
};

export const sample: SampleOf<typeof authConfig> = {
  type: "AuthConfig",
  needsProject: true,
  inputs: (projectRef) => ({
    projectRef,
    jwtExp: 1800,
    smtp,
    mailer: { otpLength: 6, templates: { invite: { subject: "Welcome" } } },
  }),
  changed: (projectRef) => ({
    projectRef,
    jwtExp: 1800,
    smtp: { ...smtp, port: 465, senderName: "Shop" },
    mailer: { otpLength: 6, templates: { invite: { subject: "Come in" } } },
    external: { idp03: { clientId: "client-of-the-shop" } },
  }),
  onService: ({ emulator }, ref) => {
    const config = emulator.control.call("getAuthConfig", { ref });
    return config.smtp_host === null ? [] : [config];
  },
  isChanged: (shown) =>
    field(shown, "smtp_port") === "465" && field(shown, "mailer_subjects_invite") === "Come in",
  editOutside: ({ projects }, ref) => {
    const project = projects.get(ref);
    if (project) project.auth.config = { ...project.auth.config, smtp_port: "25", smtp_pass: "by hand" };
  },
  secrets: [
    "external.idp01.secret",
    "hooks.sendSms.secrets",
    "partnerOauth.clientSecret",
    "security.captchaSecret",
    "sms.testOtp",
    "sms.vendorA.accessKey",
    "smtp.password",
  ],
  secretInputs: {
    hooks: { sendSms: { secrets: "v1,whsec_of-the-hook" } },
    security: { captchaSecret: "captcha-secret-of-the-shop" },
    sms: { vendorA: { accessKey: "access-key-of-the-vendor" }, testOtp: "4915112345678=123456" },
    external: { idp01: { secret: "client-secret-of-the-provider" } },
    partnerOauth: { clientSecret: "client-secret-of-the-partner" },
  },
};
