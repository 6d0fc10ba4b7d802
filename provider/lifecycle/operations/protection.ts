import { InvalidInputError } from "../../client/errors/errors";
import type { AnyResource } from "../../define/resource";
import { protectionProblems } from "../problems";
import { isUrn, ownerOf } from "../ownership/identity";
import type { Values } from "../state";
import { isAdopted, ADOPTED } from "../ownership/adopted";

/** What a removal by the engine takes along, whatever this provider refuses. */
const DEPENDENTS =
  "Pulumi deletes its dependents first: only the resource option `protect: true` protects them too";

/** Whether the object must not be removed: as declared, or because it existed before Pulumi had it. */
export function isProtected({ protectedBy }: AnyResource, values: Values): boolean {
  if (protectedBy === undefined) return false;
  const declared = values[protectedBy];
  return typeof declared === "boolean" ? declared : isAdopted(values);
}

/** Throws where a change would replace an object that is protected by its state, or by what is declared from now on. */
export function refuseReplacement(
  resource: AnyResource,
  state: Values,
  inputs: Values,
  replaces: readonly string[],
): void {
  const [name = ""] = replaces;
  const isToBe = isProtected(resource, { [ADOPTED]: isAdopted(state), ...inputs });
  if (!isProtected(resource, state) && !isToBe) return;
  throw new InvalidInputError(
    name,
    protectionProblems.notReplaced.message({
      type: resource.type,
      names: replaces.join(", "),
      protection: resource.protectedBy ?? "",
      why: reasonFor(resource, { ...state, ...inputs }),
      dependents: DEPENDENTS,
    }),
  );
}

/** Throws where an object is protected, by the state alone. */
export function refuseRemoval(
  resource: AnyResource,
  { id, state }: { readonly id: string; readonly state: Values },
): void {
  if (!isProtected(resource, state)) return;
  const owner = ownerOf(state);
  throw new Error(
    protectionProblems.notDeleted.message({
      type: resource.type,
      id,
      protection: resource.protectedBy ?? "",
      why: reasonFor(resource, state),
      dependents: DEPENDENTS,
      urn: isUrn(owner) ? owner : "<urn>",
    }),
  );
}

/** What whoever takes over an object is told; undefined where nothing protects objects of this kind, or the program says so itself. */
export function protectionOfAdopted(resource: AnyResource, inputs: Values): string | undefined {
  const { protectedBy } = resource;
  if (protectedBy === undefined || typeof inputs[protectedBy] === "boolean") return undefined;
  return `\`${protectedBy}\` is on, because the resource was adopted or imported: it can be neither deleted nor replaced. ${DEPENDENTS}.`;
}

/** What the advice to take over an object goes on with. */
export function adviceToProtect({ protectedBy }: AnyResource): string[] {
  return protectedBy === undefined ? [] : [`An adopted object gets \`${protectedBy}\`. ${DEPENDENTS}`];
}

function reasonFor({ protectedBy }: AnyResource, values: Values): string {
  return typeof values[protectedBy ?? ""] === "boolean"
    ? "as the program declares"
    : "because the resource was adopted or imported";
}
