import { randomBytes } from "node:crypto";
import type { OAuthScope } from "../../../spec/operation";
import { newMember } from "../world/records/organization";
import type { WorldState } from "../world/state";
import type { World } from "../world/world";

/** A personal access token to issue. */
export interface TokenSeed {
  /** Random when absent. */
  readonly token?: string;
  /** `full`, the default, holds every privilege of the user; `fine-grained` only the permissions listed. */
  readonly kind?: "full" | "fine-grained";
  readonly permissions?: readonly string[];
  /** Tokens of one user share their rate limits; `owner` when absent. */
  readonly user?: string;
  /** The only organization that it sees, as of a user who is a member of no other; all when absent. */
  readonly organizationSlug?: string;
}

/** What a token allows, and whose it is (service, Access). */
export type Grant = {
  readonly identity: string;
  readonly user: string;
  /** The only organization that it reaches, as that of a user, or approved for an application; null for all. */
  readonly organizationSlug: string | null;
} & (
  | { readonly kind: "full" }
  | { readonly kind: "fine-grained"; readonly permissions: readonly string[] }
  | { readonly kind: "oauth"; readonly scopes: readonly OAuthScope[] }
);

/** The user of tokens that name none. */
export const DEFAULT_USER = "owner";

export function issueToken(state: WorldState, seed: TokenSeed = {}): string {
  const token = seed.token ?? newToken();
  const user = seed.user ?? DEFAULT_USER;
  const kind = seed.kind ?? (seed.permissions ? "fine-grained" : "full");
  const { permissions = [], organizationSlug = null } = seed;
  state.accessTokens.set(token, { kind, user, permissions: [...permissions], organizationSlug });
  joinOrganizations(state, user);
  return token;
}

export function newToken(): string {
  return `pat_${randomBytes(20).toString("hex")}`;
}

/** Every user reaches every organization here, hence is a member of each that exists when the token is issued. */
function joinOrganizations(state: WorldState, user: string): void {
  for (const { members } of state.organizations.values()) {
    if (!members.has(user)) members.set(user, newMember(user, "Administrator"));
  }
}

export function findGrant({ state, clock }: World, token: string): Grant | "expired" | undefined {
  const personal = state.accessTokens.get(token);
  if (personal !== undefined) {
    const { kind, user, permissions, organizationSlug } = personal;
    const whose = { identity: `user:${user}`, user, organizationSlug };
    return kind === "full" ? { kind, ...whose } : { kind, ...whose, permissions };
  }
  const issued = state.oauth.accessTokens.get(token);
  const authorization = state.oauth.authorizations.get(issued?.authorizationId ?? "");
  if (issued === undefined || authorization === undefined) return undefined;
  if (issued.expiresAt <= clock.now()) return "expired";
  const { clientId, user, organizationSlug } = authorization;
  // The rate-limit identity of an OAuth token is its application (service, Access).
  return { kind: "oauth", identity: `app:${clientId}`, user, scopes: issued.scopes, organizationSlug };
}

/** Whether there was such an access token, of either kind. */
export function revokeAccessToken(state: WorldState, token: string): boolean {
  return state.accessTokens.delete(token) || state.oauth.accessTokens.delete(token);
}
