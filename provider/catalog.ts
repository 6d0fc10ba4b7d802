import { functions, resources } from "./catalog.generated";
import type { AnyFunction } from "./define/function";
import type { AnyResource } from "./define/resource";

export { functions, resources };

/** Throws when this version of the package has no such type. */
export function resourceByType(type: string): AnyResource {
  const resource = resources.find((candidate) => candidate.type === type);
  if (resource === undefined) {
    throw new Error(
      `pulumi-management has no resource type ${type}; it has ${resources.map((one) => one.type).join(", ")}. ` +
        "A newer version of the package may be needed.",
    );
  }
  return resource;
}

/** Throws when this version of the package has no such function. */
export function functionByName(name: string): AnyFunction {
  const found = functions.find(
    (candidate) => candidate.name === name || candidate.formerNames?.includes(name) === true,
  );
  if (found === undefined) {
    throw new Error(
      `pulumi-management has no function ${name}; it has ${functions.map((one) => one.name).join(", ")}. ` +
        "A newer version of the package may be needed.",
    );
  }
  return found;
}
