import { ResponseSchemaError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { isBeingRemoved } from "../../../define/project-status";
import type { ObjectCandidate } from "../../../define/resource";

/** The projects of an organization that have exactly this name: neither branches nor what is being removed. */
export async function findProjectsByName(
  ctx: Context,
  slug: string,
  name: string,
): Promise<ObjectCandidate[]> {
  const found = await ctx.api.listOrganizationProjects({ slug, search: name });
  const unnamed = found.find((project) => project.name == null);
  // Left out, it would look as if there were none of the name.
  if (unnamed !== undefined) throw createMissingProjectNameError(unnamed.ref);
  return found
    .filter((project) => project.name === name && project.is_branch !== true)
    .filter(({ status }) => !isBeingRemoved(status))
    .map(({ ref, region, status, inserted_at }) => ({
      id: ref,
      createdAt: inserted_at ?? undefined,
      label: `${name}, ${status ?? "no status"}, in ${region ?? "an unknown region"}, created ${inserted_at ?? "at an unknown time"}`,
    }));
}

function createMissingProjectNameError(ref: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `listOrganizationProjects failed: the answer has no name of the project ${ref}. Run again.`,
    "listOrganizationProjects",
    "projects.name",
  );
}
