import { randomBytes } from "node:crypto";
import type { OAuthScope } from "../../../../spec/operation";
import type { World } from "../../world/world";
import type { AuthorizationRecord, OAuthAppRecord } from "../../world/records/oauth";

/** How long what is used up or expired is still known as such. */
const REMEMBERED_MS = 24 * 3_600_000;

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

export function newSecret(prefix: "oas" | "oac" | "oar" | "oat"): string {
  return `${prefix}_${randomBytes(20).toString("hex")}`;
}

export function addAuthorization(
  world: World,
  approved: Omit<AuthorizationRecord, "id" | "approvedAt">,
): AuthorizationRecord {
  const authorization = { ...approved, id: world.newId(), approvedAt: world.clock.now() };
  world.state.oauth.authorizations.set(authorization.id, authorization);
  return authorization;
}

export function issueRefreshToken({ state, clock }: World, { id }: AuthorizationRecord): string {
  const refreshToken = newSecret("oar");
  state.oauth.refreshTokens.set(refreshToken, { authorizationId: id, issuedAt: clock.now(), usedAt: null });
  return refreshToken;
}

/** An access token of these scopes, and the refresh token that works next. */
export function issueTokens(
  world: World,
  { accessTokenLifetimeMs }: OAuthAppRecord,
  authorization: AuthorizationRecord,
  scopes: OAuthScope[],
): IssuedTokens {
  forgetWhatIsOver(world);
  const accessToken = newSecret("oat");
  world.state.oauth.accessTokens.set(accessToken, {
    authorizationId: authorization.id,
    scopes,
    expiresAt: world.clock.now() + accessTokenLifetimeMs,
  });
  return {
    accessToken,
    refreshToken: issueRefreshToken(world, authorization),
    expiresInSeconds: Math.floor(accessTokenLifetimeMs / 1000),
  };
}

/** Takes an approval back, with all that was issued on the strength of it (service, OAuth). */
export function revokeAuthorization({ state: { oauth } }: World, authorizationId: string): void {
  oauth.authorizations.delete(authorizationId);
  for (const issued of [oauth.codes, oauth.accessTokens, oauth.refreshTokens]) {
    for (const [secret, record] of issued) {
      if (record.authorizationId === authorizationId) issued.delete(secret);
    }
  }
}

function forgetWhatIsOver({ state: { oauth }, clock }: World): void {
  const before = clock.now() - REMEMBERED_MS;
  for (const [code, { issuedAt }] of oauth.codes) if (issuedAt < before) oauth.codes.delete(code);
  for (const [token, { expiresAt }] of oauth.accessTokens) {
    if (expiresAt < before) oauth.accessTokens.delete(token);
  }
  for (const [token, { usedAt }] of oauth.refreshTokens) {
    if (usedAt !== null && usedAt < before) oauth.refreshTokens.delete(token);
  }
}
