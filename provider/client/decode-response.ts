import { isObject } from "../../spec/is-object";
import { z } from "zod";
import { IDENTIFIER } from "../../spec/identifier";
import type { Operation } from "../../spec/operation";
import { shapeOf, type ObjectShape, type Shape } from "../../spec/shape-of";
import { ResponseSchemaError } from "./errors/errors";

type IdentifierBrand = z.core.$brand<typeof IDENTIFIER>;

/** What is left of a marked type: an identifier is an open string or a number. */
type UnbrandedType<T> = T extends string ? string : T extends number ? number : T;

/** `certain`: what is marked must be there; `named`: the request named what it changed, so that may be missing too. */
type IdentifierGuarantee = "certain" | "named";

type IdentifierKeys<T, I extends IdentifierGuarantee> = I extends "named"
  ? never
  : { [K in keyof T]-?: NonNullable<T[K]> extends IdentifierBrand ? K : never }[keyof T];

type FlatObject<T> = { [K in keyof T]: T[K] };

type ReadObject<T, I extends IdentifierGuarantee> = FlatObject<
  { [K in IdentifierKeys<T, I>]: Read<NonNullable<T[K]>, I> } & {
    [K in Exclude<keyof T, IdentifierKeys<T, I>>]?: Read<NonNullable<T[K]>, I> | null | undefined;
  }
>;

/**
 * A response as it is read: identifiers are certain, every other field may be missing or null, and every enum is open
 * (service, Reading answers).
 */
export type Read<T, I extends IdentifierGuarantee = "certain"> = unknown extends T
  ? T
  : T extends IdentifierBrand
    ? UnbrandedType<T>
    : T extends string
      ? string extends T
        ? T
        : T | (string & {})
      : T extends number
        ? number extends T
          ? T
          : T | (number & {})
        : T extends readonly (infer E)[]
          ? Read<E, I>[]
          : T extends Uint8Array
            ? T
            : T extends object
              ? string extends keyof T
                ? T
                : ReadObject<T, I>
              : T;

/** What a call of the operation resolves to. */
export type Reading<O extends Operation> = O["success"]["schema"] extends z.ZodVoid
  ? undefined
  : Read<
      z.output<O["success"]["schema"]>,
      O["success"] extends { readonly isOfNamed: true } ? "named" : "certain"
    >;

/** Reads an answer by its schema, field by field, and keeps what the schema does not know; `operation` names the call in the error. */
export function decodeLenient<S extends z.ZodType>(
  schema: S,
  value: unknown,
  operation: string,
  identifiers: IdentifierGuarantee = "certain",
): Read<z.output<S>> {
  const place = { operation, path: "", identifiers };
  const read = readValue(schema, value, place);
  if (read === MISMATCH) throw createUnusableError(place, schema, value);
  // The walk follows the same schema that the type is derived from.
  return read as Read<z.output<S>>;
}

interface AnswerPlace {
  readonly operation: string;
  readonly path: string;
  readonly identifiers: IdentifierGuarantee;
}

/** A value of another shape than the schema's. */
const MISMATCH = Symbol("misfit");

function readValue(schema: z.ZodType, value: unknown, place: AnswerPlace): unknown {
  const shape = shapeOf(schema);
  if (shape.kind === "void") return undefined;
  if (value === undefined) return MISMATCH;
  if (value === null) return shape.inner === schema ? MISMATCH : null;
  switch (shape.kind) {
    case "object":
      return isObject(value) ? readObject(shape, value, place) : MISMATCH;
    case "array":
      return Array.isArray(value) ? readArray(shape.element, value, place) : MISMATCH;
    case "union": {
      const option = shape.options.find((candidate) => fits(candidate, value));
      return option === undefined ? value : readValue(option, value, place);
    }
    default:
      return fitsLeaf(shape, value) ? value : MISMATCH;
  }
}

function readObject({ fields }: ObjectShape, value: Record<string, unknown>, place: AnswerPlace): unknown {
  const result: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(fields)) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    const here = { ...place, path: place.path === "" ? key : `${place.path}.${key}` };
    const read = readValue(field, given, here);
    if (isIdentifier(field) && place.identifiers === "certain") {
      if (read === MISMATCH || read === null) throw createUnusableError(here, field, given);
      result[key] = read;
    } else if (given === null) {
      // A null may mean something, for example a setting that was reset.
      result[key] = null;
    } else if (read !== MISMATCH && read !== undefined) {
      result[key] = read;
    }
  }
  // Whoever writes back what was read loses nothing of what this version does not know.
  const unknown = Object.entries(value).filter(([key]) => !Object.hasOwn(fields, key));
  return { ...Object.fromEntries(unknown), ...result };
}

/** Elements of another shape are left out, unless they must carry an identifier. */
function readArray(element: z.ZodType, values: readonly unknown[], place: AnswerPlace): unknown[] {
  return values.flatMap((value, index) => {
    const here = { ...place, path: `${place.path}[${index}]` };
    const read = readValue(element, value, here);
    if (read !== MISMATCH) return [read];
    if (needsIdentifier(element) && place.identifiers === "certain")
      throw createUnusableError(here, element, value);
    return [];
  });
}

/** Whether an alternative of a union is the one meant: required fields are there, literals are equal. */
function fits(schema: z.ZodType, value: unknown): boolean {
  if (isOptional(schema) && value === undefined) return true;
  const shape = shapeOf(schema);
  if (value === null || value === undefined) return shape.inner !== schema && value === null;
  switch (shape.kind) {
    case "object":
      return isObject(value) && Object.entries(shape.fields).every(([key, field]) => fits(field, value[key]));
    case "union":
      return shape.options.some((option) => fits(option, value));
    case "literal":
      return shape.constants.some((constant) => constant === value);
    default:
      return fitsLeaf(shape, value);
  }
}

/** Formats, ranges and enum values are not looked at: every response enum is open. */
function fitsLeaf(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case "string":
    case "number":
    case "boolean":
      return typeof value === shape.kind;
    case "enum":
      return typeof value === "string" || typeof value === "number";
    case "literal":
      return shape.constants.some((constant) => typeof constant === typeof value);
    case "record":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    default:
      return true;
  }
}

function isOptional(schema: z.ZodType): boolean {
  return schema._zod.optin === "optional" || schema._zod.def.type === "unknown";
}

function isIdentifier(schema: z.ZodType): boolean {
  return z.globalRegistry.get(schema)?.[IDENTIFIER] === true;
}

function needsIdentifier(schema: z.ZodType): boolean {
  const shape = shapeOf(schema);
  if (isIdentifier(shape.inner)) return true;
  return (
    shape.kind === "object" &&
    Object.values(shape.fields).some((field) => isIdentifier(field) || needsIdentifier(field))
  );
}

/** Names the kinds only: the value itself could be a secret. */
function createUnusableError(place: AnswerPlace, schema: z.ZodType, value: unknown): ResponseSchemaError {
  const given = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const what = place.path === "" ? "the answer" : `"${place.path}"`;
  return new ResponseSchemaError(
    `${place.operation}: ${what} is ${given === "undefined" ? "missing" : `of kind ${given}`} in a successful answer, ` +
      `where ${shapeOf(schema).kind} is required. The outcome of the call is unknown. Try again; if it persists, report it.`,
    place.operation,
    place.path,
  );
}
