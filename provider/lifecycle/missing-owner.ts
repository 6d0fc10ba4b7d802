import { isNotFound } from "../client/errors/errors";
import { restated } from "../client/errors/restated";
import { exists, isOwnerGone } from "../lookup/owner";
import type { Context } from "../define/context";
import type { AnyResource } from "../define/resource";
import { parentInputs } from "./ownership/parent";
import { resourceProblems } from "./problems";
import { contextFor, type Runtime } from "./runtime";
import type { Values } from "./state";

const ORGANIZATION = "organizationSlug";

/** The 404 of a create, with the input that names what is not there; any other error as it is. */
export async function namingOwner(
  runtime: Runtime,
  resource: AnyResource,
  inputs: Values,
  error: unknown,
): Promise<unknown> {
  if (!isNotFound(error)) return error;
  const ctx = contextFor(runtime, resource, "create", inputs);
  for (const input of parentInputs(resource)) {
    const value = inputs[input];
    if (typeof value !== "string" || !(await isMissing(ctx, input, value))) continue;
    const { kind, name } =
      input === ORGANIZATION
        ? { kind: "organization", name: "slug" }
        : { kind: "project or branch", name: "reference" };
    const cause = error.message;
    return restated(error, resourceProblems.ownerMissing.message({ kind, name, value, input, cause }));
  }
  return error;
}

async function isMissing(ctx: Context, input: string, value: string): Promise<boolean> {
  if (input !== ORGANIZATION) return isOwnerGone(ctx, value);
  return exists(ctx.api.getOrganization({ slug: value })).then(
    (there) => !there,
    () => false,
  );
}
