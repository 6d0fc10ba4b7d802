import { z } from "zod";
import { listMarkedFields } from "../../../provider/define/markers";
import { formatPath, type Path } from "../../../provider/define/property-path";
import type { AnyResource } from "../../../provider/define/resource";
import { checkInputs } from "../../../provider/engine/check";
import type { Values } from "../../../provider/define/values";
import { isObject } from "../../../spec/is-object";

/** A program with one value changed. */
export interface ProgramEdit {
  readonly path: string;
  readonly edited: Readonly<Record<string, unknown>>;
  /** The input whose change replaces the resource. */
  readonly replaces: string | undefined;
}

/** Every change of one value that the resource takes: one for each place. */
export function editsOf(resource: AnyResource, declared: Readonly<Record<string, unknown>>): ProgramEdit[] {
  return listMarkedFields(resource.inputs).flatMap(([name, field, { identifies, parent, replaces }]) => {
    const value = declared[name];
    if (value === undefined || name === "projectRef" || parent === true || identifies === true) return [];
    return placesIn(value, [name]).flatMap((path) => {
      const edited = alternatives(field, valueAt(declared, path))
        .map((other) => withValue(declared, path, other) as Values)
        .find((inputs) => checkInputs(resource, inputs, inputs).failures.length === 0);
      return edited === undefined
        ? []
        : [{ path: formatPath(path), edited, replaces: replaces === undefined ? undefined : name }];
    });
  });
}

function placesIn(value: unknown, path: Path): Path[] {
  if (Array.isArray(value)) return [path];
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([key, each]) => placesIn(each, [...path, key]));
}

function alternatives(field: z.core.$ZodType, value: unknown): unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1, value - 1, value + 500];
  if (Array.isArray(value)) {
    const more = ["edited.example.com", "192.0.2.0/24", "2001:db8:99::/64"];
    return [
      ...more.map((each) => [...(value as unknown[]), each]),
      ...(value.length > 0 ? [value.slice(1)] : []),
    ];
  }
  if (typeof value !== "string") return [];
  const options = field instanceof z.ZodOptional ? field.unwrap() : field;
  const others = options instanceof z.ZodEnum ? options.options.filter((each) => each !== value) : [];
  return [
    ...others,
    `${value}x`,
    `${value}_edited`,
    "https://edited.example.com",
    "90s",
    "32MB",
    "2041-01-31T18:00:00Z",
  ];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (isObject(at) ? at[String(key)] : undefined), value);
}

function withValue(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other;
  const at = isObject(value) ? value : {};
  return { ...at, [key]: withValue(at[String(key)], rest, other) };
}

/** Whether a difference is neither at the edited place, above it or below, nor computed of it by `check`. */
export function isElsewhere(resource: AnyResource, difference: string, path: string): boolean {
  const isBeside = difference.startsWith(path) || path.startsWith(difference);
  const isComputed = listMarkedFields(resource.inputs).some(
    ([name, , { computed }]) => computed === true && new RegExp(String.raw`^${name}\b`).test(difference),
  );
  return !isBeside && !isComputed;
}
