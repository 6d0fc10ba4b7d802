import type { z } from "zod";
import { shapeOf } from "../spec/shape-of";
import { isObject } from "../spec/is-object";
import { listMarkedFields, traitsOf } from "../provider/define/markers";
import type { AnyResource } from "../provider/define/resource";
import type { UndeclarableValue } from "../provider/engine/fit-inputs";
import type { Values } from "../provider/define/values";

/** What the program leaves to the service, and why. */
interface Omission {
  readonly type: string;
  readonly label: string;
  readonly why: string;
}

/** What of an object that is taken over the program does not declare, and why. */
export function listOmissions(
  resource: AnyResource,
  label: string,
  {
    declares,
    misfits,
    hidden: alsoHidden = [],
  }: {
    readonly declares: Values;
    readonly misfits: readonly UndeclarableValue[];
    readonly hidden?: readonly string[];
  },
): Omission[] {
  const { type, importId } = resource;
  const hidden = [...new Set([...listHiddenPaths(resource.inputs, declares), ...alsoHidden])].filter(
    (path) => !misfits.some((misfit) => misfit.path === path),
  );
  return [
    ...misfits.map(({ path, reason }) => ({ type, label, why: `\`${path}\` cannot be declared: ${reason}` })),
    ...hidden.map((path) => ({ type, label, why: `\`${path}\`: the service does not show it` })),
    ...(importId.leavesOut === undefined ? [] : [{ type, label, why: importId.leavesOut }]),
  ];
}

/** Secrets, and what can only be written, of which nothing was read; in groups, of those that are declared. */
function listHiddenPaths(schema: z.ZodObject, declares: Values, above = ""): string[] {
  return listMarkedFields(schema).flatMap(([name, field, { computed, createOnly }]) => {
    const value = declares[name];
    const path = `${above}${name}`;
    if (computed === true || createOnly === true) return [];
    if (value === undefined || value === null) return isHidden(field) ? [path] : [];
    const shape = shapeOf(field);
    return shape.kind === "object" && isObject(value) ? listHiddenPaths(shape.inner, value, `${path}.`) : [];
  });
}

function isHidden(field: z.ZodType): boolean {
  const { secret, writeOnly } = traitsOf(field);
  return secret === true || writeOnly === true;
}
