import { distance } from "fastest-levenshtein";
import { z } from "zod";
import { fieldOf, traitsOf, unwrap } from "../define/markers";
import type { CheckFailure } from "../define/resource";
import { formatPath } from "./property-path";
import { isObject } from "./unknown";

/** A zod issue as failures that say what was given and what is allowed; a secret value is never repeated. */
export function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodObject, inputs: unknown): CheckFailure[] {
  const path = formatPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => ({
      path: formatPath([...issue.path, key]),
      reason: `unknown property${suggestion(key, known)}`,
    }));
  }
  const value = valueAt(inputs, issue.path);
  if (value === undefined) return [{ path, reason: `required, but missing: ${allowed(issue)}` }];
  const given = isSecretAt(schema, issue.path) ? "a secret value that does not fit" : describeValue(value);
  return [{ path, reason: `got ${given}; ${allowed(issue)}` }];
}

function allowed(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${article(issue.expected)}`;
    case "invalid_value":
      return `allowed: ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_big":
      return `at most ${issue.maximum.toString()}${unit(issue.origin)} allowed`;
    case "too_small":
      return `at least ${issue.minimum.toString()}${unit(issue.origin)} needed`;
    case "invalid_format":
      return issue.format === "regex" && issue.pattern !== undefined
        ? `it must match ${issue.pattern}`
        : `expected ${article(issue.format)}`;
    case "invalid_union":
      return `it fits none of the alternatives: ${unionAlternatives(issue)}`;
    default:
      return issue.message;
  }
}

function unionAlternatives(issue: z.core.$ZodIssueInvalidUnion): string {
  if (issue.errors.length === 0) return issue.message;
  return issue.errors
    .map((errors) => errors.map((error) => `${formatPath(error.path)} ${allowed(error)}`.trim()).join(", "))
    .join("; or ");
}

function unit(origin: string): string {
  if (origin === "string") return " characters";
  if (origin === "array" || origin === "set") return " elements";
  return "";
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function describeValue(value: unknown): string {
  if (typeof value === "string" && value.length > 60) return `a string of ${value.length} characters`;
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** The nearest known name when it is near enough to be what was meant; otherwise all names. */
function suggestion(key: string, known: readonly string[]): string {
  const [nearest] = [...known].sort((a, b) => distance(key, a) - distance(key, b));
  if (nearest === undefined) return "";
  const isNear =
    distance(key.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, Math.floor(key.length / 3));
  return isNear ? `; did you mean \`${nearest}\`?` : `; known: ${known.join(", ")}`;
}

function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const at = schemaAt(schema, path);
  if (!(at instanceof z.ZodObject)) return [];
  return Object.entries(at.shape)
    .filter(([, field]) => traitsOf(field as z.ZodType).computed !== true)
    .map(([name]) => name);
}

function isSecretAt(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  return path.some((_, index) => {
    const at = schemaAt(schema, path.slice(0, index + 1));
    return at !== undefined && traitsOf(at).secret === true;
  });
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return rest.length === 0 && path.length === 0 ? keepTraits(schema) : undefined;
  const inner = unwrap(schema);
  const next = childOf(inner, head);
  return next === undefined ? undefined : schemaAt(next, rest);
}

/** Objects are looked into without their wrappers; other schemas keep them, as they carry the traits. */
function keepTraits(schema: z.ZodType): z.ZodType {
  const inner = unwrap(schema);
  return inner instanceof z.ZodObject ? inner : schema;
}

function childOf(schema: z.ZodType, key: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return fieldOf(schema, String(key));
  // Zod types children by its core interface; every schema here is made by the classic API.
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
  return undefined;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)] as unknown;
    return isObject(at) ? at[String(key)] : undefined;
  }, value);
}
