import type { z } from "zod";
import { shapeOf } from "../../spec/shape-of";
import { traitsOf } from "../define/markers";
import { isObject } from "../define/unknown";

/** The settings of a configuration by path, as `smtp.host`: those of a group one by one. */
export interface SettingFields {
  readonly fields: ReadonlyMap<string, z.ZodType>;
  /** The input that names a file with the text of a setting, by the setting. */
  readonly files: ReadonlyMap<string, string>;
}

export function settingFields(settings: Readonly<Record<string, z.ZodType>>): SettingFields {
  const fields = new Map<string, z.ZodType>();
  const files = new Map<string, string>();
  const add = (prefix: string, shape: Readonly<Record<string, z.ZodType>>): void => {
    for (const [name, field] of Object.entries(shape)) {
      const { group, textOf } = traitsOf(field);
      const below = group === true ? shapeOf(field) : undefined;
      if (below?.kind === "object") add(`${prefix}${name}.`, below.fields);
      else if (textOf !== undefined) files.set(prefix + textOf, prefix + name);
      else fields.set(prefix + name, field);
    }
  };
  add("", settings);
  return { fields, files };
}

/** The input that a setting is, or is part of. */
export function inputOf(path: string): string {
  return path.split(".", 1)[0] ?? path;
}

export function isInGroup(path: string): boolean {
  return path.includes(".");
}

/** What inputs or a state have at the path of a setting. */
export function valueAt(values: Readonly<Record<string, unknown>>, path: string): unknown {
  return path.split(".").reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), values);
}

/** Puts a value there, in objects that are made on the way. */
export function putAt(values: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() ?? path;
  let at = values;
  for (const key of keys) {
    const next = at[key];
    const below = isObject(next) ? next : {};
    at[key] = below;
    at = below;
  }
  at[last] = value;
}
