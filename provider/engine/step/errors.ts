import { isNotFound, type NotFoundError } from "../../client/errors/errors";
import { resourceProblems } from "./problems";
import type { Values } from "../../define/values";
import { writeMarks } from "../../define/state-marks";
import type { CheckFailure, AnyResource } from "../../define/resource";
import { replaceMessage } from "../../client/errors/with-message";
import { exists, isOwnerGone } from "../../lookup/owner";
import type { Context } from "../../define/context";
import { parentInputs } from "../../ledger/claim";
import { createStepContext, type Runtime } from "./runtime";

/** What Pulumi's state has is not on the service any more; a refresh shows what is. */
class GoneError extends Error {
  constructor(type: string, id: string, cause: NotFoundError) {
    super(resourceProblems.gone.message({ type, id, cause: cause.message }), { cause });
  }
}

/** Says what to do about an object that vanished while it was made or changed; any other error as it is. */
export function explainGone(type: string, id: string, error: unknown): unknown {
  return isNotFound(error) ? new GoneError(type, id, error) : error;
}

/** The resource exists and must be kept in state, but it is not what was declared yet; the next run goes on with it. */
export class InitializationError extends Error {
  readonly state: Values;
  readonly reasons: readonly string[];

  constructor(
    readonly id: string,
    state: Values,
    override readonly cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(reason);
    this.state = writeMarks(state, { isPending: true });
    this.reasons = [reason];
  }
}

/**
 * A failed check as the engine takes it. The engine prints the value of the property that a failure names, a secret's too,
 * so none is named: the path leads the reason (docs/decisions/0035).
 */
export function omitPropertyName(
  { path, reason }: CheckFailure,
  print: (text: string) => string,
): { readonly property: string; readonly reason: string } {
  return { property: "", reason: print(`${path}: ${reason}`) };
}

const ORGANIZATION = "organizationSlug";

/** The 404 of a create, with the input that names what is not there; any other error as it is. */
export async function nameMissingOwner(
  runtime: Runtime,
  resource: AnyResource,
  inputs: Values,
  error: unknown,
): Promise<unknown> {
  if (!isNotFound(error)) return error;
  const ctx = createStepContext(runtime, resource, "create", inputs);
  for (const input of parentInputs(resource)) {
    const value = inputs[input];
    if (typeof value !== "string" || !(await isMissing(ctx, input, value))) continue;
    const { kind, name } =
      input === ORGANIZATION
        ? { kind: "organization", name: "slug" }
        : { kind: "project or branch", name: "reference" };
    const cause = error.message;
    return replaceMessage(error, resourceProblems.ownerMissing.message({ kind, name, value, input, cause }));
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
