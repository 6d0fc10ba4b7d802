import type { OAuthScope } from "../../../../spec/operation";
import { DEFAULT_USER } from "../../access/tokens";
import type { World } from "../../world/world";
import { ownProjectAt } from "../shared/project-at";
import { moveProject } from "../organizations/project-move";
import { forgetOldRequests } from "./oauth-authorize";
import { addAuthorization, newSecret } from "./oauth-tokens";
import type { AuthorizationRequestRecord } from "../../world/records/oauth";
import type { ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";

/** Which of the pending requests is meant; the only one when neither is given. */
export interface RequestChoice {
  readonly id?: string;
  readonly state?: string;
}

export interface Approval extends RequestChoice {
  /** The only organization that the application may reach; for a claim, the one that gets the project. */
  readonly organizationSlug?: string;
  /** Those of the scopes asked for that are approved; all when absent. */
  readonly scopes?: readonly OAuthScope[];
  /** Who approves; the user of the request, else `owner`, when absent. */
  readonly user?: string;
}

/** Where the user's browser is sent with the decision. */
export interface Redirection {
  readonly redirectTo: string;
}

/** What users were asked for and have not decided, oldest first. */
export function pendingRequests(world: World): AuthorizationRequestRecord[] {
  forgetOldRequests(world);
  return [...world.state.oauth.requests.values()];
}

/** Decides for the application: the redirection carries a code. */
export function approve(world: World, approval: Approval): Redirection {
  const request = chosen(world, approval);
  const organizationSlug = organizationFor(world, request, approval);
  const scopes = request.scopes.filter((scope) => approval.scopes?.includes(scope) ?? true);
  const unasked = approval.scopes?.find((scope) => !request.scopes.includes(scope));
  if (unasked !== undefined) throw new Refusal(400, `The application did not ask for the scope ${unasked}`);
  const claimed = request.projectRef === null ? undefined : ownProjectAt(world, request.projectRef);
  if (claimed !== undefined) claim(world, claimed, organizationSlug);

  const { oauth } = world.state;
  const { clientId, redirectUri, pkce, resource } = request;
  const user = approval.user ?? request.user ?? DEFAULT_USER;
  const { id } = addAuthorization(world, { clientId, user, scopes, organizationSlug, resource });
  const code = newSecret("oac");
  oauth.codes.set(code, {
    authorizationId: id,
    redirectUri,
    pkce,
    issuedAt: world.clock.now(),
    usedAt: null,
  });
  oauth.requests.delete(request.id);
  return redirection(request, { code });
}

/** Decides against it: the redirection carries the error. */
export function deny(world: World, choice: RequestChoice): Redirection {
  const request = chosen(world, choice);
  world.state.oauth.requests.delete(request.id);
  return redirection(request, { error: "access_denied" });
}

function chosen(world: World, { id, state }: RequestChoice): AuthorizationRequestRecord {
  const [request, ...others] = pendingRequests(world).filter(
    (each) => (id === undefined || each.id === id) && (state === undefined || each.state === state),
  );
  if (request === undefined) throw new Refusal(400, "No such authorization request is pending");
  if (others.length > 0) throw new Refusal(400, "Several authorization requests are pending: name an id");
  return request;
}

function organizationFor(
  world: World,
  request: AuthorizationRequestRecord,
  { organizationSlug }: Approval,
): string | null {
  if (organizationSlug !== undefined) {
    if (!world.state.organizations.has(organizationSlug)) throw new Refusal(404, "Organization not found");
    if (request.organizationSlug !== null && request.organizationSlug !== organizationSlug) {
      throw new Refusal(400, `The application asked for the organization ${request.organizationSlug}`);
    }
  }
  return organizationSlug ?? request.organizationSlug;
}

function claim(world: World, project: ProjectRecord, slug: string | null): void {
  if (slug === null) throw new Refusal(400, "A claim needs the organization that gets the project");
  if (project.organizationSlug === slug) {
    throw new Refusal(409, `The project belongs to the organization ${slug} already`);
  }
  moveProject(world, project, slug);
}

function redirection(
  { redirectUri, responseMode, state }: AuthorizationRequestRecord,
  decision: Readonly<Record<string, string>>,
): Redirection {
  const url = new URL(redirectUri);
  const answer = new URLSearchParams({ ...decision, ...(state !== null && { state }) });
  if (responseMode === "fragment") url.hash = answer.toString();
  else for (const [name, value] of answer) url.searchParams.set(name, value);
  return { redirectTo: url.href };
}
