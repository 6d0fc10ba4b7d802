import { isObject } from "../../spec/is-object";

/** What stands for a value that is known only after other resources are made (the sentinel of Pulumi's resource protocol). */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The values that are known by now. */
export function omitUnknown(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== UNKNOWN));
}

/** Whether `value` is unknown or holds something unknown. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isObject(value) && Object.values(value).some(hasUnknown);
}
