import type { Samples } from "../sample";

const redirectUri = "https://app.example/callback";

export const oauthSamples = {
  exchangeToken: ({ control }) => {
    const { clientId, clientSecret, refreshToken } = control.createOAuthApp({ scopes: ["projects:read"] });
    const client = { client_id: clientId, client_secret: clientSecret };
    return { body: { grant_type: "refresh_token", ...client, refresh_token: refreshToken } };
  },
  revokeToken: ({ control }) => {
    const { clientId, clientSecret, refreshToken } = control.createOAuthApp({ scopes: ["projects:read"] });
    return { body: { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken } };
  },
  authorize: ({ control }) => {
    const { clientId } = control.createOAuthApp({ scopes: ["projects:read"], redirectUris: [redirectUri] });
    return { client_id: clientId, response_type: "code", redirect_uri: redirectUri, scope: "projects:read" };
  },
  authorizeProjectClaim: ({ control, ref }) => {
    const { clientId } = control.createOAuthApp({ scopes: ["projects:read"], redirectUris: [redirectUri] });
    return { project_ref: ref, client_id: clientId, response_type: "code", redirect_uri: redirectUri };
  },
} satisfies Partial<Samples>;
