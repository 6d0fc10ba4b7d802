import { differencesBelow } from "../../define/compare";
import { fieldsOf } from "../../define/markers";
import { formatPath } from "../../define/property-path";
import type { AnyResource } from "../../define/resource";
import { holdsSecret } from "../../define/secret-fields";
import type { Values } from "../state";

/**
 * The paths of inputs that the service has otherwise than the state, in properties of which the engine shows
 * `[secret]` before and after: nobody would see from a refresh what changed.
 */
export function hiddenDrift(resource: AnyResource, state: Values, observed: Values): string[] {
  return fieldsOf(resource.inputs)
    .filter(([name, field]) => holdsSecret(field) && name in state)
    .flatMap(([name, field]) => differencesBelow(field, observed[name], state[name], [name]))
    .map(({ path }) => formatPath(path));
}
