import type { AnyResource } from "./define/resource";

/** Every resource of the provider. */
export const resources: readonly AnyResource[] = [];

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
