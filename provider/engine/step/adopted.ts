import { formatCodeList } from "../../define/format-code-list";
import { shapeOf } from "../../../spec/shape-of";
import { isObject } from "../../../spec/is-object";
import { listMarkedFields, traitsOf } from "../../define/markers";
import type { AnyResource } from "../../define/resource";
import { omitUnknown } from "../../define/unknown";
import type { Values } from "../../define/values";
import { listDeclaredNames } from "./state";
import { readMarks } from "../../define/state-marks";

/**
 * Inputs that are declared for the first time of an object which was taken over, and that the service shows neither as
 * they are nor by a hash. Nothing shows whether they differ from what it has: they are recorded, and not sent.
 */
export function listRecordedOnly(resource: AnyResource, state: Values, inputs: Values): string[] {
  if (!readMarks(state).isAdopted) return [];
  const before = listDeclaredNames(resource, state);
  return listFirstValues(resource, state, inputs).filter((path) => {
    const [name = "", within] = path.split(".");
    return within === undefined ? !before.has(name) : !isGiven(valueWithin(state, name, within));
  });
}

/** Inputs of which nothing shows whether an object that was taken over has the declared value. */
export function listFirstValues(resource: AnyResource, state: Values, inputs: Values): string[] {
  const known = omitUnknown(inputs);
  const others = resource.contradicts?.(state, known) ?? [];
  const own = listUnreadable(resource).filter((name) => isGiven(inputs[name]) && !others.includes(name));
  return [...own, ...listGivenWithin(resource, inputs)];
}

/** What of these paths is within an input that is changed: an object is sent whole. */
export function listSentAlong(
  resource: AnyResource,
  state: Values,
  inputs: Values,
  changed: ReadonlySet<string>,
): string[] {
  return listGivenWithin(resource, inputs).filter((path) => {
    const [name = "", within = ""] = path.split(".");
    const [was, is] = [valueWithin(state, name, within), valueWithin(inputs, name, within)];
    return changed.has(name) && (!isGiven(was) || JSON.stringify(was) === JSON.stringify(is));
  });
}

/** Whether the path leads into an input that is changed. */
export function isWithin(path: string, changed: ReadonlySet<string>): boolean {
  const [name = "", within] = path.split(".");
  return within !== undefined && changed.has(name);
}

/** Inputs of which nothing can be read. */
export function listUnreadable(resource: AnyResource): string[] {
  return listMarkedFields(resource.inputs).flatMap(([name, , { writeOnly }]) =>
    writeOnly === true ? [name] : [],
  );
}

/** What the program declares within objects of which nothing can be read: `datadog.apiKey`. */
function listGivenWithin(resource: AnyResource, inputs: Values): string[] {
  return listMarkedFields(resource.inputs).flatMap(([name, field]) => {
    const shape = shapeOf(field);
    if (shape.kind !== "object" || traitsOf(field).writeOnly === true) return [];
    return Object.entries(shape.fields)
      .filter(
        ([within, child]) => traitsOf(child).writeOnly === true && isGiven(valueWithin(inputs, name, within)),
      )
      .map(([within]) => `${name}.${within}`);
  });
}

function valueWithin(values: Values, name: string, within: string): unknown {
  const above = values[name];
  return isObject(above) ? above[within] : undefined;
}

/** What a plan says of inputs that are recorded only. */
export function describeNotSent(names: readonly string[]): string {
  return (
    `${formatCodeList(names)}: recorded, not sent. The service does not return the current value, so the first value that you declare after ` +
    "an adoption or import is assumed to be the current one. Only a later change is sent."
  );
}

/** What a plan says of inputs that are sent only because another value of their object is. */
export function describeSentAlong(names: readonly string[]): string {
  return (
    `${formatCodeList(names)}: sent along, as the whole object is sent. The service does not return the current value, so a different one is ` +
    "replaced by the declared one."
  );
}

/** What a plan says before it is known whether there is something to adopt; undefined where there is nothing to say. */
export function describeNotSentIfAdopted(resource: AnyResource, inputs: Values): string | undefined {
  const isAdopting = inputs["adopt"] === true || isGiven(inputs["adoptId"]);
  const within = listGivenWithin(resource, inputs);
  const names = [...listUnreadable(resource).filter((name) => isGiven(inputs[name])), ...within];
  if (!isAdopting || names.length === 0) return undefined;
  const unless = `If another value of the same object differs, ${formatCodeList(within)} is sent along.`;
  return `If it exists, ${describeNotSent(names)}${within.length === 0 ? "" : ` ${unless}`}`;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
