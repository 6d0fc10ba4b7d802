import type { Examples } from "../example";

export const organizations: Examples = {
  getAuthorizeUrl: {
    config: { codeVerifier: "secret" },
    declares: {
      found: {
        function: "getAuthorizeUrl",
        arguments: {
          clientId: "0f8fad5b-d9cb-469f-a165-70867728950e",
          redirectUri: "https://app.example.com/callback",
          scopes: ["projects:read"],
          state: "first-visit",
          codeVerifier: "${codeVerifier}",
        },
      },
    },
    outputs: { link: "${found.url}" },
  },

  getEntitlements: {
    declares: { found: { function: "getEntitlements", arguments: { organizationSlug: "acme" } } },
    outputs: { entitlements: "${found.entitlements}" },
  },

  getProfile: {
    declares: { account: { function: "getProfile", arguments: {} } },
    outputs: { username: "${account.username}" },
  },

  getMembers: {
    declares: { found: { function: "getMembers", arguments: { organizationSlug: "acme" } } },
    outputs: { members: "${found.members}" },
  },

  getOrganization: {
    declares: { acme: { function: "getOrganization", arguments: { slug: "acme" } } },
    outputs: { plan: "${acme.plan}" },
  },

  getOrganizations: {
    declares: { found: { function: "getOrganizations", arguments: { name: "Acme" } } },
    outputs: { organizations: "${found.organizations}" },
  },
};
