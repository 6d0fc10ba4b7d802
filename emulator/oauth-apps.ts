import { randomBytes, randomUUID } from "node:crypto";
import type { OAuthScope } from "../spec/operation";
import type { Clock } from "./clock";
import { Refusal } from "./handler";
import type { Grant } from "./tokens";

export interface OAuthAppSeed {
  /** Scopes that the user approved (management-api-1, Authentication 2). */
  readonly scopes: readonly OAuthScope[];
  /** The specification does not show it (management-api-1, Authentication 7); one hour when absent. */
  readonly accessTokenLifetimeMs?: number;
}

export interface OAuthAppCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
}

interface OAuthApp extends OAuthAppSeed {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accessTokenLifetimeMs: number;
  refreshToken: string;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

/** OAuth applications, each approved by one user, and the access tokens issued to them. */
export class OAuthApps {
  private readonly apps = new Map<string, OAuthApp>();
  private readonly accessTokens = new Map<string, { app: OAuthApp; expiresAt: number }>();

  constructor(private readonly clock: Clock) {}

  create(seed: OAuthAppSeed): OAuthAppCredentials {
    const app: OAuthApp = {
      scopes: seed.scopes,
      accessTokenLifetimeMs: seed.accessTokenLifetimeMs ?? 3_600_000,
      clientId: randomUUID(),
      clientSecret: newSecret("oas"),
      refreshToken: newSecret("oar"),
    };
    this.apps.set(app.clientId, app);
    return { clientId: app.clientId, clientSecret: app.clientSecret, refreshToken: app.refreshToken };
  }

  /** Exchanges a refresh token, which works once: the answer carries the next one. */
  refresh(clientId: string, clientSecret: string, refreshToken: string): IssuedTokens {
    const app = this.apps.get(clientId);
    if (app?.clientSecret !== clientSecret) throw new Refusal(401, "Invalid client_id or client_secret");
    if (app.refreshToken !== refreshToken)
      throw new Refusal(400, "Invalid refresh_token: unknown or already used");
    app.refreshToken = newSecret("oar");
    const accessToken = newSecret("oat");
    this.accessTokens.set(accessToken, { app, expiresAt: this.clock.now() + app.accessTokenLifetimeMs });
    return {
      accessToken,
      refreshToken: app.refreshToken,
      expiresInSeconds: Math.floor(app.accessTokenLifetimeMs / 1000),
    };
  }

  /** The rate-limit identity of an OAuth token is its application (management-api-1, Authentication 5). */
  find(accessToken: string): Grant | "expired" | undefined {
    const issued = this.accessTokens.get(accessToken);
    if (issued === undefined) return undefined;
    if (issued.expiresAt <= this.clock.now()) return "expired";
    return { kind: "oauth", identity: `app:${issued.app.clientId}`, scopes: new Set(issued.app.scopes) };
  }

  /** Whether there was such an access token. */
  revoke(accessToken: string): boolean {
    return this.accessTokens.delete(accessToken);
  }

  clear(): void {
    this.apps.clear();
    this.accessTokens.clear();
  }
}

function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(20).toString("hex")}`;
}
