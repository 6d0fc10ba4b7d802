import type { z } from "zod";
import { listMarkedFields, isOptional, traitsOf, type KnownRange } from "../../provider/define/markers";
import { childAt, shapeOf, type ConstantsShape } from "../../spec/shape-of";
import type { NamedTypes } from "./named-types";
import type { Constant, Properties, PropertySpec, TypeSpec } from "./package-spec";
import { elementPlace, fieldPlace, variantPlace, type Place } from "./place";
import { typeMetaOf } from "./type-meta";

/** The lowest one is further from zero by one. */
const INT32_MAX = 2_147_483_648;

/** The reference to the type of a schema; objects and enums become named types. */
export function typeSpec(schema: z.ZodType, place: Place, types: NamedTypes): TypeSpec {
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case "string":
    case "boolean":
      return { type: shape.kind };
    case "number":
      return { type: fitsInteger(shape.inner, traitsOf(schema).knownRange) ? "integer" : "number" };
    case "unknown":
    case "any":
      return { $ref: "pulumi.json#/Any" };
    case "enum":
    case "literal":
      return { $ref: types.ofEnum(place, constantsOf(shape, place), typeMetaOf(schema)) };
    case "array":
      return { type: "array", items: typeSpec(shape.element, elementPlace(place), types) };
    case "record":
      return { type: "object", additionalProperties: typeSpec(shape.values, elementPlace(place), types) };
    case "union":
      return shape.discriminator === undefined
        ? { oneOf: shape.options.map((option) => typeSpec(option, place, types)) }
        : variantsSpec(shape.options, shape.discriminator, place, types);
    case "object": {
      const properties = propertiesOf(shape.inner, place, types);
      const content = { properties, ...formatRequired(shape.inner) };
      return { $ref: types.ofObject(place, content, typeMetaOf(schema)) };
    }
    default:
      throw new Error(
        `${place.path}: a Pulumi schema has no counterpart of a zod schema of type ${shape.kind}.`,
      );
  }
}

/** A field. */
export function propertySpec(field: z.ZodType, place: Place, types: NamedTypes): PropertySpec {
  const { description: text, secret } = traitsOf(field);
  const unstated = limitsOf(field).filter((limit) => text !== undefined && !states(text, limit));
  const description = text === undefined ? undefined : [text, ...unstated.map(({ note }) => note)].join(" ");
  const { default: usual } = shapeOf(field);
  return {
    ...(constantSpec(field) ?? typeSpec(field, place, types)),
    ...(description === undefined ? {} : { description }),
    ...(isConstant(usual) ? { default: usual } : {}),
    ...(secret === true ? { secret } : {}),
  };
}

/** The fields of an object. */
export function propertiesOf(object: z.ZodObject, place: Place, types: NamedTypes): Properties {
  return Object.fromEntries(
    listMarkedFields(object).map(([name, field]) => [
      name,
      propertySpec(field, fieldPlace(place, name), types),
    ]),
  );
}

/** The names of the fields that are always there; no key where there are none. */
export function formatRequired(object: z.ZodObject): { required?: string[] } {
  const required = listMarkedFields(object).flatMap(([name, field]) => (isOptional(field) ? [] : [name]));
  return required.length === 0 ? {} : { required };
}

/** A field that has one value only: Pulumi has a word for it on a field, though not within a type. */
function constantSpec(field: z.ZodType): PropertySpec | undefined {
  const shape = shapeOf(field);
  if (shape.kind !== "literal" || shape.constants.length !== 1) return undefined;
  const [value] = shape.constants;
  if (typeof value === "string") return { type: "string", const: value };
  return typeof value === "boolean" ? { type: "boolean", const: value } : undefined;
}

function constantsOf({ constants }: ConstantsShape, place: Place): Constant[] {
  return constants.map((value) => {
    if (isConstant(value)) return value;
    throw new Error(`${place.path}: a Pulumi schema has no counterpart of the literal ${String(value)}.`);
  });
}

/** Objects that are distinguished by the constant in one of their fields. */
function variantsSpec(
  options: readonly z.ZodType[],
  propertyName: string,
  place: Place,
  types: NamedTypes,
): TypeSpec {
  const variants = options.map((option) => {
    const field = childAt(shapeOf(option), propertyName);
    const shape = field && shapeOf(field);
    if (shape?.kind !== "literal") {
      throw new Error(`${place.path}: a member of the union has no constant in its field ${propertyName}.`);
    }
    const constant = String(shape.constants[0]);
    return [constant, typeSpec(option, variantPlace(place, constant), types)] as const;
  });
  const mapping = Object.fromEntries(variants.map(([constant, { $ref = "" }]) => [constant, $ref]));
  return { oneOf: variants.map(([, spec]) => spec), discriminator: { propertyName, mapping } };
}

function isConstant(value: unknown): value is Constant {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Pulumi's integers have 32 bits in C# and Java; one without a limit of its own is taken to fit. */
function fitsInteger({ format, minValue, maxValue }: z.ZodNumber, { least, most }: KnownRange = {}): boolean {
  const fits = (limit: number | null): boolean => {
    const size = Math.abs(limit ?? 0);
    return size >= Number.MAX_SAFE_INTEGER || size <= INT32_MAX;
  };
  return format?.includes("int") === true && [minValue, maxValue, least ?? null, most ?? null].every(fits);
}

/** A limit of a field, which a Pulumi schema can only state in words. */
export interface Limit {
  readonly value: number;
  readonly note: string;
}

/** The limits of a field's values and, for a map, of its names and values. */
function limitsOf(field: z.ZodType): Limit[] {
  const shape = shapeOf(field);
  switch (shape.kind) {
    case "number": {
      const { least = shape.inner.minValue, most = shape.inner.maxValue } = traitsOf(field).knownRange ?? {};
      return between(least, most, "");
    }
    case "string":
      return between(aboveOne(shape.inner.minLength), shape.inner.maxLength, " characters");
    case "record":
      return [...within("Names", shape.keys), ...within("Values", shape.values)];
    default:
      return [];
  }
}

function within(whose: string, schema: z.ZodType): Limit[] {
  return limitsOf(schema).map(({ value, note }) => ({ value, note: `${whose}: ${note.toLowerCase()}` }));
}

/** Whether a text states the limit, in digits or, for the length of a reference, spelled out. */
function states(text: string, { value }: Limit): boolean {
  return new RegExp(`(?<![0-9.])${value}(?![0-9])`).test(text) || (value === 20 && text.includes("twenty"));
}

function between(least: number | null, most: number | null, unit: string): Limit[] {
  return [
    ...(isLimit(least) ? [{ value: least, note: `At least ${least}${unit}.` }] : []),
    ...(isLimit(most) ? [{ value: most, note: `At most ${most}${unit}.` }] : []),
  ];
}

/** Every integer has the limits of what is exact. */
function isLimit(value: number | null): value is number {
  return value !== null && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

/** That a text is not empty goes without saying. */
function aboveOne(length: number | null): number | null {
  return length === 1 ? null : length;
}
