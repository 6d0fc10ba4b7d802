import { z } from "zod";
import { InvalidInputError } from "../client/errors/errors";
import {
  createNotFoundError,
  ofProject,
  explainMissingOrganization,
  explainMissingProject,
} from "../lookup/missing-errors";
import { ownerExists } from "../lookup/owner";
import type { ImportableObject, ObjectLister } from "../define/list";
import type { Context } from "../define/context";
import { organizationSlug, projectRef } from "../define/shared-arguments";
import type { AnyResource } from "../define/resource";
import { isImportable } from "./import";
import { describeIssues } from "./schema/describe-issue";
import { observe } from "./step/observe";
import { createContext, READ_TIMEOUT_SECONDS, type Runtime } from "./step/runtime";
import type { Values } from "../define/values";

/** How the objects of a type are listed; undefined where none can be imported. */
export function findList(resource: AnyResource): ObjectLister | undefined {
  const { refusal, isProjectRef } = resource.importId;
  if (refusal !== undefined) return undefined;
  return resource.list ?? (isProjectRef === true ? listByReading(resource) : undefined);
}

/** The arguments of a listing. */
export function listInputs({ of }: ObjectLister): z.ZodObject {
  if (of === undefined) return z.strictObject({});
  return z.strictObject(of === "projectRef" ? { projectRef } : { organizationSlug });
}

/** All objects of a type that an import takes, in the order of their ids; throws for faults of the arguments. */
export async function listResources(
  runtime: Runtime,
  resource: AnyResource,
  given: Values,
): Promise<readonly ImportableObject[]> {
  const list = findList(resource);
  if (list === undefined) {
    const { refusal, unlisted = "the API has no listing of them." } = resource.importId;
    const reason = refusal ?? unlisted;
    throw new InvalidInputError("type", `${resource.type} cannot be listed: ${reason}`);
  }
  const inputs = listInputs(list);
  const [fault] = describeIssues(inputs.safeParse(given).error?.issues ?? [], inputs, given);
  if (fault !== undefined) throw new InvalidInputError(fault.path, `\`${fault.path}\`: ${fault.reason}`);
  const ctx = createContext(runtime, { label: `listing of ${resource.type}`, seconds: READ_TIMEOUT_SECONDS });
  const owner = list.of === undefined ? "" : String(given[list.of]);
  const found = await explainMissingOwner(list, owner, list.objects(ctx, owner));
  return [...found].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function explainMissingOwner<T>({ of }: ObjectLister, owner: string, answer: Promise<T>): Promise<T> {
  if (of === undefined) return answer;
  return of === "projectRef"
    ? explainMissingProject(owner, answer)
    : explainMissingOrganization(owner, answer);
}

/** What a project has at most one of is listed by reading it. */
function listByReading(resource: AnyResource): ObjectLister {
  return {
    of: "projectRef",
    async objects(ctx: Context, ref: string) {
      const found = await observe(ctx, resource, { id: ref, state: { projectRef: ref } });
      // What cannot be imported would stop a whole import file.
      if (found !== undefined) return isImportable(resource, found.inputs) ? [{ id: ref, name: ref }] : [];
      // Nothing is found as well where there is no such project, which an empty list would hide.
      if (await ownerExists(ctx, ref)) return [];
      throw createNotFoundError("getProject", ofProject.noProject.message({ ref }));
    },
  };
}
