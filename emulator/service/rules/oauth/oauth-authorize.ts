import type { z } from "zod";
import { operations, type Operations } from "../../../../spec/table";
import { type CallSource, actingUser } from "../../access/caller";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import { ownProjectAt } from "../shared/project-at";
import { readChallenge } from "./oauth-pkce";
import type { AuthorizationRequestRecord, OAuthAppRecord } from "../../world/records/oauth";
import { Refusal } from "../../answers/refusal";

/** What both ways of asking have in common. */
type AuthorizeQuery =
  z.output<Operations["authorizeProjectClaim"]["query"]> extends infer Q ? Omit<Q, "project_ref"> : never;
type About = Pick<
  AuthorizationRequestRecord,
  "scopes" | "organizationSlug" | "resource" | "projectRef" | "user"
>;

/** How long a user may take to decide; unknown in the service. */
export const REQUEST_LIFETIME_MS = 3_600_000;

/** Asks the user, who decides elsewhere: here through the control API (service, OAuth). */
export const authorize: Handler<Operations["authorize"]> = ({ query, world, caller }) => {
  const app = applicationAt(world, query.client_id);
  const organizationSlug = query.organization_slug ?? null;
  if (organizationSlug !== null && !world.state.organizations.has(organizationSlug)) {
    throw new Refusal(404, "Organization not found");
  }
  ask(world, app, query, {
    scopes: scopesAsked(app, query.scope),
    organizationSlug,
    resource: query.resource ?? null,
    projectRef: null,
    user: askingUser(caller),
  });
};

/** The same, with a project that moves to the organization which the user chooses (decision 0021). */
export const authorizeProjectClaim: Handler<Operations["authorizeProjectClaim"]> = ({
  query,
  world,
  caller,
}) => {
  const app = applicationAt(world, query.client_id);
  const { ref } = ownProjectAt(world, query.project_ref);
  ask(world, app, query, {
    scopes: [...app.scopes],
    organizationSlug: null,
    resource: null,
    projectRef: ref,
    user: askingUser(caller),
  });
};

/** The request needs no token, hence mostly says nothing about the user. */
function askingUser(caller: CallSource): string | null {
  return caller.identity.startsWith("ip:") ? null : actingUser(caller);
}

function applicationAt(world: World, clientId: string): OAuthAppRecord {
  const app = world.state.oauth.apps.get(clientId);
  if (app === undefined) throw new Refusal(422, "Unrecognized client_id");
  return app;
}

/** Scopes are separated by spaces (RFC 6749, 3.3). */
export function scopesIn(text: string): string[] {
  return text.split(/\s+/).filter((scope) => scope !== "");
}

/** Without any scope, all that the application may have. */
function scopesAsked({ scopes }: OAuthAppRecord, text: string | undefined): OAuthAppRecord["scopes"] {
  const wanted = scopesIn(text ?? "");
  if (wanted.length === 0) return [...scopes];
  const refused = wanted.find((scope) => !scopes.some((allowed) => allowed === scope));
  if (refused !== undefined) {
    const isKnown = Object.values(operations).some(({ scope }) => scope === refused);
    throw new Refusal(
      400,
      `Invalid scope: ${refused} is ${isKnown ? "not allowed for this application" : "unknown"}`,
    );
  }
  return scopes.filter((scope) => wanted.includes(scope));
}

function ask(world: World, app: OAuthAppRecord, asked: AuthorizeQuery, about: About): void {
  const { redirect_uri: redirectUri, response_mode: responseMode = "query" } = asked;
  if (!app.redirectUris.includes(redirectUri)) {
    throw new Refusal(400, "Invalid redirect_uri: it is not registered for this application");
  }
  // Unknown whether the service still gives tokens without a code: here not, as OAuth 2.1 has it.
  if (asked.response_type !== "code") {
    throw new Refusal(400, `Unsupported response_type: ${asked.response_type}; use code`);
  }
  if (responseMode !== "query" && responseMode !== "fragment") {
    throw new Refusal(400, `Unsupported response_mode: ${responseMode}; use query or fragment`);
  }
  const pkce = readChallenge(asked.code_challenge, asked.code_challenge_method);
  if (pkce === null && app.clientSecret === null) {
    throw new Refusal(400, "Missing code_challenge: a public application must use PKCE");
  }
  forgetOldRequests(world);
  const id = world.newId();
  world.state.oauth.requests.set(id, {
    id,
    clientId: app.clientId,
    redirectUri,
    responseMode,
    state: asked.state ?? null,
    pkce,
    ...about,
    requestedAt: world.clock.now(),
  });
}

export function forgetOldRequests({ state: { oauth }, clock }: World): void {
  for (const [id, { requestedAt }] of oauth.requests) {
    if (clock.now() >= requestedAt + REQUEST_LIFETIME_MS) oauth.requests.delete(id);
  }
}
