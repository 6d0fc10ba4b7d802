import type { z } from "zod";
import {
  isReplacedOnChange,
  listMarkedFields,
  isOptional,
  traitsOf,
  type FieldTraits,
} from "../../../provider/define/markers";
import { listKnownValues } from "../../../provider/define/open-values";
import { listChildSchemas, shapeOf } from "../../../spec/shape-of";
import type { ExampleValue, ExampleValues } from "../examples/example";
import { code, codes, paragraphs, section, table } from "./markdown";

/** What a page puts first, and what it leaves to another page. */
interface Selection {
  /** What the example sets. */
  readonly shown?: ExampleValues;
  readonly omitted?: (name: string, traits: FieldTraits) => boolean;
}

/** What a program gives. */
export function inputTables(schema: z.ZodObject, { shown = {}, omitted }: Selection = {}): string {
  const cellsOf = (row: Row): string[] => [
    code(row.name),
    typeText(row.field),
    requiredText(row),
    defaultText(row.field),
    formatNotes(row).join(", "),
    row.traits.description ?? "",
  ];
  const columns = ["Name", "Type", "Required", "Default", "Notes", "Description"];
  const rows = byNeed(fieldsOf(schema, "", shown)).filter(
    ({ name, traits }) => omitted?.(name, traits) !== true,
  );
  return fieldTables(rows, { columns, cellsOf, ordered: byNeed });
}

/** What a program reads back: of a resource, which lives and may change, or from a function, once. */
export function outputTables(schema: z.ZodObject, of: "resource" | "function"): string {
  const cellsOf = (row: Row): string[] => [
    code(row.name),
    typeText(row.field),
    (of === "resource" ? formatNotes(row) : secretNote(row)).join(", "),
    row.traits.description ?? "",
  ];
  const columns = ["Name", "Type", "Notes", "Description"];
  return fieldTables(fieldsOf(schema, ""), { columns, cellsOf, ordered: (rows) => rows });
}

interface Row {
  readonly path: string;
  readonly name: string;
  readonly field: z.ZodType;
  readonly traits: FieldTraits;
  /** What the example sets it to. */
  readonly shown: ExampleValue | undefined;
}

/** The fields of an object, as they are defined. */
function fieldsOf(schema: z.ZodObject, above: string, shown?: ExampleValue): Row[] {
  const values: ExampleValues = isObject(shown) ? shown : {};
  return listMarkedFields(schema)
    .filter(([, , traits]) => traits.computed !== true)
    .map(([name, field, traits]): Row => {
      return { path: `${above}${name}`, name, field, traits, shown: values[name] };
    });
}

/** Required fields, then those of the example, then the others, each as they are defined. */
function byNeed(rows: readonly Row[]): readonly Row[] {
  const rank = ({ field, shown }: Row): number => {
    if (!isOptional(field)) return 0;
    return shown === undefined ? 2 : 1;
  };
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

function isObject(value: ExampleValue | undefined): value is ExampleValues {
  return typeof value === "object" && !Array.isArray(value);
}

interface Layout {
  readonly columns: readonly string[];
  readonly cellsOf: (row: Row) => string[];
  readonly ordered: (rows: readonly Row[]) => readonly Row[];
}

/** A table of the fields, then each long list of values and each object within it. */
function fieldTables(rows: readonly Row[], layout: Layout): string {
  const { columns, cellsOf } = layout;
  const values = rows.map(({ path, field }) => {
    const many = manyValues(field);
    if (many === undefined) return "";
    return `${isOpen(field) ? "Known values" : "Values"} of ${code(path)}: ${codes(many)}.`;
  });
  return paragraphs(table(columns, rows.map(cellsOf)), ...values, ...objectsBelow(rows, layout));
}

/** The tables of the objects within these fields; objects with the same table share one. */
function objectsBelow(rows: readonly Row[], layout: Layout): string[] {
  const placesByTable = new Map<string, string[]>();
  for (const { path, field, traits, shown } of rows) {
    // The settings of a resource stand on its own page.
    const nested = traits.settingsOf === undefined ? objectBelow(field) : undefined;
    if (nested === undefined) continue;
    const place = `${path}${nested.path}`;
    const below = fieldsOf(nested.object, `${place}.`, shownBelow(shown, nested.path));
    const text = fieldTables(layout.ordered(below), layout);
    placesByTable.set(text, [...(placesByTable.get(text) ?? []), place]);
  }
  return [...placesByTable].map(([text, [first = "", ...others]]) =>
    others.length === 0
      ? section(3, code(first), text)
      : section(3, `${code(first)} and ${others.length} more`, `Also ${codes(others)}:`, text),
  );
}

/** What the example sets of the first member of a list or map; of an object, itself. */
function shownBelow(shown: ExampleValue | undefined, path: string): ExampleValue | undefined {
  if (path === "" || typeof shown !== "object") return shown;
  return Object.values<ExampleValue>(shown)[0];
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
function formatNotes(row: Row): string[] {
  const { traits } = row;
  const isReplaced = isReplacedOnChange(traits);
  const notes: readonly (readonly [boolean | undefined, string])[] = [
    [isReplaced && traits.replaces === "create-first", "replaces on change"],
    [isReplaced && traits.replaces === "delete-first", "replaces on change, deletes first"],
    [traits.replaces !== undefined && traits.moves !== true && !isReplaced, "a change is refused"],
    [traits.moves, "a change needs consent"],
    [traits.writeOnly, "write-only"],
    [traits.createOnly, "used only on creation"],
    [traits.local, "provider option"],
    [traits.set, "unordered"],
    [traits.autonamed !== undefined, "generated by the plugin if omitted"],
    [traits.dynamicOnly, "dynamic classes only"],
    [traits.stable === true && traits.changesWith === undefined, "never changes"],
    [traits.changesWith !== undefined, `changes with \`${traits.changesWith ?? ""}\` only`],
  ];
  return [...secretNote(row), ...notes.flatMap(([applies, note]) => (applies === true ? [note] : []))];
}

function secretNote({ field }: Row): string[] {
  return holdsSecret(field) ? ["secret"] : [];
}

/** A list or a map of secrets is secret; an object marks its own fields. */
function holdsSecret(field: z.ZodType): boolean {
  if (traitsOf(field).secret === true) return true;
  const shape = shapeOf(field);
  return shape.kind !== "object" && listChildSchemas(shape).some(holdsSecret);
}

/** A type as a reader of any language understands it; `[object](#anchor)` is left to the caller. */
function typeText(schema: z.ZodType): string {
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case "string":
    case "boolean":
    case "object":
      return shape.kind;
    case "number":
      return shape.inner.format?.includes("int") === true ? "integer" : "number";
    case "unknown":
    case "any":
      return "any";
    case "enum":
    case "literal": {
      const values = shape.constants.map(String);
      return isLong(values) ? "enum" : values.map(code).join(" or ");
    }
    case "array":
      return `list of ${typeText(shape.element)}`;
    case "record":
      return `map of ${typeText(shape.values)}`;
    case "union": {
      if (!isOpen(schema)) return shape.options.map(typeText).join(" or ");
      const values = listKnownValues(shape.options);
      return isLong(values) ? "string" : [...values.map(code), "another"].join(" or ");
    }
    default:
      throw new Error(`There is no name for a schema of type ${shape.kind}.`);
  }
}

function isOpen(schema: z.ZodType): boolean {
  return traitsOf(schema).isOpen === true;
}

/** All values, where they are too many for the table. */
function manyValues(schema: z.ZodType): readonly string[] | undefined {
  const shape = shapeOf(schema);
  if (shape.kind === "array") return manyValues(shape.element);
  if (shape.kind === "union" && isOpen(schema)) {
    const known = listKnownValues(shape.options);
    return isLong(known) ? known : undefined;
  }
  if (shape.kind !== "enum" && shape.kind !== "literal") return undefined;
  const values = shape.constants.map(String);
  return isLong(values) ? values : undefined;
}

/** The object below lists and maps, with what leads to it: `[]` for a list, `.<key>` for a map. */
function objectBelow(schema: z.ZodType): { object: z.ZodObject; path: string } | undefined {
  const shape = shapeOf(schema);
  if (shape.kind === "object") return { object: shape.inner, path: "" };
  if (shape.kind !== "array" && shape.kind !== "record") return undefined;
  const below = objectBelow(shape.kind === "array" ? shape.element : shape.values);
  const step = shape.kind === "array" ? "[]" : ".<key>";
  return below === undefined ? undefined : { object: below.object, path: `${step}${below.path}` };
}

/** Characters: longer enumerations stand below the table. */
const LONGEST_ENUMERATION = 60;

function isLong(values: readonly string[]): boolean {
  return values.join(" or ").length > LONGEST_ENUMERATION;
}
