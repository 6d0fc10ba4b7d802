import type { Examples } from "../example";

export const auth: Examples = {
  ApiKey: {
    config: { projectRef: "text" },
    declares: {
      backend: {
        resource: "ApiKey",
        properties: {
          projectRef: "${projectRef}",
          type: "secret",
          name: "backend",
          description: "Used by the order service.",
          secretJwtTemplate: { role: "service_role" },
        },
      },
    },
    outputs: { backendKey: "${backend.apiKey}" },
  },

  AuthConfig: {
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
  },

  LegacyApiKeys: {
    config: { projectRef: "text" },
    declares: {
      legacy: {
        resource: "LegacyApiKeys",
        properties: { projectRef: "${projectRef}", enabled: false },
      },
    },
  },

  LegacySigningKey: {
    config: { projectRef: "text" },
    declares: {
      legacy: { resource: "LegacySigningKey", properties: { projectRef: "${projectRef}" } },
    },
    outputs: { keyId: "${legacy.keyId}" },
  },

  SigningKey: {
    config: { projectRef: "text" },
    declares: {
      next: {
        resource: "SigningKey",
        properties: { projectRef: "${projectRef}", algorithm: "ES256", status: "standby" },
      },
    },
    outputs: { publicKey: "${next.publicJwk}" },
  },

  SsoProvider: {
    config: { projectRef: "text" },
    declares: {
      workforce: {
        resource: "SsoProvider",
        properties: {
          projectRef: "${projectRef}",
          type: "saml",
          metadataUrl: "https://idp.example.com/saml/metadata",
          domains: ["example.com", "example.org"],
          attributeMapping: {
            keys: {
              first_name: { name: "givenName" },
              groups: { names: ["groups", "memberOf"], array: true },
            },
          },
        },
      },
    },
    outputs: { entityId: "${workforce.entityId}" },
  },

  ThirdPartyAuth: {
    config: { projectRef: "text" },
    declares: {
      partners: {
        resource: "ThirdPartyAuth",
        properties: { projectRef: "${projectRef}", oidcIssuerUrl: "https://idp.example.com" },
      },
    },
    outputs: { resolvedAt: "${partners.resolvedAt}" },
  },

  getApiKey: {
    config: { projectRef: "text" },
    declares: {
      backend: {
        function: "getApiKey",
        arguments: { projectRef: "${projectRef}", name: "backend", type: "secret" },
      },
    },
    outputs: { key: "${backend.apiKey}" },
  },

  getApiKeys: {
    config: { projectRef: "text" },
    declares: { found: { function: "getApiKeys", arguments: { projectRef: "${projectRef}" } } },
    outputs: { keys: "${found.apiKeys}" },
  },

  getAuthConfig: {
    config: { projectRef: "text" },
    declares: { found: { function: "getAuthConfig", arguments: { projectRef: "${projectRef}" } } },
    outputs: { siteUrl: "${found.siteUrl}" },
  },

  getSigningKey: {
    config: { projectRef: "text" },
    declares: {
      current: {
        function: "getSigningKey",
        arguments: { projectRef: "${projectRef}", status: "in_use" },
      },
    },
    outputs: { algorithm: "${current.algorithm}", publicKey: "${current.publicJwk}" },
  },

  getSigningKeys: {
    config: { projectRef: "text" },
    declares: { found: { function: "getSigningKeys", arguments: { projectRef: "${projectRef}" } } },
    outputs: { keys: "${found.signingKeys}" },
  },

  getSsoProvider: {
    config: { projectRef: "text" },
    declares: {
      staff: {
        function: "getSsoProvider",
        arguments: { projectRef: "${projectRef}", domain: "example.com" },
      },
    },
    outputs: { providerId: "${staff.providerId}" },
  },

  getSsoProviders: {
    config: { projectRef: "text" },
    declares: { found: { function: "getSsoProviders", arguments: { projectRef: "${projectRef}" } } },
    outputs: { providers: "${found.ssoProviders}" },
  },

  getThirdPartyAuth: {
    config: { projectRef: "text" },
    declares: {
      issuer: {
        function: "getThirdPartyAuth",
        arguments: { projectRef: "${projectRef}", oidcIssuerUrl: "https://idp.example.com" },
      },
    },
    outputs: { resolvedAt: "${issuer.resolvedAt}" },
  },
};
