import type { z } from "zod";
import { isObject } from "../../spec/is-object";
import { resourceByType } from "../../provider/catalog/catalog";
import { ConfigValue, JoinedText } from "./config-value";
import type { SourceObject } from "./declared";

/** What of an object's inputs its definition would refuse: the input's path and the reason, without the value. */
export function listMisfits({ type, inputs }: SourceObject): string[] {
  const schema: z.ZodObject = resourceByType(type).inputs;
  const issues = schema.safeParse(toClear(inputs)).error?.issues ?? [];
  return issues
    .filter(({ path }) => !isOpen(inputs, path) && isGiven(inputs, path))
    .map(
      ({ path, message }) => `\`${path.map(String).join(".")}\` is not a valid input of ${type}: ${message}`,
    );
}

/** What the stack's configuration says is looked at when the program runs. */
function isOpen(inputs: unknown, path: readonly PropertyKey[]): boolean {
  const value = readAt(inputs, path);
  return value instanceof ConfigValue || value instanceof JoinedText;
}

/** A missing input may come from elsewhere: from the service, or from a reference. */
function isGiven(inputs: unknown, path: readonly PropertyKey[]): boolean {
  return readAt(inputs, path) !== undefined;
}

function readAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((above, key) => {
    if (Array.isArray(above)) return above[Number(key)] as unknown;
    return isObject(above) ? above[String(key)] : undefined;
  }, value);
}

function toClear(value: unknown): unknown {
  if (value instanceof ConfigValue) return value.typed ?? "";
  if (value instanceof JoinedText) return value.parts.map((part) => toClear(part)).join(value.separator);
  if (Array.isArray(value)) return value.map(toClear);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toClear(one)]));
}
