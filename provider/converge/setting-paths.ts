import type { z } from "zod";
import { childAt, shapeOf } from "../../spec/shape-of";
import { traitsOf } from "../define/markers";
import { isObject } from "../define/unknown";
import { wireNameAt, type WireNames } from "./wire-names";

/** One setting: a field of the configuration, or of an object within it. */
export interface Setting {
  /** By the properties' names, as `features.s3Protocol.enabled`. */
  readonly name: string;
  readonly schema: z.ZodType;
  /** By the wire's names. */
  readonly wirePath: readonly string[];
}

/** The settings of these fields: each field of an object is one of its own, since it is managed apart from the others. */
export function settingsOf(
  fields: Readonly<Record<string, z.ZodType>>,
  wireNames: WireNames,
  above: Omit<Setting, "schema"> = { name: "", wirePath: [] },
): Setting[] {
  return Object.entries(fields).flatMap(([field, schema]) => {
    const name = above.name === "" ? field : `${above.name}.${field}`;
    const wirePath = [...above.wirePath, wireNameAt(wireNames, name, field)];
    const shape = shapeOf(schema);
    const { secret, set, hashed, writeOnly, normalize } = traitsOf(schema);
    const isWhole = [secret, set, hashed, writeOnly, normalize].some((trait) => trait !== undefined);
    if (shape.kind !== "object" || isWhole) return [{ name, schema, wirePath }];
    return settingsOf(shape.fields, wireNames, { name, wirePath });
  });
}

export function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), values);
}

/** These values by their paths as one object. */
export function nested(
  entries: readonly (readonly [path: readonly string[], value: unknown])[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [path, value] of entries) {
    let within = result;
    for (const key of path.slice(0, -1)) {
      const next = within[key];
      const below = isObject(next) ? next : {};
      within[key] = below;
      within = below;
    }
    const last = path.at(-1);
    if (last !== undefined) within[last] = value;
  }
  return result;
}

/** The schema of what is at a path; undefined where the schema does not have it. */
export function schemaAt(schema: z.ZodType, path: readonly string[]): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>(
    (at, key) => (at === undefined ? undefined : childAt(shapeOf(at), key)),
    schema,
  );
}

/**
 * A part of a body that the API merges, with what it asks for beside: an object of which a field is required, or of which
 * nothing is known, is sent whole, as the service has it.
 */
export function completed(schema: z.ZodType | undefined, wanted: unknown, there: unknown): unknown {
  if (!isObject(wanted) || !isObject(there)) return wanted;
  const shape = schema && shapeOf(schema);
  const fields = shape?.kind === "object" ? Object.values(shape.fields) : undefined;
  const isWhole = fields?.some((field) => !field.safeParse(undefined).success) ?? true;
  const sent = Object.entries(wanted).map(
    ([name, value]) => [name, completed(shape && childAt(shape, name), value, there[name])] as const,
  );
  return { ...(isWhole ? there : {}), ...Object.fromEntries(sent) };
}
