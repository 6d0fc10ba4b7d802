import { ResponseSchemaError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import {
  listedProject,
  projectOnce,
  searchedProject,
  type ListedProject,
  type NamedProject,
} from "../../../lookup/listed-project";
import type { Api, Context } from "../../../define/context";

export const notListed = defineProblem({
  says: "listOrganizationProjects: the service does not show the databases of the project {ref}; nothing is taken to be gone. {remedy}.",
  means: "The organization's listing lacks the project, or what identifies its read replicas.",
  remedy: "Run again",
});

type Database = NonNullable<ListedProject["databases"]>[number];

/** A read replica that can be told from others. */
export interface ReplicaRecord extends Database {
  readonly identifier: string;
  /** It is being removed. */
  readonly isLeaving: boolean;
}

type Find = (ctx: Context, slug: string, project: NamedProject) => Promise<ListedProject | undefined>;

const LEAVING = ["GOING_DOWN", "REMOVED"];

/** A project's replicas but those that are being removed: one listing for all resources of a run. */
export async function replicasOf(ctx: Context, ref: string): Promise<ReplicaRecord[]> {
  const replicas = await replicasIn(ctx, await projectOnce(ctx, ref), listedProject);
  return replicas.filter(({ isLeaving }) => !isLeaving);
}

/** All of them as they are now. */
export async function replicasNow(ctx: Context, ref: string): Promise<ReplicaRecord[]> {
  return replicasIn(ctx, await ctx.api.getProject({ ref }), searchedProject);
}

async function replicasIn(
  ctx: Context,
  project: Awaited<ReturnType<Api["getProject"]>>,
  find: Find,
): Promise<ReplicaRecord[]> {
  const { ref, organization_slug: slug } = project;
  const databases = slug == null ? undefined : (await find(ctx, slug, project))?.databases;
  if (!Array.isArray(databases) || databases.length === 0) throw unlisted(ref);
  const primary = databases.find(({ type }) => type === "PRIMARY");
  return databases.flatMap((database) => {
    const { type, identifier, status } = database;
    // Left out, it would look as if it were gone.
    if (type == null || identifier == null) throw unlisted(ref);
    if (type !== "READ_REPLICA") return [];
    // A replica of a paused project goes down with its primary, and comes back with it.
    const isLeaving = status != null && LEAVING.includes(status) && primary?.status !== status;
    return [{ ...database, identifier, isLeaving }];
  });
}

function unlisted(ref: string): ResponseSchemaError {
  return new ResponseSchemaError(
    notListed.message({ ref }),
    "listOrganizationProjects",
    "projects.databases",
  );
}
