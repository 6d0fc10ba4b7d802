import type { Relation, Relationship, TypeCatalog, Argument, Routine } from "./read-catalog";
import { property, TypeTexts, arrayOf } from "./type-text";

/** A TypeScript module that describes the given schemas as the type `Database`. */
export function writeTypes(catalog: TypeCatalog, schemas: readonly string[]): string {
  const texts = new TypeTexts(catalog, schemas);
  const database = schemas
    .toSorted()
    .map((schema): TypeEntry => [schema, writeSchema(catalog, texts, schema)]);
  return [
    "export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]",
    "",
    ...prefixed("export type Database = ", objectOf(database)),
    "",
    ...typeTools(schemas),
    ...prefixed("export const Constants = ", constants(catalog, schemas), " as const"),
    "",
  ].join("\n");
}

function writeSchema(catalog: TypeCatalog, texts: TypeTexts, schema: string): string[] {
  const relations = catalog.relations.filter((relation) => relation.schema === schema);
  const ofKind = (kinds: string): Relation[] => relations.filter(({ kind }) => kinds.includes(kind));
  const routines = Map.groupBy(
    catalog.routines.filter((routine) => routine.schema === schema),
    ({ name }) => name,
  );
  const enums = enumsOf(catalog, schema).map(({ name, labels }): TypeEntry => [
    name,
    [labels.map((label) => JSON.stringify(label)).join(" | ") || "never"],
  ]);
  return objectOf([
    ["Tables", mapOf(ofKind("rpf").map((table) => [table.name, writeTable(texts, table)]))],
    ["Views", mapOf(ofKind("vm").map((view) => [view.name, writeView(texts, view)]))],
    [
      "Functions",
      mapOf([...routines].map(([name, overloads]) => [name, writeRoutine(texts, catalog, overloads)])),
    ],
    ["Enums", mapOf(enums)],
    ["CompositeTypes", mapOf(ofKind("c").map((type) => [type.name, writeRow(texts, type, true)]))],
  ]);
}

function writeTable(texts: TypeTexts, table: Relation): string[] {
  return objectOf([
    ["Row", writeRow(texts, table)],
    ["Insert", writeChange(texts, table, false)],
    ["Update", writeChange(texts, table, true)],
    ["Relationships", writeRelationships(table.relationships)],
  ]);
}

function writeView(texts: TypeTexts, view: Relation): string[] {
  return objectOf([
    ["Row", writeRow(texts, view, true)],
    ...(view.insertable ? [["Insert", writeChange(texts, view, true)] as const] : []),
    ...(view.updatable ? [["Update", writeChange(texts, view, true)] as const] : []),
    ["Relationships", writeRelationships(view.relationships)],
  ]);
}

/** Of a composite type or a view Postgres does not know which columns are never null. */
function writeRow(texts: TypeTexts, { columns }: Relation, allNullable = false): string[] {
  return objectOf(
    columns.map(({ name, type, nullable }) => [
      name,
      [texts.of(type) + (nullable || allNullable ? " | null" : "")],
    ]),
  );
}

function writeChange(texts: TypeTexts, { columns }: Relation, allOptional: boolean): string[] {
  const lines = columns.map(({ name, type, nullable, hasDefault, generated }) => {
    if (generated) return `${property(name)}?: never`;
    const isOptional = allOptional || nullable || hasDefault;
    return `${property(name)}${isOptional ? "?" : ""}: ${texts.of(type)}${nullable ? " | null" : ""}`;
  });
  return braced(lines);
}

function writeRelationships(relationships: readonly Relationship[]): string[] {
  const list = (names: readonly string[]): string[] => [
    `[${names.map((name) => JSON.stringify(name)).join(", ")}]`,
  ];
  const entries = relationships.map((relationship) =>
    objectOf([
      ["foreignKeyName", [JSON.stringify(relationship.name)]],
      ["columns", list(relationship.columns)],
      ["isOneToOne", [String(relationship.isOneToOne)]],
      ["referencedRelation", [JSON.stringify(relationship.relation)]],
      ["referencedColumns", list(relationship.referencedColumns)],
    ]),
  );
  return entries.length === 0
    ? ["[]"]
    : ["[", ...entries.flatMap((entry) => indented(suffixed(entry, ","))), "]"];
}

function constants(catalog: TypeCatalog, schemas: readonly string[]): string[] {
  const ofSchema = (schema: string): string[] => {
    const lines = enumsOf(catalog, schema).map(
      ({ name, labels }) => `${property(name)}: ${JSON.stringify(labels)},`,
    );
    return braced([...prefixed("Enums: ", braced(lines), ",")]);
  };
  return braced(
    schemas.toSorted().flatMap((schema) => prefixed(`${property(schema)}: `, ofSchema(schema), ",")),
  );
}

function enumsOf(catalog: TypeCatalog, schema: string): { name: string; labels: readonly string[] }[] {
  return [...catalog.types.values()].filter((type) => type.kind === "e" && type.schema === schema);
}

/** The functions of one name; overloads are distinguished by their arguments. */
function writeRoutine(texts: TypeTexts, catalog: TypeCatalog, overloads: readonly Routine[]): string[] {
  const [only, ...others] = overloads.map((routine) => writeOverload(texts, catalog, routine));
  if (only === undefined || others.length === 0) return only ?? [];
  return [
    "",
    ...[only, ...others].flatMap(([first = "", ...rest]) => [
      `  | ${first}`,
      ...rest.map((line) => `    ${line}`),
    ]),
  ];
}

function writeOverload(texts: TypeTexts, catalog: TypeCatalog, routine: Routine): string[] {
  return objectOf([
    ["Args", writeArguments(texts, routine.inputs)],
    ["Returns", writeReturns(texts, catalog, routine)],
  ]);
}

function writeArguments(texts: TypeTexts, inputs: readonly Argument[]): string[] {
  if (inputs.length === 0) return ["Record<PropertyKey, never>"];
  return braced(
    inputs.map(
      ({ name, type, hasDefault }) => `${property(name)}${hasDefault ? "?" : ""}: ${texts.of(type)}`,
    ),
  );
}

function writeReturns(texts: TypeTexts, catalog: TypeCatalog, routine: Routine): string[] {
  const { outputs, returns, returnsSet } = routine;
  const isRecord = catalog.types.get(returns)?.name === "record";
  const row = braced(outputs.map(({ name, type }) => `${property(name)}: ${texts.of(type)}`));
  const lines = isRecord && outputs.length > 0 ? row : [texts.of(returns)];
  if (!returnsSet) return lines;
  return lines.length === 1 ? lines.map(arrayOf) : [...lines.slice(0, -1), `${lines.at(-1) ?? ""}[]`];
}

/** What a module offers beside `Database`, to name one table's or enum's type in short. */
function typeTools(schemas: readonly string[]): string[] {
  const main = JSON.stringify(schemas.includes("public") ? "public" : schemas[0]);
  return [
    `type DefaultSchema = Database[${main}]`,
    "",
    ...tool("Tables", ["Tables", "Views"], "Row"),
    ...tool("TablesInsert", ["Tables"], "Insert"),
    ...tool("TablesUpdate", ["Tables"], "Update"),
    ...tool("Enums", ["Enums"], undefined),
    ...tool("CompositeTypes", ["CompositeTypes"], undefined),
  ];
}

/** `Tables<"orders">` of the default schema, `Tables<{ schema: "sales" }, "orders">` of another one. */
function tool(name: string, groups: readonly string[], part: string | undefined): string[] {
  const of = (schema: string): string => `(${groups.map((group) => `${schema}["${group}"]`).join(" & ")})`;
  const other = `Database[Where["schema"]]`;
  const pick = (all: string, key: string): string =>
    part === undefined ? `${all}[${key}]` : `${all}[${key}] extends { ${part}: infer T } ? T : never`;
  return [
    `export type ${name}<`,
    `  Where extends keyof ${of("DefaultSchema")} | { schema: keyof Database },`,
    `  Name extends Where extends { schema: keyof Database } ? keyof ${of(other)} : never = never,`,
    `> = Where extends { schema: keyof Database }`,
    `  ? ${pick(of(other), "Name")}`,
    `  : Where extends keyof ${of("DefaultSchema")}`,
    `    ? ${pick(of("DefaultSchema"), "Where")}`,
    `    : never`,
    "",
  ];
}

/** One entry of an object type: its name and the lines of its type. */
type TypeEntry = readonly [name: string, lines: readonly string[]];

/** An object type whose keys can be asked for even when there are none. */
function mapOf(entries: readonly TypeEntry[]): string[] {
  return entries.length === 0 ? ["{ [_ in never]: never }"] : objectOf(entries);
}

function objectOf(entries: readonly TypeEntry[]): string[] {
  return braced(entries.flatMap(([name, lines]) => prefixed(`${property(name)}: `, lines)));
}

function braced(lines: readonly string[]): string[] {
  return ["{", ...indented(lines), "}"];
}

function prefixed(prefix: string, [first = "", ...others]: readonly string[], suffix = ""): string[] {
  return suffixed([(prefix + first).trimEnd(), ...others], suffix);
}

function suffixed(lines: readonly string[], suffix: string): string[] {
  return lines.map((line, index) => (index === lines.length - 1 ? line + suffix : line));
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
