import { Refusal, type Handlers } from "./handler";
import type { OAuthApps } from "./oauth-apps";

export type OAuthHandlers = Pick<Handlers, "exchangeToken">;

/** The OAuth endpoints, which need the applications rather than the state. */
export function oauthHandlers(apps: OAuthApps): OAuthHandlers {
  return {
    // management-api-1, OAuth: there is no browser here in which a user could approve, hence no authorization code.
    exchangeToken({ body }) {
      if (body.grant_type !== undefined && body.grant_type !== "refresh_token") {
        throw new Refusal(400, `Unsupported grant_type: ${body.grant_type}`);
      }
      const { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken } = body;
      if (clientId === undefined || clientSecret === undefined) {
        throw new Refusal(401, "Missing client_id or client_secret");
      }
      if (refreshToken === undefined) throw new Refusal(400, "Missing refresh_token");
      const issued = apps.refresh(clientId, clientSecret, refreshToken);
      return {
        access_token: issued.accessToken,
        refresh_token: issued.refreshToken,
        expires_in: issued.expiresInSeconds,
        token_type: "Bearer" as const,
      };
    },
  };
}
