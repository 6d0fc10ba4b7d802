import type { Samples } from "../sample";

export const authConfigSamples = {
  getAuthConfig: ({ ref }) => ({ ref }),
  updateAuthConfig: ({ ref }) => ({
    ref,
    body: {
      site_url: "https://shop.example.com",
      uri_allow_list: "https://shop.example.com/**",
      smtp_host: "mail.example.com",
      smtp_pass: "a-password",
      external_idp03_enabled: true,
      external_idp03_client_id: "client",
      external_idp03_secret: "a-secret",
      sessions_tags: "one, two",
      sms_test_otp: "4912345=123456",
      rate_limit_verify: null,
    },
  }),
} satisfies Partial<Samples>;
