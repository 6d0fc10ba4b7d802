import { z } from "zod";
import { filePart, type Operation } from "../../../../spec/operation";
import { isObject } from "../../../../spec/is-object";
import {
  valuesOf,
  wireRequest,
  type Values,
  type WireRequest,
} from "../../../../tools/fuzz/operations/wire-request";

/** A request that breaks the operation table at one place. */
export interface InvalidRequest {
  /** Where: `ref`, `limit`, `region_selection.code`, or `body` for a whole one. */
  readonly path: string;
  readonly request: WireRequest;
}

/** Of a value that does not fit: where it does not, and the whole value. */
interface Misfit {
  readonly path: string;
  readonly value: unknown;
}

const wrongKinds: readonly unknown[] = [7, "no such value!", {}];
const wrongValues: readonly unknown[] = ["no such value!", "", -1, 1.5, 1e15];

/** Requests that differ from a valid one in one place each, derived from the operation's schemas. */
export function invalidRequests(operation: Operation, parameters: unknown): readonly InvalidRequest[] {
  const valid = valuesOf(operation, parameters);
  const broken = (path: string, changed: Partial<Values>): InvalidRequest => ({
    path,
    request: wireRequest(operation, { ...valid, ...changed }),
  });
  const text = (place: "path" | "query" | "header", key: "params" | "query" | "headers"): InvalidRequest[] =>
    textMisfits(operation[key], valid[key], place).map(({ path, value }) =>
      // The fields of this place, one of them changed or missing.
      broken(path, { [key]: value as Record<string, unknown> }),
    );
  return [
    ...text("path", "params"),
    ...text("query", "query"),
    ...text("header", "headers"),
    ...bodyMisfits(operation, valid.body).map(({ path, value }) => broken(path, { body: value })),
    ...unreadableBodies(operation, wireRequest(operation, valid)),
  ];
}

/** Fields that arrive as text: one that fits nothing, and a required one left out. */
function textMisfits(schema: z.ZodObject, valid: Readonly<Record<string, unknown>>, place: string): Misfit[] {
  return fieldsOf(schema).flatMap(([name, field]) => {
    const path = name;
    // An empty segment would be another path.
    const texts = place === "path" ? ["no such value!"] : ["no such value!", ""];
    const wrong = texts.find((one) => !isTaken(field, one) && !isTaken(field, [one]));
    const changed = wrong === undefined ? [] : [{ path, value: { ...valid, [name]: wrong } }];
    if (place === "path" || isOptional(field)) return changed;
    return [...changed, { path, value: without(valid, name) }];
  });
}

function bodyMisfits({ body }: Operation, valid: unknown): Misfit[] {
  if (body === undefined) return [];
  const missing = isTaken(body.schema, undefined) ? [] : [{ path: "body", value: undefined }];
  const misfits = misfitsOf(body.schema, valid, "");
  // The fields of a form are texts, and a form is always an object.
  if (body.contentType === "application/json") return [...missing, ...misfits];
  return [
    ...missing,
    ...misfits.filter(
      ({ value }) => isObject(value) && !Object.values(value).some((one) => isTakenAsText(body, one)),
    ),
  ];
}

function isTakenAsText({ contentType }: NonNullable<Operation["body"]>, value: unknown): boolean {
  return contentType === "application/x-www-form-urlencoded" && typeof value !== "string";
}

/** What does not fit into a schema at one place, starting from a value that does. */
function misfitsOf(schema: z.ZodType, valid: unknown, path: string): Misfit[] {
  const wrong = [wrongKinds, wrongValues].flatMap((candidates) => {
    const value = candidates.find((candidate) => !isTaken(schema, candidate));
    return value === undefined ? [] : [value];
  });
  return [...new Set(wrong)]
    .map((value): Misfit => ({ path: path === "" ? "body" : path, value }))
    .concat(innerMisfits(schema, valid, path));
}

function innerMisfits(schema: z.ZodType, valid: unknown, path: string): Misfit[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnion) {
    // Full schemas under a smaller type, here and below.
    const meant = (inner.options as z.ZodType[]).find((option) => isTaken(option, valid));
    return meant === undefined ? [] : innerMisfits(meant, valid, path);
  }
  if (inner instanceof z.ZodArray && Array.isArray(valid) && valid.length > 0) {
    const [first, ...others] = valid as unknown[];
    return misfitsOf(inner.element as z.ZodType, first, below(path, "0")).map((misfit) => ({
      path: misfit.path,
      value: [misfit.value, ...others],
    }));
  }
  // A file is one part, not an object on the wire.
  if (!(inner instanceof z.ZodObject) || inner === filePart || !isObject(valid)) return [];
  const misfits = fieldsOf(inner).flatMap(([name, field]) => {
    const missing = isOptional(field) ? [] : [{ path: below(path, name), value: without(valid, name) }];
    return missing.concat(
      misfitsOf(field, valid[name], below(path, name)).map((misfit) => ({
        path: misfit.path,
        value: { ...valid, [name]: misfit.value },
      })),
    );
  });
  const unknownKey = { ...valid, no_such_key: "1" };
  return isTaken(inner, unknownKey)
    ? misfits
    : [...misfits, { path: below(path, "no_such_key"), value: unknownKey }];
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** Bodies that cannot be read at all. */
function unreadableBodies({ body }: Operation, valid: WireRequest): InvalidRequest[] {
  if (body === undefined) return [];
  const as = (contentType: string, text: string): InvalidRequest => ({
    path: "body",
    request: { ...valid, headers: { ...valid.headers, "content-type": contentType }, body: text },
  });
  const malformed =
    body.contentType === "application/x-www-form-urlencoded" ? [] : [as(body.contentType, "{")];
  return [...malformed, as("text/csv", "a,b")];
}

function isTaken(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(value).success;
}

function isOptional(schema: z.ZodType): boolean {
  return isTaken(schema, undefined);
}

function fieldsOf(schema: z.ZodObject): [string, z.ZodType][] {
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
  return Object.entries(shape);
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema;
}

function without(fields: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}
