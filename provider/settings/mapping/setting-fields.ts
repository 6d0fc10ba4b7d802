import type { z } from "zod";
import { shapeOf } from "../../../spec/shape-of";
import { traitsOf } from "../../define/markers";
import { isObject } from "../../../spec/is-object";
import { wireNameAt, type WireNames } from "./wire-names";

/** By the API's names, as `["features", "imageTransformation", "enabled"]`. */
export type WirePath = readonly string[];

/** The settings of a configuration by path, as `smtp.host`: those of a group one by one. */
export interface SettingFields {
  readonly fields: ReadonlyMap<string, z.ZodType>;
  readonly wirePaths: ReadonlyMap<string, WirePath>;
  /** The input that names a file with the text of a setting, by the setting. */
  readonly files: ReadonlyMap<string, string>;
}

export interface SettingTable {
  readonly settings: Readonly<Record<string, z.ZodType>>;
  readonly wireNames: WireNames;
  readonly body: z.ZodObject;
}

interface ParentGroup {
  readonly path: string;
  readonly wirePath: WirePath;
  /** What the names in the API begin with. */
  readonly prefix: string;
}

/**
 * Takes the groups apart. One that the body has as an object is an object in the API too; otherwise its name begins the
 * names of what is in it.
 */
export function collectSettingFields({ settings, wireNames, body }: SettingTable): SettingFields {
  const fields = new Map<string, z.ZodType>();
  const wirePaths = new Map<string, WirePath>();
  const files = new Map<string, string>();
  const add = (above: ParentGroup, shape: Readonly<Record<string, z.ZodType>>): void => {
    for (const [name, field] of Object.entries(shape)) {
      const { group, textOf } = traitsOf(field);
      const path = above.path + name;
      if (textOf !== undefined) {
        files.set(above.path + textOf, path);
        continue;
      }
      const wireName = wireNameAt(wireNames, path, name, above.prefix);
      const wirePath = [...above.wirePath, wireName];
      const below = group === true ? shapeOf(field) : undefined;
      if (below?.kind !== "object") {
        fields.set(path, field);
        wirePaths.set(path, wirePath);
        continue;
      }
      const isObjectThere = above.wirePath.length > 0 || Object.hasOwn(body.shape, wireName);
      const within = isObjectThere
        ? { wirePath, prefix: "" }
        : { wirePath: above.wirePath, prefix: `${wireName}_` };
      add({ path: `${path}.`, ...within }, below.fields);
    }
  };
  add({ path: "", wirePath: [], prefix: "" }, settings);
  return { fields, wirePaths, files };
}

/** The input that a setting is, or is part of. */
export function inputNameOf(path: string): string {
  return path.split(".", 1)[0] ?? path;
}

export function isInGroup(path: string): boolean {
  return path.includes(".");
}

/** What inputs or a state have at the path of a setting. */
export function valueAt(values: unknown, path: string): unknown {
  return readBelow(values, path.split("."));
}

/** Puts a value there, in objects that are made on the way. */
export function putAt(values: Record<string, unknown>, path: string, value: unknown): void {
  putBelow(values, path.split("."), value);
}

export function readBelow(values: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), values);
}

export function putBelow(values: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  let at = values;
  for (const key of keys.slice(0, -1)) {
    const next = at[key];
    const below = isObject(next) ? next : {};
    at[key] = below;
    at = below;
  }
  const last = keys.at(-1);
  if (last !== undefined) at[last] = value;
}

/** The values without the one there, and without objects that are empty then. */
export function omitBelow(
  values: Readonly<Record<string, unknown>>,
  [key = "", ...rest]: readonly string[],
): Record<string, unknown> {
  const { [key]: below, ...others } = values;
  if (rest.length === 0 || !isObject(below)) return others;
  const left = omitBelow(below, rest);
  return Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}
