import type { Operation } from "../../../spec/operation";
import { type CallSource, reaches } from "../access/caller";
import { findGrant, type Grant } from "../access/tokens";
import type { World } from "../world/world";
import type { ApiRequest } from "./request";
import type { Service } from "./service";
import type { Input } from "./validate";
import { Refusal } from "../answers/refusal";

/** Who calls: always a rate-limit identity, and either what the token allows or why there is none. */
export interface Caller {
  readonly identity: string;
  readonly access: Grant | Refusal;
}

/** Finds the caller by the bearer token (service, Access). */
export function identify(service: Service, request: ApiRequest): Caller {
  const identity = `ip:${request.clientAddress}`;
  const refused = (why: string): Caller => ({ identity, access: new Refusal(401, `Unauthorized: ${why}`) });
  const token = bearerTokenIn(request.header("authorization"));
  if (token === undefined) return refused("send an access token as `Authorization: Bearer`");
  const grant = findGrant(service.world, token);
  if (grant === undefined) return refused("unknown access token");
  if (grant === "expired") return refused("the access token has expired");
  return { identity: grant.identity, access: grant };
}

/** The token of an `Authorization` header; undefined when there is none. */
export function bearerTokenIn(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
}

/** Refuses a call that the token does not cover (service, Access). */
export function authorize(operation: Operation, { access }: Caller): void {
  if (!needsToken(operation)) return;
  if (access instanceof Refusal) throw access;
  switch (access.kind) {
    case "full":
      return;
    case "oauth":
      if (operation.scope === undefined || access.scopes.includes(operation.scope)) return;
      throw new Refusal(403, `Forbidden: the access token lacks the scope ${operation.scope}`);
    case "fine-grained": {
      // A token that has either list may call it (service, Access).
      const { permissions, changedPermissions } = operation;
      const lists = permissions.length === 0 ? [] : [...permissions, ...changedPermissions];
      const lacking = lists.map((needed) =>
        needed.filter((permission) => !access.permissions.includes(permission)),
      );
      if (lacking.length === 0 || lacking.some((missing) => missing.length === 0)) return;
      const alternatives = lacking.map((missing) => missing.join(" and ")).join(" or ");
      throw new Refusal(403, `Forbidden: the access token lacks the permission ${alternatives}`);
    }
  }
}

/**
 * Whether a call needs a token at all. For `/v1/oauth/*` it is not shown (service, Access): those
 * that list no permission carry the application's own credentials instead.
 */
function needsToken(operation: Operation): boolean {
  return !(operation.path.startsWith("/v1/oauth/") && operation.permissions.length === 0);
}

/** What business rules are told of the caller. */
export function sourceOf({ identity, access }: Caller, { clientAddress }: ApiRequest): CallSource {
  const source = { identity, address: clientAddress };
  if (access instanceof Refusal) return source;
  const { kind, user, organizationSlug } = access;
  return {
    ...source,
    user,
    ...(organizationSlug !== null && { organizationSlug }),
    ...(organizationSlug !== null && kind !== "oauth" && { seesNoOther: true as const }),
    ...(access.kind === "fine-grained" && { permissions: access.permissions }),
  };
}

/** Refuses a call that concerns another organization than the one that the token reaches. */
export function requireWithinOrganization(
  world: World,
  caller: CallSource,
  operation: Operation,
  input: Input,
): void {
  const { organizationSlug, seesNoOther } = caller;
  if (organizationSlug === undefined) return;
  const isNew = operation.method === "POST" && operation.path === "/v1/organizations";
  if (!isNew && organizationsNamed(world, operation, input).every((slug) => reaches(caller, slug))) return;
  // service, Access: what a user does not see is not found.
  if (seesNoOther === true) {
    const isOfProject = ["ref", "branch_id_or_ref"].some((name) => textAt(input.params, name) !== undefined);
    throw new Refusal(404, isOfProject ? "Project not found" : "Organization not found");
  }
  throw new Refusal(403, `Forbidden: the access token is limited to the organization ${organizationSlug}`);
}

/** The organizations that a request names, by themselves or by a project or a branch of theirs. */
function organizationsNamed(world: World, { path }: Operation, input: Input): string[] {
  const { projects, branches } = world.state;
  const branchName = textAt(input.params, "branch_id_or_ref");
  const refs = [
    textAt(input.params, "ref"),
    textAt(input.query, "project_ref"),
    branches.get(branchName ?? "")?.projectRef ?? branchName,
  ];
  return [
    ...refs.map((ref) => projects.get(ref ?? "")?.organizationSlug),
    /^\/v[12]\/organizations\//.test(path) ? textAt(input.params, "slug") : undefined,
    textAt(input.query, "organization_slug"),
    textAt(input.body, "organization_slug"),
  ].filter((slug) => slug !== undefined);
}

function textAt(fields: unknown, name: string): string | undefined {
  if (typeof fields !== "object" || fields === null || !(name in fields)) return undefined;
  const value: unknown = Reflect.get(fields, name);
  return typeof value === "string" ? value : undefined;
}
