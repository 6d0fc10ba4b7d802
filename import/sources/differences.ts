import type { z } from "zod";
import { isObject } from "../../spec/is-object";
import { childAt, shapeOf } from "../../spec/shape-of";
import { resourceByType } from "../../provider/catalog/catalog";
import { listDifferingPaths } from "../../provider/define/compare";
import { holdsSecret, traitsOf } from "../../provider/define/markers";
import { ConfigValue, JoinedText } from "./config-value";
import type { SourceObject } from "./declared";

/** An input whose declared value the service does not have. */
export interface InputDifference {
  /** `smtp.host`. */
  readonly path: string;
  readonly declared: unknown;
  /** Undefined where the service has none. */
  readonly present: unknown;
}

/**
 * What a program with these inputs would change of what the service has: spellings of one value are none. Secrets and values of
 * the configuration are not compared here: the service shows no more than their hashes.
 */
export function listInputDifferences(
  { type, inputs }: SourceObject,
  present: Readonly<Record<string, unknown>>,
): InputDifference[] {
  return compareBelow(resourceByType(type).inputs, inputs, present, "");
}

function compareBelow(
  schema: z.ZodType,
  declared: unknown,
  present: unknown,
  path: string,
): InputDifference[] {
  if (declared instanceof ConfigValue || declared instanceof JoinedText) return [];
  if (isObject(declared) && shapeOf(schema).kind === "object")
    return compareFields(schema, declared, present, path);
  // What is never sent is on the service neither.
  if (holdsSecret(schema) || traitsOf(schema).local === true) return [];
  const isSame = listDifferingPaths(schema, present, declared).length === 0;
  return isSame ? [] : [{ path, declared, present: present ?? undefined }];
}

function compareFields(
  schema: z.ZodType,
  declared: Readonly<Record<string, unknown>>,
  present: unknown,
  path: string,
): InputDifference[] {
  return Object.entries(declared).flatMap(([key, value]) => {
    const field = childAt(shapeOf(schema), key);
    const there = isObject(present) ? present[key] : undefined;
    const at = path === "" ? key : `${path}.${key}`;
    return field === undefined ? [] : compareBelow(field, value, there, at);
  });
}
