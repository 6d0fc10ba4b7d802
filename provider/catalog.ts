import type { AnyFunction } from "./define/function";
import type { AnyResource } from "./define/resource";
import { functionLoaders, resourceLoaders } from "./loaders.generated";

/** Every resource and action of the provider, loaded; what needs one alone takes it by its name. */
export const resources: readonly AnyResource[] = Object.values(resourceLoaders).map((load) => load());

/** Every function of the provider, loaded. */
export const functions: readonly AnyFunction[] = Object.values(functionLoaders).map((load) => load());
