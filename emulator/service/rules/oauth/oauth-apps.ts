import type { OAuthScope } from "../../../../spec/operation";
import { addAuthorization, issueRefreshToken, newSecret } from "./oauth-tokens";
import { DEFAULT_USER } from "../../access/tokens";
import type { World } from "../../world/world";
import { Refusal } from "../../answers/refusal";

export interface OAuthAppSeed {
  /** Scopes that it may ask for, all approved by the user (service, Access). */
  readonly scopes: readonly OAuthScope[];
  /** The specification does not show it (service, Access); one hour when absent. */
  readonly accessTokenLifetimeMs?: number;
  readonly name?: string;
  /** Where `authorize` may send the user back to; nowhere when absent. */
  readonly redirectUris?: readonly string[];
  /** A public application has no secret: it proves itself by PKCE, which it must use. */
  readonly isPublic?: boolean;
  /** Who approved it; `owner` when absent. */
  readonly user?: string;
}

export interface OAuthAppCredentials {
  readonly clientId: string;
  /** Empty for a public application. */
  readonly clientSecret: string;
  /** Of an approval that was given with the registration, so that no browser is needed. */
  readonly refreshToken: string;
}

/** Registers an application and approves it, as its user would in a browser. */
export function createOAuthApp(world: World, seed: OAuthAppSeed): OAuthAppCredentials {
  const redirectUris = [...(seed.redirectUris ?? [])];
  const broken = redirectUris.find((uri) => !URL.canParse(uri));
  if (broken !== undefined) throw new Refusal(400, `Not an absolute redirect URI: ${broken}`);
  const clientId = world.newId();
  const clientSecret = seed.isPublic === true ? null : newSecret("oas");
  world.state.oauth.apps.set(clientId, {
    clientId,
    clientSecret,
    name: seed.name ?? "Application",
    redirectUris,
    scopes: [...seed.scopes],
    accessTokenLifetimeMs: seed.accessTokenLifetimeMs ?? 3_600_000,
  });
  const authorization = addAuthorization(world, {
    clientId,
    user: seed.user ?? DEFAULT_USER,
    scopes: [...seed.scopes],
    organizationSlug: null,
    resource: null,
  });
  return {
    clientId,
    clientSecret: clientSecret ?? "",
    refreshToken: issueRefreshToken(world, authorization),
  };
}
