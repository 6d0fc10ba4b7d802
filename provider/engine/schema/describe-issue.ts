import { distance } from "fastest-levenshtein";
import type { z } from "zod";
import { schemaAt, shapeOf } from "../../../spec/shape-of";
import { traitsOf } from "../../define/markers";
import type { CheckFailure } from "../../define/resource";
import { formatPath, type Path } from "../../define/property-path";
import { inputProblems } from "../step/problems";
import { isSecretAt, keysAt, hideForeignKeys } from "./secrets";
import { isObject } from "../../../spec/is-object";

/** What to hide of the values in a failure. */
export interface Redaction {
  /** Hides every known secret in a text. */
  readonly redact: (text: string) => string;
  /** Whether the program made a secret of the property, or of something in it. */
  readonly isSecret: (name: string) => boolean;
}

/** For values of which only what the schema marks is secret. */
export const NO_REDACTION: Redaction = { redact: (text) => text, isSecret: () => false };

/** Zod issues as failures that say what was given and what is allowed; a secret value is never repeated. */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodObject,
  inputs: unknown,
  redaction: Redaction = NO_REDACTION,
): CheckFailure[] {
  const failures = issues.flatMap((issue) => describeIssue(issue, schema, inputs, redaction));
  // A form says once what several checks of one text ask for.
  return [...new Map(failures.map((each) => [`${each.path}: ${each.reason}`, each])).values()];
}

/** Of a value that is secret, or holds one somewhere. */
export const NOT_SHOWN = "the value is secret and not shown";

function describeIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodObject,
  inputs: unknown,
  { redact, isSecret }: Redaction,
): CheckFailure[] {
  const { path } = issue;
  const isMarked = path[0] !== undefined && isSecret(String(path[0]));
  const hideForeign = (whole: Path): Path => hideForeignKeys(schema, whole, isMarked);
  const formatShown = (whole: Path): string => formatPath(hideForeign(whole));
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, path);
    return issue.keys.map((key) => {
      const nearest = findNearestName(key, known);
      // A misspelt name of the schema is no secret, which a key that the program chose may be.
      const at =
        nearest === undefined ? formatShown([...path, key]) : formatPath([...hideForeign(path), key]);
      const reason = inputProblems.unknownProperty.message({ suggestion: formatSuggestion(nearest, known) });
      return { path: at, reason };
    });
  }
  const value = valueAt(inputs, path);
  if (value === undefined)
    return [{ path: formatShown(path), reason: `required, but missing: ${formatAllowed(issue, schema)}` }];
  const isHidden = isMarked || isSecretAt(schema, path);
  return [
    {
      path: formatShown(path),
      reason: `${formatGiven(issue, value, isHidden, redact)}; ${formatAllowed(issue, schema)}`,
    },
  ];
}

function formatGiven(
  issue: z.core.$ZodIssue,
  value: unknown,
  isHidden: boolean,
  redact: Redaction["redact"],
): string {
  // The key stands in the path; the value below it is not at fault.
  if (issue.code === "invalid_key") return "invalid key";
  return isHidden ? NOT_SHOWN : `got ${describeValue(value, redact)}`;
}

/** What is allowed at the issue's place in the schema. */
function formatAllowed(issue: z.core.$ZodIssue, schema?: z.ZodType): string {
  const at = schema === undefined ? undefined : schemaAt(schema, issue.path);
  const form = at === undefined ? undefined : traitsOf(at).form;
  switch (issue.code) {
    case "invalid_type":
      return `expected ${NAMES[issue.expected] ?? addArticle(issue.expected)}`;
    case "invalid_value":
      return `allowed: ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_big":
      return form ?? `at most ${issue.maximum.toString()}${formatUnit(issue.origin)} allowed`;
    case "too_small":
      return form ?? `at least ${issue.minimum.toString()}${formatUnit(issue.origin)} required`;
    case "invalid_format":
      return form ?? `expected ${NAMES[issue.format] ?? addArticle(issue.format)}`;
    case "invalid_key": {
      const keys = schema === undefined ? undefined : keySchemaAt(schema, issue.path.slice(0, -1));
      return [...new Set(issue.issues.map((each) => formatAllowed(each, keys)))].join("; ");
    }
    // Zod's own message names them.
    case "unrecognized_keys":
      return "no other properties allowed";
    case "invalid_union":
      return `it matches none of the alternatives: ${formatAlternatives(issue)}`;
    default:
      return issue.message;
  }
}

/** Types and formats whose own names are no words of a user's. */
const NAMES: Readonly<Record<string, string>> = {
  array: "a list",
  int: "a whole number",
  record: "an object",
  url: "a URL, as `https://example.com/path`",
  uuid: "a UUID, as `0f8fad5b-d9cb-469f-a165-70867728950e`",
};

function formatAlternatives(issue: z.core.$ZodIssueInvalidUnion): string {
  if (issue.errors.length === 0) return issue.message;
  return issue.errors
    .map((errors) =>
      errors.map((error) => `${formatPath(error.path)} ${formatAllowed(error)}`.trim()).join(", "),
    )
    .join("; or ");
}

/** The schema of a map's keys. */
function keySchemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  const at = schemaAt(schema, path);
  const shape = at === undefined ? undefined : shapeOf(at);
  return shape?.kind === "record" ? shape.keys : undefined;
}

function formatUnit(origin: string): string {
  if (origin === "string") return " characters";
  if (origin === "array" || origin === "set") return " elements";
  return "";
}

function addArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** Redacted as a whole: of a secret that is cut, the rest would not be recognised. */
function describeValue(value: unknown, redact: Redaction["redact"]): string {
  if (typeof value === "string" && value.length > 60) return `a string of ${value.length} characters`;
  const text = redact(JSON.stringify(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function formatSuggestion(nearest: string | undefined, known: readonly string[]): string {
  if (nearest !== undefined) return `; did you mean \`${nearest}\`?`;
  return known.length === 0 ? "" : `; known: ${known.join(", ")}`;
}

/** The nearest known name when it is near enough to be what was meant. */
function findNearestName(key: string, known: readonly string[]): string | undefined {
  const [nearest] = [...known].sort(
    // Of names as near, the one of the same letters: two of them changed places.
    (a, b) =>
      distance(key, a) - distance(key, b) || measureLetterDistance(key, a) - measureLetterDistance(key, b),
  );
  if (nearest === undefined) return undefined;
  const isNear =
    distance(key.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, Math.floor(key.length / 3));
  if (isNear) return nearest;
  const cutShort = known.filter((name) => isBeginning(key, name));
  return cutShort.length === 1 ? cutShort[0] : undefined;
}

/** Whether one of the two is the other cut short, as `pass` is `password`. */
function isBeginning(key: string, name: string): boolean {
  const [short = "", long = ""] = [key, name]
    .map((word) => word.toLowerCase())
    .sort((a, b) => a.length - b.length);
  return short.length >= 3 && long.length <= 3 * short.length && long.startsWith(short);
}

function measureLetterDistance(one: string, other: string): number {
  const [left, right] = [one, other].map((word) => Array.from(word).sort().join(""));
  return distance(left ?? "", right ?? "");
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)] as unknown;
    return isObject(at) ? at[String(key)] : undefined;
  }, value);
}
