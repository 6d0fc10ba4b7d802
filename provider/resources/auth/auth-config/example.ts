import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text", smtpPassword: "secret" },
  declares: {
    auth: {
      resource: "AuthConfig",
      properties: {
        projectRef: "${projectRef}",
        siteUrl: "https://shop.example.com",
        jwtExp: 3600,
        smtp: {
          host: "mail.example.com",
          port: 587,
          user: "mailer",
          password: "${smtpPassword}",
          adminEmail: "auth@example.com",
        },
        mailer: {
          otpLength: 8,
          templates: {
            invite: { subject: "Welcome to the shop", content: "<p>You are invited to the shop.</p>" },
          },
        },
        rateLimits: { emailSent: 100 },
        password: { minLength: 12 },
      },
    },
  },
};
