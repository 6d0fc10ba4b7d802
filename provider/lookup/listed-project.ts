import type { Api, Context } from "../define/context";

/** A project as the organization's listing shows it, with its databases. */
export type ListedProject = Awaited<ReturnType<Api["listOrganizationProjects"]>>[number];

/** By what a project is found in the listing. */
export interface NamedProject {
  readonly ref: string;
  readonly name?: string | null | undefined;
}

type ProjectRecord = Awaited<ReturnType<Api["getProject"]>>;

const recordKey = (ref: string): string => `project-record:${ref}`;

/** A project as a refresh reads it: one call for all resources that need it. */
export function projectOnce(ctx: Context, ref: string): Promise<ProjectRecord> {
  return ctx.shared.list(recordKey(ref), () => ctx.api.getProject({ ref }));
}

/** To be called after every write to the project itself. */
export function forgetProject(ctx: Context, ref: string): void {
  ctx.shared.forget(recordKey(ref));
}

/** In a large organization a search by name is one call and the whole listing several, so the first ones search. */
export async function listedProject(
  ctx: Context,
  slug: string,
  project: NamedProject,
): Promise<ListedProject | undefined> {
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

/** The same as it is now, whatever a listing of this run showed. */
export async function searchedProject(
  ctx: Context,
  slug: string,
  { ref, name }: NamedProject,
): Promise<ListedProject | undefined> {
  const found = await ctx.api.listOrganizationProjects({ slug, ...(name == null ? {} : { search: name }) });
  return found.find((each) => each.ref === ref);
}
