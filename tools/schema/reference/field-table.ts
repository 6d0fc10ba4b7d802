import type { z } from "zod";
import { fieldsOf, isOptional, traitsOf, type FieldTraits } from "../../../provider/define/markers";
import { childrenOf, shapeOf } from "../../../spec/shape-of";
import { manyValues, objectBelow, typeText } from "./field-type";
import { code, codes, paragraphs, section, table } from "./markdown";

/** A field that has a value when none is given, by its path. */
export type Defaults = Readonly<Record<string, number>>;

/** What a program gives, and which of it has a default of the resource's own. */
export function inputTables(schema: z.ZodObject, defaults: Defaults = {}): string {
  return fieldTables(schema, ["Name", "Type", "Required", "Default", "Notes", "Description"], (row) => [
    code(row.name),
    typeText(row.field),
    requiredText(row),
    defaults[row.path] === undefined ? defaultText(row.field) : code(String(defaults[row.path])),
    notesOf(row).join(", "),
    row.traits.description ?? "",
  ]);
}

/** What a program reads back: of a resource, which lives and may change, or from a function, once. */
export function outputTables(schema: z.ZodObject, of: "resource" | "function"): string {
  return fieldTables(schema, ["Name", "Type", "Notes", "Description"], (row) => [
    code(row.name),
    typeText(row.field),
    (of === "resource" ? notesOf(row) : secretNote(row)).join(", "),
    row.traits.description ?? "",
  ]);
}

interface Row {
  readonly path: string;
  readonly name: string;
  readonly field: z.ZodType;
  readonly traits: FieldTraits;
}

/** The fields of an object, then each long list of values and each object within it. */
function fieldTables(
  schema: z.ZodObject,
  columns: readonly string[],
  cellsOf: (row: Row) => string[],
  above = "",
): string {
  const rows = fieldsOf(schema)
    .filter(([, , traits]) => traits.computed !== true)
    .map(([name, field, traits]): Row => ({ path: `${above}${name}`, name, field, traits }));
  const below = rows.flatMap(({ path, field }) => {
    const values = manyValues(field);
    const nested = objectBelow(field);
    const place = `${path}${nested?.path ?? ""}`;
    return [
      values === undefined ? "" : `Values of ${code(path)}: ${codes(values)}.`,
      nested === undefined
        ? ""
        : section(3, code(place), fieldTables(nested.object, columns, cellsOf, `${place}.`)),
    ];
  });
  return paragraphs(table(columns, rows.map(cellsOf)), ...below);
}

function requiredText({ field, traits: { autonamed } }: Row): string {
  if (isOptional(field)) return "no";
  return autonamed === undefined ? "yes" : "in the dynamic classes";
}

function defaultText(field: z.ZodType): string {
  const { default: usual } = shapeOf(field);
  return usual === undefined ? "" : code(JSON.stringify(usual));
}

/** What a reader must know of a field beyond its type. */
function notesOf(row: Row): string[] {
  const { traits } = row;
  const notes: readonly (readonly [boolean | undefined, string])[] = [
    [traits.replaces === "create-first", "a change replaces"],
    [traits.replaces === "delete-first", "a change replaces, deleting first"],
    [traits.writeOnly, "never returned by the service"],
    [traits.createOnly, "used while creating only"],
    [traits.deprecationMessage !== undefined, "deprecated"],
    [traits.local, "option of the provider, not sent"],
    [traits.set, "order means nothing"],
    [traits.autonamed !== undefined, "named by the plugin when left out"],
    [traits.dynamicOnly, "dynamic classes only"],
    [traits.stable, "never changes"],
  ];
  return [...secretNote(row), ...notes.flatMap(([applies, note]) => (applies === true ? [note] : []))];
}

function secretNote({ field }: Row): string[] {
  return holdsSecret(field) ? ["secret"] : [];
}

/** A list or a map of secrets is secret; an object tells at its own fields. */
function holdsSecret(field: z.ZodType): boolean {
  if (traitsOf(field).secret === true) return true;
  const shape = shapeOf(field);
  return shape.kind !== "object" && childrenOf(shape).some(holdsSecret);
}
