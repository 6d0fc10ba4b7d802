import { diff, type Diff } from "deep-diff";
import { z } from "zod";
import { childAt, shapeOf } from "../../spec/shape-of";
import { traitsOf } from "./markers";
import { formatPath, type Path } from "./property-path";
import { isObject } from "../../spec/is-object";
import { UNKNOWN } from "./unknown";

/** One place at which what is declared is not what is remembered. */
export interface Difference {
  /** An element that is gone has its place among the remembered ones. */
  readonly path: Path;
  readonly kind: "add" | "update" | "delete";
}

/** The paths below `schema` at which the declared value is not what is remembered; empty when they mean the same. */
export function listDifferingPaths(schema: z.ZodType, remembered: unknown, declared: unknown): string[] {
  return listDifferences(schema, remembered, declared).map(({ path }) => formatPath(path));
}

/**
 * Compares declared keys only, those of a group both ways; sets as sets, spellings by what they mean, absent and null
 * alike. `bothWays` where what is remembered is what was declared: a key that is gone was taken out.
 */
export function listDifferences(
  schema: z.ZodType,
  remembered: unknown,
  declared: unknown,
  path: Path = [],
  bothWays = false,
): Difference[] {
  // An unknown value may become anything: it never equals what is remembered.
  if (declared === UNKNOWN) return [toReplacement(remembered, declared, path)];
  const { set, group, normalize = keepAsIs } = traitsOf(schema);
  if (set === true) return listSetDifferences(normalize, remembered, declared, path);
  if (normalize !== keepAsIs) {
    return isEqual(normalizePresent(remembered, normalize), normalizePresent(declared, normalize))
      ? []
      : [toReplacement(remembered, declared, path)];
  }
  const shape = shapeOf(schema);
  const below = (key: string | number, was: unknown, is: unknown): Difference[] =>
    listDifferences(childAt(shape, key) ?? z.unknown(), was, is, [...path, key], bothWays);
  if (shape.kind === "object" && isObject(declared) && isObject(remembered)) {
    const isGone = ([key, value]: [string, unknown]): boolean =>
      isPresent(value) && !isPresent(declared[key]);
    const gone = group === true || bothWays ? Object.entries(remembered).filter(isGone) : [];
    return [
      ...Object.entries(declared)
        .filter(([, value]) => isPresent(value))
        .flatMap(([key, value]) => below(key, remembered[key], value)),
      ...gone.map(([key]): Difference => ({ path: [...path, key], kind: "delete" })),
    ];
  }
  if (shape.kind === "array" && Array.isArray(declared) && Array.isArray(remembered)) {
    return pickLonger(declared, remembered).flatMap((_, index) =>
      below(index, remembered[index], declared[index]),
    );
  }
  if (shape.kind === "record" && isObject(declared) && isObject(remembered)) {
    const keys = new Set([...Object.keys(remembered), ...Object.keys(declared)]);
    return [...keys].flatMap((key) => below(key, remembered[key], declared[key]));
  }
  return (diff(omitNulls(remembered), omitNulls(declared)) ?? []).map((one) => fromDeepDiff(one, path));
}

function fromDeepDiff(one: Diff<unknown>, path: Path): Difference {
  // Deep-diff types the parts of a path as `any`; they are keys and indexes.
  const at = [...path, ...((one.path ?? []) as Path)];
  if (one.kind === "A") return { path: [...at, one.index], kind: kinds[one.item.kind] };
  return { path: at, kind: kinds[one.kind] };
}

const kinds = { N: "add", D: "delete", E: "update", A: "update" } as const;

function toReplacement(remembered: unknown, declared: unknown, path: Path): Difference {
  if (remembered === undefined || remembered === null) return { path, kind: "add" };
  return { path, kind: declared === undefined || declared === null ? "delete" : "update" };
}

/** Elements that only one side has, whatever their order and number. */
function listSetDifferences(
  normalize: (value: unknown) => unknown,
  remembered: unknown,
  declared: unknown,
  path: Path,
): Difference[] {
  if (!Array.isArray(remembered) || !Array.isArray(declared)) {
    return isEqual(remembered, declared) ? [] : [toReplacement(remembered, declared, path)];
  }
  const textOf = (element: unknown): string => JSON.stringify(normalize([element]));
  const before = new Set(remembered.map(textOf));
  const now = new Set(declared.map(textOf));
  const listMissing = (elements: readonly unknown[], others: ReadonlySet<string>): number[] =>
    elements.flatMap((element, index) => (others.has(textOf(element)) ? [] : [index]));
  const gone = listMissing(remembered, now);
  const added = listMissing(declared, before);
  const at = (index: number, kind: Difference["kind"]): Difference => ({ path: [...path, index], kind });
  // One place has one difference: an element that took another's place is a change of it.
  return [
    ...gone.filter((index) => !added.includes(index)).map((index) => at(index, "delete")),
    ...added.map((index) => at(index, gone.includes(index) ? "update" : "add")),
  ];
}

function isEqual(left: unknown, right: unknown): boolean {
  return diff(omitNulls(left), omitNulls(right)) === undefined;
}

function normalizePresent(value: unknown, normalize: (value: unknown) => unknown): unknown {
  return isPresent(value) ? normalize(value) : undefined;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function keepAsIs(value: unknown): unknown {
  return value;
}

function pickLonger(left: readonly unknown[], right: readonly unknown[]): readonly unknown[] {
  return left.length > right.length ? left : right;
}

function omitNulls(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map(omitNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, omitNulls(inner)])
      .filter(([, inner]) => inner !== undefined),
  );
}
