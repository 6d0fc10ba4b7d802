import type { Example } from "../../define/example";

export const example: Example = {
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
};
