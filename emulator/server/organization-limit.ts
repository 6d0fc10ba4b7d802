import type { Operation } from "../../spec/operation";
import type { CallSource } from "../access/caller";
import { Refusal } from "../handler";
import { reaches } from "../rules/organizations/members";
import type { World } from "../world/world";
import type { Input } from "./validate";

/** Refuses a call that concerns another organization than the one an application is approved for. */
export function requireWithinOrganization(
  world: World,
  caller: CallSource,
  operation: Operation,
  input: Input,
): void {
  const { organizationSlug } = caller;
  if (organizationSlug === undefined) return;
  const isNew = operation.method === "POST" && operation.path === "/v1/organizations";
  if (!isNew && organizationsNamed(world, operation, input).every((slug) => reaches(caller, slug))) return;
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
    path.startsWith("/v1/organizations/") ? textAt(input.params, "slug") : undefined,
    textAt(input.query, "organization_slug"),
    textAt(input.body, "organization_slug"),
  ].filter((slug) => slug !== undefined);
}

function textAt(fields: unknown, name: string): string | undefined {
  if (typeof fields !== "object" || fields === null || !(name in fields)) return undefined;
  const value: unknown = Reflect.get(fields, name);
  return typeof value === "string" ? value : undefined;
}
