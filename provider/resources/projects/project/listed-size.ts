import { ForbiddenError } from "../../../client/errors/errors";
import { listedProject, searchedProject, type ListedProject } from "../../../lookup/listed-project";
import type { Context } from "../../../define/context";
import type { ProjectRecord } from "./status";

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
  find: (slug: string) => Promise<ListedProject | undefined>,
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
