import { ResponseSchemaError } from "../../client/errors";
import type { Api, Context } from "../../define/context";

export type ListingQuery = Omit<Parameters<Api["listOrganizationProjects"]>[0], "limit" | "offset">;
type Page = Awaited<ReturnType<Api["listOrganizationProjects"]>>;
export type ListedProject = NonNullable<Page["projects"]>[number];

const PAGE_SIZE = 100;
/** More than a read has time for: what ends a listing that never ends, whatever its clock says. */
const MOST_PAGES = 2_000;

/** All pages of an organization's listing; a project that moves to another page meanwhile is told once. */
export async function allProjects(ctx: Context, query: ListingQuery): Promise<ListedProject[]> {
  const byRef = new Map<string, ListedProject>();
  for (let offset = 0, pages = 0; pages < MOST_PAGES; pages += 1) {
    const { projects, pagination } = await ctx.api.listOrganizationProjects({
      ...query,
      limit: PAGE_SIZE,
      offset,
    });
    // Without the list nothing says that there are no more.
    if (projects == null) throw unusable("the service answered without `projects`; run again");
    const before = byRef.size;
    for (const project of projects) byRef.set(project.ref, project);
    offset += projects.length;
    const count = pagination?.count ?? undefined;
    if (projects.length === 0 || (count !== undefined && offset >= count)) return [...byRef.values()];
    // A service that knows no pages answers the same one again.
    if (byRef.size === before) {
      if (count === undefined) return [...byRef.values()];
      throw unusable(`the service repeats ${before} of ${count} projects; run again or report it`);
    }
  }
  throw unusable(
    `the listing did not end after ${MOST_PAGES} pages; narrow it with \`search\` or \`statuses\``,
  );
}

function unusable(what: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `listOrganizationProjects: ${what}.`,
    "listOrganizationProjects",
    "projects",
  );
}
