import { fieldsOf } from "../../define/markers";
import type { AnyResource } from "../../define/resource";
import { pick, type Values } from "../state";

/** The inputs that name the object which the resource's object is part of. */
export function parentInputs(resource: AnyResource): string[] {
  return fieldsOf(resource.inputs).flatMap(([name, , { parent }]) => (parent === true ? [name] : []));
}

/** The parent within which the object's id is unique; `""` where it is unique everywhere, so that no import id names one. */
export function scopeOf(resource: AnyResource, values: Values): string {
  return joined(
    values,
    parentInputs(resource).filter((name) => resource.importId.format.includes(`<${name}>`)),
  );
}

/** What the resource's object is part of, wherever its id is unique; `""` where that is not known. */
export function parentOf(resource: AnyResource, values: Values): string {
  return joined(values, parentInputs(resource));
}

function joined(values: Values, names: readonly string[]): string {
  return Object.values(pick(values, names))
    .filter((value) => typeof value === "string")
    .join("/");
}
