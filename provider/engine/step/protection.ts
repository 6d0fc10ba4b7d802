import { isProtected } from "../../define/protection";
import { PROTECTION_INPUT, type AnyResource } from "../../define/resource";
import { protectionProblems } from "./problems";
import { isUrn, readOwner, UNKNOWN_URN } from "../../ledger/owner";
import type { Values } from "../../define/values";
import { readMarks, writeMarks } from "../../define/state-marks";

/** What a removal by the engine takes along, whatever this provider refuses. */
export const DEPENDENTS =
  "Pulumi deletes its dependents first: only the resource option `protect: true` protects them too";

/**
 * Why a replacement of the object is refused, as the end of "Its `deletionProtection` is …"; undefined where it is not. What
 * holds data is replaced by the word of the state only, and not by one that comes with the change.
 */
export function explainProtection(resource: AnyResource, state: Values, inputs: Values): string | undefined {
  const { protection } = resource;
  if (protection === undefined) return undefined;
  const isToBe = isProtected(resource, writeMarks(inputs, { isAdopted: readMarks(state).isAdopted }));
  if (isToBe || isProtected(resource, state)) return `on, ${explainReason({ ...state, ...inputs })}`;
  return state[PROTECTION_INPUT] !== false && protection.holdsData(state)
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
      protection: PROTECTION_INPUT,
      why: explainReason(state),
      dependents: DEPENDENTS,
      urn: isUrn(owner) ? owner : UNKNOWN_URN,
    }),
  );
}

/** What is reported to whoever takes over an object; undefined where that protects no object of this kind, or the program says so itself. */
export function describeAdoptedProtection(resource: AnyResource, inputs: Values): string | undefined {
  if (resource.protection?.isOnIfAdopted !== true || typeof inputs[PROTECTION_INPUT] === "boolean")
    return undefined;
  return `\`${PROTECTION_INPUT}\` is on, because the resource was adopted or imported: it can be neither deleted nor replaced. ${DEPENDENTS}.`;
}

/** What the advice to take over an object goes on with. */
export function listProtectionAdvice({ protection }: AnyResource): string[] {
  return protection?.isOnIfAdopted === true
    ? [`An adopted object gets \`${PROTECTION_INPUT}\`. ${DEPENDENTS}`]
    : [];
}

function explainReason(values: Values): string {
  return typeof values[PROTECTION_INPUT] === "boolean"
    ? "as the program declares"
    : "because the resource was adopted or imported";
}
