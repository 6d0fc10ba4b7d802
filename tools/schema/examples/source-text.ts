import type { ExampleValue } from "./example";
import { referenceIn, type Reference } from "./references";

/** How a language writes what a value is made of. */
export interface Notation {
  readonly text: (value: string) => string;
  readonly truth: (value: boolean) => string;
  /** As in JSON where it is absent. */
  readonly number?: (value: number) => string;
  /** A reference to a setting or to a property of a declaration. */
  readonly reference: (reference: Reference) => string;
}

/** A value as a renderer takes it apart. */
export type Shape =
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly ExampleValue[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [string, ExampleValue])[] };

export function formatShape(value: ExampleValue, notation: Notation): Shape {
  const reference = referenceIn(value);
  if (reference !== undefined) return { kind: "scalar", text: notation.reference(reference) };
  if (typeof value === "string") return { kind: "scalar", text: notation.text(value) };
  if (typeof value === "boolean") return { kind: "scalar", text: notation.truth(value) };
  if (typeof value === "number") return { kind: "scalar", text: (notation.number ?? String)(value) };
  return isList(value) ? { kind: "list", items: value } : { kind: "object", entries: Object.entries(value) };
}

/** Entries between brackets, one to a line. */
export function block(open: string, entries: readonly string[], close: string): string {
  if (entries.length === 0) return `${open}${close}`;
  return `${open}\n${indent(entries.map((entry) => `${entry},`).join("\n"))}\n${close}`;
}

export function indent(text: string, width = 4): string {
  return text.replaceAll(/^(?=.)/gm, " ".repeat(width));
}

function isList(value: ExampleValue): value is readonly ExampleValue[] {
  return Array.isArray(value);
}
