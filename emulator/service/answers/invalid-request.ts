import type { z } from "zod";
import { Refusal } from "./refusal";

/** One fault of a request. */
export interface RequestIssue {
  /** The field as the service names it, such as `region_selection.code`; for a whole body, `body`. */
  readonly path: string;
  readonly message: string;
}

/** A request that does not keep to the operation table: status 400, with every fault at once (service, Errors). */
export class InvalidRequest extends Refusal {
  constructor(readonly issues: readonly RequestIssue[]) {
    super(400, issues.map(sentenceOf).join("; "));
  }

  /** What stands in the answer's `message`: one sentence, or several. */
  get sentences(): string | readonly string[] {
    return this.issues.length === 1 ? this.message : this.issues.map(sentenceOf);
  }
}

function sentenceOf({ path, message }: RequestIssue): string {
  return `${path}: ${message}`;
}

/** The parsed value, or its faults added to `issues`. `place` names a value that is at fault as a whole. */
export function checkAgainst(
  schema: z.ZodType,
  value: unknown,
  place: "path" | "query" | "header" | "body",
  issues: RequestIssue[],
): unknown {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  for (const issue of flatten(parsed.error.issues, [], place)) issues.push(issue);
  return undefined;
}

function flatten(
  issues: readonly z.core.$ZodIssue[],
  prefix: readonly PropertyKey[],
  place: string,
): RequestIssue[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: joined([...path, key]), message: "Unknown key" }));
    }
    if (issue.code === "invalid_union") {
      // The alternative that got furthest, of several the one with the fewest faults, is the one that was meant.
      const nearest = issue.errors.toSorted(
        (left, right) => depth(right) - depth(left) || countFaults(left) - countFaults(right),
      )[0];
      if (nearest !== undefined && depth(nearest) > 0) return flatten(nearest, path, place);
    }
    return [{ path: joined(path) || place, message: messageOf(issue) }];
  });
}

/** The sentences of the validator that the service uses: they are those of an older version of the one used here. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value")) {
    return "Required";
  }
  switch (issue.code) {
    case "invalid_type":
      return `Expected ${issue.expected}, received ${typeNameOf(issue.input)}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `Invalid literal value, expected ${JSON.stringify(issue.values[0])}`
        : `Invalid enum value. Expected ${issue.values.map(quoted).join(" | ")}, received ${quoted(issue.input)}`;
    case "too_small":
      return boundOf(issue.origin, "at least", "greater", issue.minimum, issue.inclusive);
    case "too_big":
      return boundOf(issue.origin, "at most", "less", issue.maximum, issue.inclusive);
    case "invalid_format":
      return issue.format === "regex" ? "Invalid" : `Invalid ${issue.format}`;
    default:
      return issue.message;
  }
}

function quoted(value: unknown): string {
  return typeof value === "string" ? `'${value}'` : JSON.stringify(value);
}

function typeNameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isNaN(value) ? "nan" : typeof value;
}

function boundOf(
  origin: string,
  amount: string,
  comparison: string,
  bound: number | bigint,
  isInclusive: boolean | undefined,
): string {
  if (origin === "string") return `String must contain ${amount} ${bound} character(s)`;
  if (origin === "array") return `Array must contain ${amount} ${bound} element(s)`;
  return `Number must be ${comparison} than ${isInclusive === false ? "" : "or equal to "}${bound}`;
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map(({ code, path }) => path.length + (code === "unrecognized_keys" ? 1 : 0)));
}

function countFaults(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce(
    (count, issue) => count + (issue.code === "unrecognized_keys" ? issue.keys.length : 1),
    0,
  );
}

function joined(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}
