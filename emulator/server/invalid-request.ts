import type { z } from "zod";
import { Refusal } from "../handler";

/** One fault of a request. */
export interface RequestIssue {
  /** Begins with `path`, `query`, `header` or `body`: `body.region_selection.code`. */
  readonly path: string;
  readonly message: string;
}

/** A request that does not keep to the operation table: status 400, with every fault at once. */
export class InvalidRequest extends Refusal {
  constructor(readonly issues: readonly RequestIssue[]) {
    super(400, `Invalid request: ${issues.map((issue) => `${issue.path}: ${issue.message}`).join("; ")}`);
  }
}

/** The parsed value, or its faults added to `issues`. */
export function checkAgainst(
  schema: z.ZodType,
  value: unknown,
  place: "path" | "query" | "header" | "body",
  issues: RequestIssue[],
): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  issues.push(...flatten(parsed.error.issues, [place]));
  return undefined;
}

function flatten(issues: readonly z.core.$ZodIssue[], prefix: readonly PropertyKey[]): RequestIssue[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: spell([...path, key]), message: "Unknown key" }));
    }
    if (issue.code === "invalid_union") {
      // The alternative that got furthest is the one that was meant.
      const nearest = issue.errors.toSorted((left, right) => depth(right) - depth(left))[0];
      if (nearest !== undefined && depth(nearest) > 0) return flatten(nearest, path);
    }
    return [{ path: spell(path), message: issue.message }];
  });
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function spell(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}
