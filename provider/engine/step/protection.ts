import type { AnyResource } from "../../define/resource";
import { protectionProblems } from "./problems";
import { isUrn, readOwner } from "../../ledger/owner";
import type { Values } from "../../define/values";
import { readMarks, writeMarks } from "../../define/state-marks";

/** What a removal by the engine takes along, whatever this provider refuses. */
export const DEPENDENTS =
  "Pulumi deletes its dependents first: only the resource option `protect: true` protects them too";

/** Whether the object must not be removed: as declared, or because it existed before Pulumi had it. */
export function isProtected({ protectedBy, isProtectedByAdoption }: AnyResource, values: Values): boolean {
  if (protectedBy === undefined) return false;
  const declared = values[protectedBy];
  return typeof declared === "boolean"
    ? declared
    : isProtectedByAdoption === true && readMarks(values).isAdopted;
}

/**
 * Why a replacement of the object is refused, as the end of "Its `deletionProtection` is …"; undefined where it is not. What
 * holds data is replaced by the word of the state only, and not by one that comes with the change.
 */
export function explainProtection(resource: AnyResource, state: Values, inputs: Values): string | undefined {
  const { protectedBy } = resource;
  if (protectedBy === undefined) return undefined;
  const isToBe = isProtected(resource, writeMarks(inputs, { isAdopted: readMarks(state).isAdopted }));
  if (isToBe || isProtected(resource, state))
    return `on, ${explainReason(resource, { ...state, ...inputs })}`;
  return state[protectedBy] !== false && resource.holdsData?.(state) === true
    ? "not `false` in Pulumi's state"
    : undefined;
}

/** Throws where an object is protected, by the state alone. */
export function refuseRemoval(
  resource: AnyResource,
  { id, state }: { readonly id: string; readonly state: Values },
): void {
  if (!isProtected(resource, state)) return;
  const owner = readOwner(state);
  throw new Error(
    protectionProblems.notDeleted.message({
      type: resource.type,
      id,
      protection: resource.protectedBy ?? "",
      why: explainReason(resource, state),
      dependents: DEPENDENTS,
      urn: isUrn(owner) ? owner : "<urn>",
    }),
  );
}

/** What is reported to whoever takes over an object; undefined where that protects no object of this kind, or the program says so itself. */
export function describeAdoptedProtection(resource: AnyResource, inputs: Values): string | undefined {
  const { protectedBy, isProtectedByAdoption } = resource;
  if (protectedBy === undefined || isProtectedByAdoption !== true) return undefined;
  if (typeof inputs[protectedBy] === "boolean") return undefined;
  return `\`${protectedBy}\` is on, because the resource was adopted or imported: it can be neither deleted nor replaced. ${DEPENDENTS}.`;
}

/** What the advice to take over an object goes on with. */
export function listProtectionAdvice({ protectedBy, isProtectedByAdoption }: AnyResource): string[] {
  return protectedBy === undefined || isProtectedByAdoption !== true
    ? []
    : [`An adopted object gets \`${protectedBy}\`. ${DEPENDENTS}`];
}

function explainReason({ protectedBy }: AnyResource, values: Values): string {
  return typeof values[protectedBy ?? ""] === "boolean"
    ? "as the program declares"
    : "because the resource was adopted or imported";
}
