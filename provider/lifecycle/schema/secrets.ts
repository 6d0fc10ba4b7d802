import type { z } from "zod";
import { childAt, shapeOf } from "../../../spec/shape-of";
import { fieldsOf, traitsOf } from "../../define/markers";
import type { AnyResource } from "../../define/resource";
import { asSecret, isSecret } from "./secret-signature";
import type { Values } from "../state";
import { isObject } from "../../../spec/is-object";
import { holdsSecret } from "../../define/secret-fields";

/** What a resource or a function takes and answers. */
type Surface = Pick<AnyResource, "inputs" | "outputs" | "bookkeeping">;

/** Wraps every secret value of a resource or a function, nested ones included, and the bookkeeping as a whole. */
export function wrapSecrets(surface: Surface, values: Values, wrap: (value: unknown) => unknown): Values {
  const own = surface.bookkeeping?.shape ?? {};
  return Object.fromEntries(
    Object.entries(wrapMarked(surface, values, wrap)).map(([name, value]) => [
      name,
      Object.hasOwn(own, name) && value !== undefined && value !== null ? wrap(values[name]) : value,
    ]),
  );
}

function wrapMarked(surface: Surface, values: Values, wrap: (value: unknown) => unknown): Values {
  const fields = new Map<string, z.ZodType>();
  const { outputs, bookkeeping } = surface;
  for (const [name, field] of fieldsOf(outputs)) fields.set(name, field);
  for (const [name, field] of bookkeeping === undefined ? [] : fieldsOf(bookkeeping)) fields.set(name, field);
  // A property that is an input as well is as secret as the input is.
  for (const [name, field] of fieldsOf(surface.inputs)) fields.set(name, field);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = fields.get(name);
      return [name, field === undefined ? value : wrapBelow(field, value, wrap)];
    }),
  );
}

function wrapBelow(schema: z.ZodType, value: unknown, wrap: (value: unknown) => unknown): unknown {
  if (value === undefined || value === null) return value;
  if (traitsOf(schema).secret === true) return wrap(value);
  const shape = shapeOf(schema);
  const below = (child: unknown, key: string | number): unknown => {
    const at = childAt(shape, key);
    return at === undefined ? child : wrapBelow(at, child, wrap);
  };
  if ((shape.kind === "object" || shape.kind === "record") && isObject(value)) return mapValues(value, below);
  if (shape.kind === "array" && Array.isArray(value)) return value.map(below);
  // Of a value that is not of the schema's shape nothing says where in it the secret is.
  return holdsSecret(schema) ? wrap(value) : value;
}

/** Marks as secret, whole, the properties that arrived as secrets: the user's own mark outlives the provider. */
export function keepSecrets(values: Values, secretNames: ReadonlySet<string>): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isMarked = isObject(value) && isSecret(value);
      return [name, secretNames.has(name) && !isMarked && value !== undefined ? asSecret(value) : value];
    }),
  );
}

/** The names of the properties that tell what an input says of which the program made a secret. */
export function derivedSecrets(
  { inputs, outputs }: Pick<AnyResource, "inputs" | "outputs">,
  isSecret: (name: string) => boolean,
): string[] {
  return [...fieldsOf(inputs), ...fieldsOf(outputs)].flatMap(([name, , { derivedFrom = [] }]) =>
    derivedFrom.some(isSecret) ? [name] : [],
  );
}

/** Every secret text within the values, to be kept out of messages. */
export function secretTexts(surface: Surface, values: Values): string[] {
  const texts: string[] = [];
  // Of what is composed the secret part is a property by itself; words such as the host may be named.
  const composed = fieldsOf(surface.outputs).filter(([, , traits]) => traits.composed === true);
  const apart = composed.map(([name]) => name);
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => !apart.includes(name)));
  // Names of settings and values that are no secrets stand in the bookkeeping as well.
  wrapMarked(surface, others, (value) => {
    texts.push(...textsIn(value));
    return value;
  });
  return texts;
}

/** Every text within a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function mapValues(values: Values, map: (value: unknown, key: string) => unknown): Values {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]));
}
