import type { z } from "zod";
import { isObject } from "../../spec/is-object";
import { childAt, shapeOf } from "../../spec/shape-of";
import { differences } from "./compare";
import { traitsOf } from "./markers";

/** What the optional inputs have in a project in which nobody has changed them, by path. */
export interface NewProject {
  /**
   * The values that a setting may have there, several where plan or compute size decide. A setting that is not listed is
   * false, empty or not set.
   */
  readonly values: Readonly<Record<string, readonly unknown[]>>;
  /** Settings, or groups of them, of which no value is recorded: nothing tells whether somebody changed them. */
  readonly unrecorded?: readonly string[];
}

/** The part of an input that differs from what a new project has; undefined where nothing does. */
export function changedSinceNew(
  newProject: NewProject,
  schema: z.ZodType,
  value: unknown,
  path: string,
): unknown {
  if (newProject.unrecorded?.includes(path) === true) return undefined;
  const shape = shapeOf(schema);
  if (traitsOf(schema).group === true && shape.kind === "object" && isObject(value)) {
    const changed = Object.entries(value).flatMap(([name, one]) => {
      const field = childAt(shape, name);
      const kept = field === undefined ? one : changedSinceNew(newProject, field, one, `${path}.${name}`);
      return kept === undefined ? [] : [[name, kept] as const];
    });
    return changed.length === 0 ? undefined : Object.fromEntries(changed);
  }
  const known = newProject.values[path] ?? [false, "", null];
  return known.some((one) => differences(schema, one, value).length === 0) ? undefined : value;
}
