import type { z } from "zod";
import { childAt, shapeOf, schemaAt } from "../../../spec/shape-of";
import { listMarkedFields, traitsOf, holdsSecret } from "../../define/markers";
import type { AnyResource } from "../../define/resource";
import type { Values } from "../../define/values";
import { isObject } from "../../../spec/is-object";
import type { Path } from "../../define/property-path";

/** What a resource or a function takes and answers. */
type SchemaSurface = Pick<AnyResource, "inputs" | "outputs" | "bookkeeping">;

/** Wraps every secret value of a resource or a function, nested ones included, and the bookkeeping as a whole. */
export function wrapSecrets(
  surface: SchemaSurface,
  values: Values,
  wrap: (value: unknown) => unknown,
): Values {
  const own = surface.bookkeeping?.shape ?? {};
  return Object.fromEntries(
    Object.entries(wrapMarked(surface, values, wrap)).map(([name, value]) => [
      name,
      Object.hasOwn(own, name) && value !== undefined && value !== null ? wrap(values[name]) : value,
    ]),
  );
}

function wrapMarked(surface: SchemaSurface, values: Values, wrap: (value: unknown) => unknown): Values {
  const fields = new Map<string, z.ZodType>();
  const { outputs, bookkeeping } = surface;
  for (const [name, field] of listMarkedFields(outputs)) fields.set(name, field);
  for (const [name, field] of bookkeeping === undefined ? [] : listMarkedFields(bookkeeping))
    fields.set(name, field);
  // A property that is an input as well is as secret as the input is.
  for (const [name, field] of listMarkedFields(surface.inputs)) fields.set(name, field);
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
export function keepSecretMarks(values: Values, secretNames: ReadonlySet<string>): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isMarked = isObject(value) && isSecret(value);
      return [name, secretNames.has(name) && !isMarked && value !== undefined ? toSecret(value) : value];
    }),
  );
}

/** The names of the properties that tell what an input says of which the program made a secret. */
export function listDerivedSecrets(
  { inputs, outputs }: Pick<AnyResource, "inputs" | "outputs">,
  isSecret: (name: string) => boolean,
): string[] {
  return [...listMarkedFields(inputs), ...listMarkedFields(outputs)].flatMap(
    ([name, , { derivedFrom = [] }]) => (derivedFrom.some(isSecret) ? [name] : []),
  );
}

/** Every secret text within the values, to be kept out of messages. */
export function listSecretTexts(surface: SchemaSurface, values: Values): string[] {
  const texts: string[] = [];
  // Of what is composed the secret part is a property by itself; words such as the host may be named.
  const others = omitComposed(surface, values);
  // Names of settings and values that are no secrets stand in the bookkeeping as well.
  wrapMarked(surface, others, (value) => {
    for (const text of collectTexts(value)) texts.push(text);
    return value;
  });
  return texts;
}

/** Without what is composed of a secret and of words that a message may name. */
export function omitComposed({ outputs }: Pick<SchemaSurface, "outputs">, values: Values): Values {
  const composed = listMarkedFields(outputs).filter(([, , traits]) => traits.composed === true);
  const names = new Set(composed.map(([name]) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
}

/** Every text within a value. */
export function collectTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(collectTexts);
}

function mapValues(values: Values, map: (value: unknown, key: string) => unknown): Values {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]));
}
/** How Pulumi's resource protocol marks what is more than a plain value within an object. */
export const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/** The value as the engine recognises a secret in a provider's answer. */
export function toSecret(value: unknown): Record<string, unknown> {
  return { [SIGNATURE_KEY]: SECRET_SIGNATURE, value };
}

export function isSecret(value: Readonly<Record<string, unknown>>): boolean {
  return value[SIGNATURE_KEY] === SECRET_SIGNATURE;
}

/** In place of a key that is not shown. */
const HIDDEN = "[secret]";

/** The names that a program may give there. */
export function keysAt(schema: z.ZodType, path: Path): string[] {
  const at = schemaAt(schema, path);
  return at === undefined ? [] : listDeclarableFields(at);
}

function listDeclarableFields(schema: z.ZodType): string[] {
  const shape = shapeOf(schema);
  if (shape.kind === "union") return [...new Set(shape.options.flatMap(listDeclarableFields))];
  if (shape.kind !== "object") return [];
  return listMarkedFields(shape.inner).flatMap(([name, , traits]) =>
    traits.computed === true ? [] : [name],
  );
}

/** Whether the value there is secret, is part of a secret, or holds one. */
export function isSecretAt(schema: z.ZodType, path: Path): boolean {
  const at = schemaAt(schema, path);
  if (path.length > 0 && at !== undefined && holdsSecret(at)) return true;
  return isMarkedAt(schema, path);
}

/** Whether the schema makes a secret of the value there, or of one that it is part of. */
export function isMarkedAt(schema: z.ZodType, path: Path): boolean {
  return path.some((_, index) => {
    const above = schemaAt(schema, path.slice(0, index + 1));
    return above !== undefined && traitsOf(above).secret === true;
  });
}

/**
 * The path without the keys that the program chose within a secret, be it the schema's or the program's (`isMarked`): they
 * may be as secret as what they lead to. Names of secrets, as in a map of them, are none.
 */
export function hideForeignKeys(schema: z.ZodType, path: Path, isMarked: boolean): Path {
  return path.map((key, index) => {
    const above = path.slice(0, index);
    if (index === 0 || typeof key === "number" || keysAt(schema, above).includes(String(key))) return key;
    const isWithinSecret = isMarked || isMarkedAt(schema, above);
    return isWithinSecret && !isMapOfSecrets(schemaAt(schema, above)) ? HIDDEN : key;
  });
}

function isMapOfSecrets(schema: z.ZodType | undefined): boolean {
  return schema !== undefined && traitsOf(schema).secret === true && shapeOf(schema).kind === "record";
}
