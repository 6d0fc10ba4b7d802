import { ForbiddenError } from "../../../client/errors";
import type { Api, Context } from "../../../define/context";
import type { ProjectRecord } from "./status";

type Listed = Awaited<ReturnType<Api["listOrganizationProjects"]>>[number];

/**
 * The compute size as the organization's listing shows it, one listing for all projects of a run; undefined where the
 * listing does not show it, or may not be read.
 */
export async function listedSize(ctx: Context, project: ProjectRecord): Promise<string | undefined> {
  return sizeIn(project, (slug) => listedProject(ctx, slug, project));
}

/** The same as it is now, whatever a listing of this run showed. */
export async function listedSizeNow(ctx: Context, project: ProjectRecord): Promise<string | undefined> {
  return sizeIn(project, (slug) => searchedProject(ctx, slug, project));
}

async function sizeIn(
  { organization_slug: slug }: ProjectRecord,
  find: (slug: string) => Promise<Listed | undefined>,
): Promise<string | undefined> {
  if (slug == null) return undefined;
  try {
    const primary = (await find(slug))?.databases?.find(({ type }) => type === "PRIMARY");
    return primary?.infra_compute_size ?? undefined;
  } catch (error) {
    // A token may be allowed to see projects, but not their organization.
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  }
}

/** In a large organization a search by name is one call and the whole listing several, so the first ones search. */
async function listedProject(
  ctx: Context,
  slug: string,
  project: ProjectRecord,
): Promise<Listed | undefined> {
  const first = await ctx.shared.list(`projects:${slug}:first`, () =>
    ctx.api.firstOrganizationProjects({ slug }),
  );
  const found = first.projects.find(({ ref }) => ref === project.ref);
  if (found !== undefined || first.isWhole) return found;
  const searches = await ctx.shared.list(`projects:${slug}:searches`, () => Promise.resolve({ count: 0 }));
  searches.count += 1;
  if (searches.count < first.pages) return searchedProject(ctx, slug, project);
  const all = await ctx.shared.list(`projects:${slug}`, () => ctx.api.listOrganizationProjects({ slug }));
  return all.find(({ ref }) => ref === project.ref);
}

async function searchedProject(
  ctx: Context,
  slug: string,
  { ref, name }: ProjectRecord,
): Promise<Listed | undefined> {
  const found = await ctx.api.listOrganizationProjects({ slug, ...(name == null ? {} : { search: name }) });
  return found.find((each) => each.ref === ref);
}
