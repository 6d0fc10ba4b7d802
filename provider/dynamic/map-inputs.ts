import * as pulumi from "@pulumi/pulumi";
import { InvalidInputError } from "../client/errors/errors";
import { formatPath, type Path } from "../define/property-path";
import { isObject } from "../../spec/is-object";

/** A map among the inputs of a class. */
export interface MapInput {
  /** The keys that lead to it, `*` for each element of a list and each key of a map. */
  readonly at: readonly string[];
  /** Its values have any form: each object in them is a map as well. */
  readonly isOpen?: true;
}

interface MapRule extends Pick<MapInput, "isOpen"> {
  /** The resource, as its user knows it. */
  readonly subject: string;
}

/**
 * The same inputs, none of whose maps has a key without a value: the engine would drop the key, and what it names would be
 * removed from the service. What is not known yet is looked at once it is.
 */
export function requireMapValues(
  subject: string,
  inputs: Readonly<Record<string, unknown>>,
  maps: readonly MapInput[],
): Record<string, unknown> {
  const checked = { ...inputs };
  for (const { at, isOpen } of maps) {
    const [name = "", ...below] = at;
    if (checked[name] === undefined) continue;
    checked[name] = checkAt(checked[name], below, [name], { subject, ...(isOpen && { isOpen }) });
  }
  return checked;
}

/** The value, with the map that stands `below` it checked. */
function checkAt(value: unknown, below: readonly string[], path: Path, rule: MapRule): unknown {
  if (isLater(value)) return checkWhenKnown(value, (known) => checkAt(known, below, path, rule));
  const [key, ...rest] = below;
  if (key === undefined) return checkMap(value, path, rule);
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) => checkAt(each, rest, [...path, index], rule));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) =>
      key === "*" || key === name ? [name, checkAt(each, rest, [...path, name], rule)] : [name, each],
    ),
  );
}

function checkMap(value: unknown, path: Path, rule: MapRule): unknown {
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) => checkOpen(each, [...path, index], rule));
  }
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, checkValue(each, [...path, key], rule)]),
  );
}

function checkValue(value: unknown, path: Path, rule: MapRule): unknown {
  if (isLater(value)) return checkWhenKnown(value, (known) => checkValue(known, path, rule));
  if (value !== undefined) return checkOpen(value, path, rule);
  const shown = formatPath(path);
  throw new InvalidInputError(
    shown,
    `${rule.subject}: \`${shown}\` is undefined. Pulumi would drop the key, and what it names would be removed. ` +
      "Nothing was changed. Give it a value. To remove it on purpose, leave out the key.",
  );
}

function checkOpen(value: unknown, path: Path, rule: MapRule): unknown {
  if (rule.isOpen !== true) return value;
  return isLater(value)
    ? checkWhenKnown(value, (known) => checkMap(known, path, rule))
    : checkMap(value, path, rule);
}

function checkWhenKnown(value: unknown, check: (known: unknown) => unknown): pulumi.Output<unknown> {
  // Of a value that may be anything, the SDK's types know nothing to unwrap.
  return (pulumi.output(value) as pulumi.Output<unknown>).apply(check);
}

function isLater(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** No asset, and no other object of a class. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
