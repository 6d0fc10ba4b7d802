import { ForbiddenError, isNotFound, ResponseSchemaError } from "../../../client/errors/errors";
import { poll } from "../../../waiting/poll";
import type { Api, Context } from "../../../define/context";

/** An organization as the service shows it. */
export type OrganizationRecord = Awaited<ReturnType<Api["getOrganization"]>>;
export type ListedOrganization = Awaited<ReturnType<Api["listOrganizations"]>>[number];

const LIST_KEY = "organizations";

/** The organizations that bear exactly this name. */
export async function organizationsOfName(ctx: Context, name: string): Promise<ListedOrganization[]> {
  const listed = await ctx.shared.list(LIST_KEY, () => ctx.api.listOrganizations({}));
  const unnamed = listed.find((each) => each.name == null);
  // Left out, it would look as if there were none of the name.
  if (unnamed !== undefined) throw withoutNameOf(unnamed.slug);
  return listed.filter((each) => each.name === name);
}

export async function createOrganization(ctx: Context, name: string): Promise<ListedOrganization> {
  return ctx.api.createOrganization({ body: { name } }).finally(() => ctx.shared.forget(LIST_KEY));
}

/** Reads an organization that may have been made a moment ago. */
export async function readMade(ctx: Context, slug: string): Promise<OrganizationRecord> {
  return poll<OrganizationRecord, OrganizationRecord>(ctx, {
    what: `the organization ${slug}`,
    look: () => ctx.api.getOrganization({ slug }),
    judge: (found) => ({ kind: "done", value: found }),
    mayPass: (error) => isNotFound(error) || error instanceof ForbiddenError,
  });
}

function withoutNameOf(slug: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `listOrganizations: the service answered without the name of the organization ${slug}; run again.`,
    "listOrganizations",
    "name",
  );
}
