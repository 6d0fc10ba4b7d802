import type { Api, Context } from "../define/context";
import type { SharedCalls } from "../define/shared-calls";

/** A project as the organization's listing shows it, with its databases. */
export type ListedProject = Awaited<ReturnType<Api["listOrganizationProjects"]>>[number];

/** By what a project is found in the listing. */
export interface NamedProject {
  readonly ref: string;
  readonly name?: string | null | undefined;
}

type ProjectAnswer = Awaited<ReturnType<Api["getProject"]>>;

const recordKey = (ref: string): string => `project-record:${ref}`;

/** What the run keeps the state of a project or branch by. */
export const ownerStateKey = (ref: string): string => `owner-state:${ref}`;

/** The call that reads a project, and those that a run shares. */
interface ProjectReads {
  readonly api: Pick<Api, "getProject">;
  readonly shared: SharedCalls;
}

/** A project as a refresh reads it: one call for all resources that need it. */
export function readProjectOnce({ api, shared }: ProjectReads, ref: string): Promise<ProjectAnswer> {
  return shared.list(recordKey(ref), () => api.getProject({ ref }));
}

/** To be called after every write to the project itself. */
export function forgetProject({ shared }: Pick<ProjectReads, "shared">, ref: string): void {
  shared.forget(recordKey(ref));
  shared.forget(ownerStateKey(ref));
}

/** In a large organization a search by name is one call and the whole listing several, so the first ones search. */
export async function findListedProject(
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
  if (searches.count < first.pages) return searchProject(ctx, slug, project);
  const all = await ctx.shared.list(`projects:${slug}`, () => ctx.api.listOrganizationProjects({ slug }));
  return all.find(({ ref }) => ref === project.ref);
}

/** The same as it is now, whatever a listing of this run showed. */
export async function searchProject(
  ctx: Context,
  slug: string,
  { ref, name }: NamedProject,
): Promise<ListedProject | undefined> {
  const found = await ctx.api.listOrganizationProjects({ slug, ...(name == null ? {} : { search: name }) });
  return found.find((each) => each.ref === ref);
}
