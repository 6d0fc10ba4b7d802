import { Refusal } from "../../service/answers/refusal";

/** Keys from the root of the state: `projects.<ref>.name`, or a list where a key itself holds a dot. */
export type StatePath = string | readonly (string | number)[];

type Container = Record<string, unknown> | unknown[] | Map<unknown, unknown>;

export function keysOf(path: StatePath): string[] {
  return typeof path === "string" ? path.split(".") : path.map(String);
}

/** Replaces or, in a map, an array's end or with `create`, adds the value at `path`. */
export function setAtPath(root: object, path: StatePath, value: unknown, create = false): void {
  const { container, key } = requirePlace(root, path, create);
  if (container instanceof Map) container.set(mapKey(container, key), value);
  else if (Array.isArray(container)) container[Number(key)] = value;
  else container[key] = value;
}

/** Refuses a path at which nothing can be set. */
export function requirePlace(
  root: object,
  path: StatePath,
  create = false,
): { readonly container: Container; readonly key: string } {
  const { container, key, walked } = reach(root, path);
  const index = Number(key);
  const isPlace = Array.isArray(container)
    ? Number.isInteger(index) && index >= 0 && index <= container.length
    : container instanceof Map || create || Object.hasOwn(container, key);
  if (!isPlace) throw unknownKey(walked, key, container);
  return { container, key };
}

/** Removes the entry at `path`. */
export function removeAtPath(root: object, path: StatePath): void {
  const { container, key, walked } = reach(root, path);
  if (!hasKey(container, key)) throw unknownKey(walked, key, container);
  if (container instanceof Map) container.delete(mapKey(container, key));
  else if (Array.isArray(container)) container.splice(Number(key), 1);
  else Reflect.deleteProperty(container, key);
}

function reach(root: object, path: StatePath): { container: Container; key: string; walked: string[] } {
  const keys = keysOf(path);
  const key = keys.pop();
  if (key === undefined || key === "") throw new Refusal(400, "The path is empty");
  const walked: string[] = [];
  let container = asContainer(root, walked);
  for (const step of keys) {
    if (!hasKey(container, step)) throw unknownKey(walked, step, container);
    walked.push(step);
    container = asContainer(childOf(container, step), walked);
  }
  return { container, key, walked };
}

function asContainer(value: unknown, walked: readonly string[]): Container {
  if (value === null || typeof value !== "object" || value instanceof Set || value instanceof Date) {
    throw new Refusal(400, `Nothing lies below "${walked.join(".")}": it is a single value`);
  }
  // Every remaining object of the state is a map, an array or a plain object.
  return value as Container;
}

function childOf(container: Container, key: string): unknown {
  if (container instanceof Map) return container.get(mapKey(container, key));
  return Array.isArray(container) ? container[Number(key)] : container[key];
}

function hasKey(container: Container, key: string): boolean {
  if (container instanceof Map) return container.has(mapKey(container, key));
  return Object.hasOwn(container, key);
}

/** A map keyed by numbers is addressed by their decimal spelling. */
function mapKey(map: Map<unknown, unknown>, key: string): unknown {
  return !map.has(key) && key !== "" && map.has(Number(key)) ? Number(key) : key;
}

function unknownKey(walked: readonly string[], key: string, container: Container): Refusal {
  const keys = container instanceof Map ? [...container.keys()].map(String) : Object.keys(container);
  const place = walked.length === 0 ? "the state" : `"${walked.join(".")}"`;
  const present = keys.length === 0 ? "it is empty" : `it has ${keys.join(", ")}`;
  return new Refusal(400, `Nothing called "${key}" in ${place}: ${present}`);
}
