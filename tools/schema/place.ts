import { pascalCase, singular } from "./pascal-case";

/** Where a schema stands, and what a type would be called that is met there first. */
export interface Place {
  /** For messages: `Project.inputs.regionSelection.code`. */
  readonly path: string;
  /** `ProjectRegionSelectionCode`. */
  readonly name: string;
  readonly side: "inputs" | "outputs";
}

/** The inputs or outputs of a resource or function. */
export function schemaPlace(owner: string, side: Place["side"]): Place {
  return { path: `${owner}.${side}`, name: pascalCase(owner), side };
}

/** A field. */
export function fieldPlace(place: Place, field: string): Place {
  return { ...place, path: `${place.path}.${field}`, name: place.name + pascalCase(field) };
}

/** An element of an array, a value of a map. */
export function elementPlace(place: Place): Place {
  return { ...place, path: `${place.path}[]`, name: singular(place.name) };
}

/** A member of a union that is told apart by a value. */
export function variantPlace(place: Place, value: string): Place {
  return { ...place, path: `${place.path}(${value})`, name: place.name + pascalCase(value) };
}
