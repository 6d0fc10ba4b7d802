import { ResponseSchemaError } from "../../client/errors";
import type { Api, Context } from "../../define/context";
import type { Candidate } from "../../define/resource";

const PAGE_SIZE = 100;

type Listed = NonNullable<Awaited<ReturnType<Api["listOrganizationProjects"]>>["projects"]>[number];

const WITHOUT_PROJECTS = "listOrganizationProjects: the service answered without `projects`; run again.";

/** The projects of an organization that bear exactly this name: neither branches nor what is being removed. */
export async function projectsOfName(ctx: Context, slug: string, name: string): Promise<Candidate[]> {
  const found: Listed[] = [];
  for (let offset = 0; ;) {
    const page = await ctx.api.listOrganizationProjects({ slug, search: name, limit: PAGE_SIZE, offset });
    const { projects } = page;
    // Without the list nothing says that there is none of the name.
    if (projects == null)
      throw new ResponseSchemaError(WITHOUT_PROJECTS, "listOrganizationProjects", "projects");
    found.push(...projects);
    offset += projects.length;
    if (projects.length === 0 || offset >= (page.pagination?.count ?? Infinity)) break;
  }
  return found
    .filter((project) => project.name === name && project.is_branch !== true)
    .filter(({ status }) => status !== "GOING_DOWN" && status !== "REMOVED")
    .map(({ ref, region, status, inserted_at }) => ({
      id: ref,
      createdAt: inserted_at ?? undefined,
      label: `${name}, ${status ?? "no status"}, in ${region ?? "an unknown region"}, made ${inserted_at ?? "at an unknown time"}`,
    }));
}
