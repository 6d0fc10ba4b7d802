import { property } from "./type-text";

/** One entry of an object type: its name and the lines of its type. */
export type Entry = readonly [name: string, lines: readonly string[]];

/** An object type whose keys can be asked for even when there are none. */
export function mapOf(entries: readonly Entry[]): string[] {
  return entries.length === 0 ? ["{ [_ in never]: never }"] : objectOf(entries);
}

export function objectOf(entries: readonly Entry[]): string[] {
  return braced(entries.flatMap(([name, lines]) => prefixed(`${property(name)}: `, lines)));
}

export function braced(lines: readonly string[]): string[] {
  return ["{", ...indented(lines), "}"];
}

export function prefixed(prefix: string, [first = "", ...others]: readonly string[], suffix = ""): string[] {
  return suffixed([(prefix + first).trimEnd(), ...others], suffix);
}

export function suffixed(lines: readonly string[], suffix: string): string[] {
  return lines.map((line, index) => (index === lines.length - 1 ? line + suffix : line));
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
