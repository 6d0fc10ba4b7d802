import type { Examples } from "../example";

export const auth: Examples = {
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
