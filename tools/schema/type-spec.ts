import { z } from "zod";
import { fieldOf, fieldsOf, isOptional, traitsOf, unwrap } from "../../provider/define/markers";
import { limitsOf, tells } from "./limits";
import type { NamedTypes } from "./named-types";
import type { Constant, Properties, PropertySpec, TypeSpec } from "./package-spec";
import { elementPlace, fieldPlace, variantPlace, type Place } from "./place";
import { typeMetaOf } from "./type-meta";

/** The lowest one is further from zero by one. */
const INT32_MAX = 2_147_483_648;

/** The reference to the type of a schema; objects and enums become named types. */
export function typeSpec(schema: z.ZodType, place: Place, types: NamedTypes): TypeSpec {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodString || inner instanceof z.ZodStringFormat) return { type: "string" };
  if (inner instanceof z.ZodNumber) {
    const isInteger = fitsInteger(inner) && traitsOf(schema).wide !== true;
    return { type: isInteger ? "integer" : "number" };
  }
  if (inner instanceof z.ZodBoolean) return { type: "boolean" };
  if (inner instanceof z.ZodUnknown || inner instanceof z.ZodAny) return { $ref: "pulumi.json#/Any" };
  const meta = typeMetaOf(schema);
  if (inner instanceof z.ZodEnum) return { $ref: types.ofEnum(place, inner.options, meta) };
  if (inner instanceof z.ZodLiteral) {
    return { $ref: types.ofEnum(place, constantsOf(inner, place), meta) };
  }
  // Zod types children by its core interface; every schema here is made by the classic API.
  if (inner instanceof z.ZodArray) {
    return { type: "array", items: typeSpec(inner.element as z.ZodType, elementPlace(place), types) };
  }
  if (inner instanceof z.ZodRecord) {
    const values = typeSpec(inner.valueType as z.ZodType, elementPlace(place), types);
    return { type: "object", additionalProperties: values };
  }
  if (inner instanceof z.ZodDiscriminatedUnion) return variantsSpec(inner, place, types);
  if (inner instanceof z.ZodUnion) {
    return { oneOf: inner.options.map((option) => typeSpec(option as z.ZodType, place, types)) };
  }
  if (inner instanceof z.ZodObject) {
    const properties = propertiesOf(inner, place, types);
    return { $ref: types.ofObject(place, { properties, ...requiredOf(inner) }, meta) };
  }
  throw new Error(
    `${place.path}: a Pulumi schema has no counterpart of a zod schema of type ${inner.def.type}.`,
  );
}

/** A field. */
export function propertySpec(field: z.ZodType, place: Place, types: NamedTypes): PropertySpec {
  const { description: told, secret } = traitsOf(field);
  const untold = limitsOf(field).filter((limit) => told !== undefined && !tells(told, limit));
  const description = told === undefined ? undefined : [told, ...untold.map(({ note }) => note)].join(" ");
  const defaultValue = defaultOf(field);
  return {
    ...(constantSpec(field) ?? typeSpec(field, place, types)),
    ...(description === undefined ? {} : { description }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(secret === true ? { secret } : {}),
  };
}

/** The fields of an object. */
export function propertiesOf(object: z.ZodObject, place: Place, types: NamedTypes): Properties {
  return Object.fromEntries(
    fieldsOf(object).map(([name, field]) => [name, propertySpec(field, fieldPlace(place, name), types)]),
  );
}

/** The names of the fields that are always there; no key where there are none. */
export function requiredOf(object: z.ZodObject): { required?: string[] } {
  const required = fieldsOf(object).flatMap(([name, field]) => (isOptional(field) ? [] : [name]));
  return required.length === 0 ? {} : { required };
}

/** A field that has one value only: Pulumi has a word for it on a field, though not within a type. */
function constantSpec(field: z.ZodType): PropertySpec | undefined {
  const inner = unwrap(field);
  if (!(inner instanceof z.ZodLiteral) || inner.values.size !== 1) return undefined;
  const [value] = inner.values;
  if (typeof value === "string") return { type: "string", const: value };
  return typeof value === "boolean" ? { type: "boolean", const: value } : undefined;
}

function constantsOf(literal: z.ZodLiteral, place: Place): Constant[] {
  return [...literal.values].map((value) => {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
    throw new Error(`${place.path}: a Pulumi schema has no counterpart of the literal ${String(value)}.`);
  });
}

/** Objects that are told apart by the constant in one of their fields. */
function variantsSpec(union: z.ZodDiscriminatedUnion, place: Place, types: NamedTypes): TypeSpec {
  const propertyName = union.def.discriminator;
  const variants = union.options.map((option) => {
    const field = option instanceof z.ZodObject ? fieldOf(option, propertyName) : undefined;
    const constant = field instanceof z.ZodLiteral ? String([...field.values][0]) : undefined;
    if (constant === undefined) {
      throw new Error(`${place.path}: a member of the union has no constant in its field ${propertyName}.`);
    }
    // As above: made by the classic API.
    return [constant, typeSpec(option as z.ZodType, variantPlace(place, constant), types)] as const;
  });
  const mapping = Object.fromEntries(variants.map(([constant, { $ref = "" }]) => [constant, $ref]));
  return { oneOf: variants.map(([, spec]) => spec), discriminator: { propertyName, mapping } };
}

function defaultOf(field: z.ZodType): Constant | undefined {
  if (field instanceof z.ZodDefault) {
    const value: unknown = field.def.defaultValue;
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? value
      : undefined;
  }
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) {
    return defaultOf(field.def.innerType as z.ZodType);
  }
  return undefined;
}

/** Pulumi's integers have 32 bits in C# and Java; one without a limit of its own is taken to fit. */
function fitsInteger({ format, minValue, maxValue }: z.ZodNumber): boolean {
  const fits = (limit: number | null): boolean => {
    const size = Math.abs(limit ?? 0);
    return size >= Number.MAX_SAFE_INTEGER || size <= INT32_MAX;
  };
  return format?.includes("int") === true && fits(minValue) && fits(maxValue);
}
