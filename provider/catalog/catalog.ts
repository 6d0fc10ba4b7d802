import type { AnyFunction } from "../define/function";
import type { AnyResource } from "../define/resource";
import { functionLoaders, resourceAreas, resourceLoaders } from "./loaders.generated";

/** Loads every resource and action of the provider; what needs one alone takes it by its name. */
export function allResources(): readonly AnyResource[] {
  return Object.values(resourceLoaders).map((load) => load());
}

/** Loads every function of the provider. */
export function allFunctions(): readonly AnyFunction[] {
  return Object.values(functionLoaders).map((load) => load());
}

/** Loads the definition of a resource. Throws when this version of the package has no such type. */
export function resourceByType(type: string): AnyResource {
  const load = loaderIn(resourceLoaders, type);
  if (load === undefined) throw createUnknownNameError(`resource type ${type}`, resourceLoaders);
  return load();
}

/** The area that a type belongs to: `auth`, `functions`. */
export function areaOf(type: string): string {
  const area = Object.hasOwn(resourceAreas, type) ? resourceAreas[type] : undefined;
  if (area === undefined) throw createUnknownNameError(`resource type ${type}`, resourceLoaders);
  return area;
}

/** Loads the definition of a function. Throws when this version of the package has no such function. */
export function functionByName(name: string): AnyFunction {
  const load = loaderIn(functionLoaders, name);
  if (load === undefined) throw createUnknownNameError(`function ${name}`, functionLoaders);
  return load();
}

type Loaders<T> = Readonly<Record<string, () => T>>;

function loaderIn<T>(loaders: Loaders<T>, name: string): (() => T) | undefined {
  return Object.hasOwn(loaders, name) ? loaders[name] : undefined;
}

function createUnknownNameError(what: string, loaders: Loaders<unknown>): Error {
  return new Error(
    `pulumi-management has no ${what}; it has ${Object.keys(loaders).join(", ")}. ` +
      "A newer version of the package may be needed.",
  );
}
