import { formatCodeList } from "../../define/format-code-list";
import { listMarkedFields } from "../../define/markers";
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
  return listFirstValues(resource, state, inputs).filter((name) => !before.has(name));
}

/** Inputs of which nothing shows whether an object that was taken over has the declared value. */
export function listFirstValues(resource: AnyResource, state: Values, inputs: Values): string[] {
  const known = omitUnknown(inputs);
  const others = resource.contradicts?.(state, known) ?? [];
  return listUnreadable(resource).filter((name) => isGiven(inputs[name]) && !others.includes(name));
}

/** Inputs of which nothing can be read. */
export function listUnreadable(resource: AnyResource): string[] {
  return listMarkedFields(resource.inputs).flatMap(([name, , { writeOnly }]) =>
    writeOnly === true ? [name] : [],
  );
}

/** What a plan says of inputs that are recorded only. */
export function describeNotSent(names: readonly string[]): string {
  return (
    `${formatCodeList(names)}: recorded, not sent. The service does not return the current value, so the first value that you declare after ` +
    "an adoption or import is assumed to be the current one. Only a later change is sent."
  );
}

/** What a plan says before it is known whether there is something to adopt; undefined where there is nothing to say. */
export function describeNotSentIfAdopted(resource: AnyResource, inputs: Values): string | undefined {
  const isAdopting = inputs["adopt"] === true || isGiven(inputs["adoptId"]);
  const names = listUnreadable(resource).filter((name) => isGiven(inputs[name]));
  return isAdopting && names.length > 0 ? `If it exists, ${describeNotSent(names)}` : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
