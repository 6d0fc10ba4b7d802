import { types } from "node:util";
import { z } from "zod";

/** A map, which JSON spells as an object. */
export function mapOf<K extends z.ZodType, V extends z.ZodType>(keys: K, values: V) {
  return z.preprocess(
    (value) => (isPlainObject(value) ? new Map(Object.entries(value)) : value),
    z.map(keys, values),
  );
}

/** Bytes, which JSON spells in base64. */
export const bytes = z.preprocess(
  (value) => (typeof value === "string" ? Uint8Array.from(Buffer.from(value, "base64")) : value),
  z.custom<Uint8Array>((value) => types.isUint8Array(value), "Invalid input: expected bytes, in base64"),
);

/** Milliseconds since the epoch. */
export const time = z.number();

function isPlainObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === "[object Object]";
}
