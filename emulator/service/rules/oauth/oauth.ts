import type { z } from "zod";
import type { OAuthScope } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import { authorize, authorizeProjectClaim, scopesIn } from "./oauth-authorize";
import { checkVerifier } from "./oauth-pkce";
import { issueTokens, revokeAuthorization } from "./oauth-tokens";
import type { AuthorizationRecord, OAuthAppRecord } from "../../world/records/oauth";
import { Refusal } from "../../answers/refusal";

type Form = z.output<Operations["exchangeToken"]["body"]["schema"]>;

/** Unknown in the service: as long as RFC 6749, 4.1.2, allows. */
const CODE_LIFETIME_MS = 10 * 60_000;

/** A code or a refresh token for an access token and the next refresh token (service, OAuth). */
const exchangeToken: Handler<Operations["exchangeToken"]> = ({ body, world }) => {
  const app = authenticated(world, body.client_id, body.client_secret);
  // Optional (wire, OAuthTokenBody): what is sent decides which one is meant.
  const grantType = body.grant_type ?? (body.code === undefined ? "refresh_token" : "authorization_code");
  const exchange = grantType === "authorization_code" ? redeemCode : redeemRefreshToken;
  const { authorization, use } = exchange(world, app, body);
  if (body.resource !== undefined && body.resource !== authorization.resource) {
    throw new Refusal(400, "Invalid resource: it is not the one that was authorized");
  }
  const scopes = narrowed(authorization, body.scope);
  use();
  const issued = issueTokens(world, app, authorization, scopes);
  return {
    access_token: issued.accessToken,
    refresh_token: issued.refreshToken,
    expires_in: issued.expiresInSeconds,
    token_type: "Bearer",
  };
};

/** Takes back the authorization that a refresh token, be it used up, belongs to (service, OAuth). */
const revokeToken: Handler<Operations["revokeToken"]> = ({ body, world }) => {
  const app = authenticated(world, body.client_id, body.client_secret);
  const authorization = authorizationOf(world, world.state.oauth.refreshTokens.get(body.refresh_token));
  // Unknown what the service says to an unknown one: here it is as good as revoked (RFC 7009, 2.2).
  if (authorization === undefined) return;
  if (authorization.clientId !== app.clientId) {
    throw new Refusal(400, "Invalid refresh_token: it was issued to another application");
  }
  revokeAuthorization(world, authorization.id);
};

/** A public application has no secret, which is as good as an empty one. */
function authenticated(world: World, clientId?: string, clientSecret = ""): OAuthAppRecord {
  const app = world.state.oauth.apps.get(clientId ?? "");
  if (clientId === undefined || (clientSecret === "" && app?.clientSecret !== null)) {
    throw new Refusal(401, "Missing client_id or client_secret");
  }
  if (app === undefined || (app.clientSecret ?? "") !== clientSecret) {
    throw new Refusal(401, "Invalid client_id or client_secret");
  }
  return app;
}

/** What is exchanged, and how to use it up once nothing objects any more. */
interface Redeemed {
  readonly authorization: AuthorizationRecord;
  readonly use: () => void;
}

function redeemCode(world: World, app: OAuthAppRecord, body: Form): Redeemed {
  if (body.code === undefined) throw new Refusal(400, "Missing code");
  const now = world.clock.now();
  const code = world.state.oauth.codes.get(body.code);
  const authorization = authorizationOf(world, code);
  if (code === undefined || authorization?.clientId !== app.clientId) {
    throw new Refusal(400, "Invalid code: unknown or already used");
  }
  if (code.usedAt !== null) {
    // One of the two who had it has stolen it: nothing that came of it stays valid (RFC 6749, 4.1.2).
    revokeAuthorization(world, authorization.id);
    throw new Refusal(400, "Invalid code: already used; what was issued for it is revoked");
  }
  if (now >= code.issuedAt + CODE_LIFETIME_MS) throw new Refusal(400, "Invalid code: it has expired");
  if (body.redirect_uri !== code.redirectUri) {
    throw new Refusal(400, "Invalid redirect_uri: it is not the one of the authorization request");
  }
  checkVerifier(code.pkce, body.code_verifier);
  return { authorization, use: () => (code.usedAt = now) };
}

/** A refresh token works once: the answer carries the next one. */
function redeemRefreshToken(world: World, app: OAuthAppRecord, body: Form): Redeemed {
  if (body.refresh_token === undefined) throw new Refusal(400, "Missing refresh_token");
  const token = world.state.oauth.refreshTokens.get(body.refresh_token);
  const authorization = authorizationOf(world, token);
  if (token?.usedAt !== null || authorization?.clientId !== app.clientId) {
    throw new Refusal(400, "Invalid refresh_token: unknown or already used");
  }
  return { authorization, use: () => (token.usedAt = world.clock.now()) };
}

function authorizationOf(
  world: World,
  issued: { readonly authorizationId: string } | undefined,
): AuthorizationRecord | undefined {
  return world.state.oauth.authorizations.get(issued?.authorizationId ?? "");
}

/** Fewer scopes than approved may be asked for, never others (RFC 6749, 6). */
function narrowed({ scopes }: AuthorizationRecord, text: string | undefined): OAuthScope[] {
  if (text === undefined) return [...scopes];
  const wanted = scopesIn(text);
  const excess = wanted.find((scope) => !scopes.some((approved) => approved === scope));
  if (excess !== undefined) throw new Refusal(400, `Invalid scope: ${excess} was not approved`);
  return scopes.filter((scope) => wanted.includes(scope));
}

export const oauthHandlers = { exchangeToken, revokeToken, authorize, authorizeProjectClaim };
