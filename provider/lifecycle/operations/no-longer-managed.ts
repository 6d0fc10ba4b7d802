import { schemaAt } from "../../../spec/shape-of";
import { traitsOf } from "../../define/markers";
import { formatPath, type Path } from "../../define/property-path";
import type { AnyResource } from "../../define/resource";
import { isSecretAt, withoutForeignKeys } from "../schema/schema-place";
import type { Values } from "../state";

/** Longer values are not repeated. */
const MOST_SHOWN = 80;

/** What a plan says of an input that is taken out of the program and stays on the service. */
export function noLongerManaged(
  resource: AnyResource,
  state: Values,
  path: Path,
  isSecret: (name: string) => boolean,
): string {
  const isMarked = isSecret(String(path[0]));
  const name = formatPath(withoutForeignKeys(resource.inputs, path, isMarked));
  if (resource.isAction === true) {
    const toRunAgain = name === "triggers" ? "" : " To run it again, change `triggers`.";
    return `${name}: taken out, which does not run the action again.${toRunAgain}`;
  }
  const field = schemaAt(resource.inputs, path);
  const advice = field === undefined ? undefined : traitsOf(field).staysUnless;
  const isHidden = isMarked || isSecretAt(resource.inputs, path);
  const value = isHidden ? undefined : shown(path.reduce<unknown>(child, state));
  return [`${name}: no longer managed, stays ${value ?? "as it is"}.`, advice].filter(Boolean).join(" ");
}

function shown(value: unknown): string | undefined {
  const text = value === undefined ? undefined : JSON.stringify(value);
  return text === undefined || text.length > MOST_SHOWN ? undefined : text;
}

function child(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
