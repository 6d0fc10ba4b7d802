import { InvalidInputError } from "../../client/errors/errors";
import type { Context } from "../../define/context";
import { listMarkedFields } from "../../define/markers";
import type { AnyResource, ObservedResource } from "../../define/resource";
import { listDifferingPaths } from "../../define/compare";
import { InitializationError } from "../step/errors";
import { settleResource, type SettledResource } from "../step/settle";
import { resourceProblems } from "../step/problems";
import { describeAdoptedProtection } from "../step/protection";
import { omitUndefined, type Values } from "../../define/values";
import { composeState } from "../step/state";
import {
  listFirstValues,
  listSentAlong,
  isWithin,
  describeNotSent,
  describeSentAlong,
} from "../step/adopted";
import { writeMarks } from "../../define/state-marks";

interface ExistingObject {
  readonly id: string;
  readonly inputs: Values;
  readonly observed: ObservedResource<Values, Values>;
}

/** Takes over an object that existed before Pulumi had it. Inputs that cannot be compared are recorded, and not sent. */
export async function adoptObject(
  ctx: Context,
  resource: AnyResource,
  existing: ExistingObject,
): Promise<SettledResource> {
  const { outputs } = existing.observed;
  const [other] = resource.contradicts?.(outputs, existing.inputs) ?? [];
  if (other !== undefined)
    throw createAdoptionError(resource, existing.id, other, ["another value", "the declared one"]);
  const differing = listDifferingInputs(resource, existing.id, existing.inputs, existing.observed);
  const recorded = listFirstValues(resource, outputs, existing.inputs).filter(
    (path) => !isWithin(path, differing),
  );
  const sentAlong = listSentAlong(resource, {}, existing.inputs, differing);
  const lines = [
    ...(recorded.length > 0 ? [describeNotSent(recorded)] : []),
    ...(sentAlong.length > 0 ? [describeSentAlong(sentAlong)] : []),
    describeAdoptedProtection(resource, existing.inputs),
  ];
  try {
    const { id, state } = await convergeExisting(ctx, resource, existing, recorded);
    for (const line of lines) if (line !== undefined) ctx.info(line);
    return { id, state: writeMarks(state, { isAdopted: true }) };
  } catch (error) {
    if (!(error instanceof InitializationError)) throw error;
    throw new InitializationError(error.id, writeMarks(error.state, { isAdopted: true }), error.cause);
  }
}

/** Brings an existing object to what is declared. Throws where it differs in something that only a replacement can change. */
export async function convergeExisting(
  ctx: Context,
  resource: AnyResource,
  { id, inputs, observed }: ExistingObject,
  recorded: readonly string[] = [],
): Promise<SettledResource> {
  const changed = listDifferingInputs(resource, id, inputs, observed);
  for (const name of recorded) changed.delete(name);
  // Where several resources share the object, a declared part is managed from now on, even where its value is right already.
  if (resource.shares !== undefined)
    for (const name of listManagedInputs(resource, inputs)) changed.add(name);
  const state: Values = { ...observed.outputs, ...observed.inputs };
  try {
    // An interrupted run may have begun to manage something that is no longer declared.
    const isToRelease = resource.unsetsRemovedInputs === true && Object.keys(ctx.ledger.kept).length > 0;
    if (changed.size === 0 && !isToRelease) return await settleResource(ctx, resource, id, inputs, observed);
    const updated = await resource.update?.(ctx, { id, state, inputs, changed });
    // Outputs of the update replace those that were read before it.
    const outputs = { ...observed.outputs, ...omitUndefined(updated?.outputs ?? {}) };
    return await settleResource(ctx, resource, id, inputs, { inputs: updated?.inputs ?? {}, outputs });
  } catch (error) {
    if (error instanceof InitializationError) throw error;
    throw new InitializationError(id, composeState(resource, inputs, observed), error);
  }
}

function listDifferingInputs(
  resource: AnyResource,
  id: string,
  inputs: Values,
  observed: ObservedResource<Values, Values>,
): Set<string> {
  const changed = new Set<string>();
  for (const [name, field, traits] of listMarkedFields(resource.inputs)) {
    const declared = inputs[name];
    if (declared === undefined || traits.local === true || traits.createOnly === true) continue;
    const seen = observed.inputs[name];
    if (seen !== undefined && listDifferingPaths(field, seen, declared).length === 0) continue;
    if (traits.replaces === undefined) changed.add(name);
    else if (seen !== undefined && traits.writeOnly !== true) {
      const values =
        traits.secret === true
          ? (["another value", "the declared one"] as const)
          : ([seen, declared] as const);
      throw createAdoptionError(resource, id, name, values);
    }
  }
  return changed;
}

function createAdoptionError(
  { type }: AnyResource,
  id: string,
  name: string,
  [was, is]: readonly [was: unknown, is: unknown],
): InvalidInputError {
  const found = { type, id, name, was: JSON.stringify(was), is: JSON.stringify(is) };
  return new InvalidInputError(name, resourceProblems.cannotBeAdopted.message(found));
}

/** The declared inputs that an update brings about. */
function listManagedInputs(resource: AnyResource, inputs: Values): string[] {
  return listMarkedFields(resource.inputs).flatMap(([name, , { local, createOnly, replaces }]) =>
    local === true || createOnly === true || replaces !== undefined || inputs[name] === undefined
      ? []
      : [name],
  );
}
