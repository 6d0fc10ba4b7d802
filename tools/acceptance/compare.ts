import type { Exchange } from "./exchange";

/** Something in which the service and the emulator differ. */
export interface Difference {
  readonly operation: string;
  /** Where it was met: `ApiKey: create`. */
  readonly places: readonly string[];
  readonly kind: "call" | "status" | "shape" | "text";
  /** The path within the answer; empty for the whole. */
  readonly path: string;
  readonly service: string;
  readonly emulator: string;
}

type Found = Omit<Difference, "places"> & { readonly place: string };

/**
 * Compares what the service and the emulator answered to the same calls: those of one operation at one step of one
 * resource. Both lists are masked. How often something was polled is no difference.
 */
export function compareExchanges(
  service: readonly Exchange[],
  emulator: readonly Exchange[],
): readonly Difference[] {
  const ofService = groups(service);
  const ofEmulator = groups(emulator);
  const found: Found[] = [];
  for (const key of new Set([...ofService.keys(), ...ofEmulator.keys()])) {
    const left = ofService.get(key) ?? [];
    const right = ofEmulator.get(key) ?? [];
    const [any] = [...left, ...right];
    if (any === undefined) continue;
    const at = { operation: any.operation, place: `${any.type}: ${any.step}` };
    if (left.length === 0 || right.length === 0) {
      found.push({
        ...at,
        kind: "call",
        path: "",
        service: left.length === 0 ? "not called" : statusesOf(left),
        emulator: right.length === 0 ? "not called" : statusesOf(right),
      });
      continue;
    }
    if (statusesOf(left) !== statusesOf(right)) {
      found.push({ ...at, kind: "status", path: "", service: statusesOf(left), emulator: statusesOf(right) });
    }
    for (const status of new Set(left.map((exchange) => exchange.status))) {
      const [ones, others] = [left, right].map((list) =>
        list.filter((exchange) => exchange.status === status),
      );
      if (ones === undefined || others === undefined || others.length === 0) continue;
      found.push(...shapeDifferences(ones, others).map((difference) => ({ ...at, ...difference })));
      found.push(...textDifferences(ones, others).map((difference) => ({ ...at, ...difference })));
    }
  }
  return merged(found);
}

function groups(exchanges: readonly Exchange[]): Map<string, Exchange[]> {
  const byKey = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const key = JSON.stringify([exchange.type, exchange.step, exchange.operation]);
    byKey.set(key, [...(byKey.get(key) ?? []), exchange]);
  }
  return byKey;
}

function statusesOf(exchanges: readonly Exchange[]): string {
  return [...new Set(exchanges.map(({ status }) => status))].sort().join(", ");
}

/** The kinds of value that were seen at each path. */
type Shape = Map<string, Set<string>>;

function shapeDifferences(
  service: readonly Exchange[],
  emulator: readonly Exchange[],
): Omit<Found, "operation" | "place">[] {
  const [left, right] = [service, emulator].map((exchanges) => {
    const shape: Shape = new Map();
    for (const { answer } of exchanges) addShape(shape, "", answer);
    return shape;
  });
  if (left === undefined || right === undefined) return [];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((path) => {
    // What is below something that one side does not have at all says no more than that.
    if (path !== "" && !(hasParts(left, parentOf(path)) && hasParts(right, parentOf(path)))) return [];
    // An empty list has no elements to compare.
    if (path.endsWith("[]") && !(left.has(path) && right.has(path))) return [];
    const kinds = [left, right].map((shape) => [...(shape.get(path) ?? ["absent"])].sort().join(" or "));
    const [one = "", other = ""] = kinds;
    return one === other ? [] : [{ kind: "shape" as const, path, service: one, emulator: other }];
  });
}

function addShape(shape: Shape, path: string, value: unknown): void {
  shape.set(path, (shape.get(path) ?? new Set()).add(kindOf(value)));
  if (Array.isArray(value)) value.forEach((element) => addShape(shape, `${path}[]`, element));
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value))
      addShape(shape, path === "" ? key : `${path}.${key}`, inner);
  }
}

function hasParts(shape: Shape, path: string): boolean {
  const kinds = shape.get(path);
  return kinds !== undefined && (kinds.has("object") || kinds.has("list"));
}

function parentOf(path: string): string {
  return path.endsWith("[]") ? path.slice(0, -2) : path.slice(0, Math.max(0, path.lastIndexOf(".")));
}

function kindOf(value: unknown): string {
  if (value === undefined) return "empty";
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  // A replaced number is a number all the same, and a text whose kind is known is of that kind.
  if (value === "<number>") return "number";
  if (typeof value === "string")
    return /^<\w+>$/.test(value) && value !== "<text>" ? value.slice(1, -1) : "text";
  return typeof value;
}

/** Texts, numbers and states that the last answers show; while something is waited for, they depend on the moment. */
function textDifferences(
  service: readonly Exchange[],
  emulator: readonly Exchange[],
): Omit<Found, "operation" | "place">[] {
  const [left, right] = [service, emulator].map((exchanges) => {
    const texts = new Map<string, Set<string>>();
    addTexts(texts, "", exchanges.at(-1)?.answer);
    return texts;
  });
  if (left === undefined || right === undefined) return [];
  return [...left].flatMap(([path, texts]) => {
    const others = right.get(path);
    if (others === undefined) return [];
    const [one, other] = [texts, others].map((each) => [...each].sort().join(" | "));
    if (one === undefined || other === undefined || one === other) return [];
    return [{ kind: "text" as const, path, service: one, emulator: other }];
  });
}

function addTexts(texts: Map<string, Set<string>>, path: string, value: unknown): void {
  if (Array.isArray(value)) value.forEach((element) => addTexts(texts, `${path}[]`, element));
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value))
      addTexts(texts, path === "" ? key : `${path}.${key}`, inner);
  } else if (isComparable(value)) {
    texts.set(path, (texts.get(path) ?? new Set()).add(JSON.stringify(value)));
  }
}

/** What was replaced is compared by its kind already. */
function isComparable(value: unknown): boolean {
  if (typeof value === "string") return !/^<\w+>$/.test(value);
  return typeof value === "number" || typeof value === "boolean";
}

/** One row for what differs alike at several steps. */
function merged(found: readonly Found[]): Difference[] {
  const rows = new Map<string, Omit<Difference, "places"> & { readonly places: string[] }>();
  for (const { place, ...what } of found) {
    const key = JSON.stringify(what);
    const row = rows.get(key) ?? { ...what, places: [] };
    if (!row.places.includes(place)) row.places.push(place);
    rows.set(key, row);
  }
  const byOperation = (a: Difference, b: Difference): number =>
    a.operation === b.operation ? 0 : a.operation < b.operation ? -1 : 1;
  return [...rows.values()].sort(byOperation);
}
