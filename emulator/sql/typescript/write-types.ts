import type { Relation, Relationship, TypeCatalog } from "./catalog";
import { typeTools } from "./type-tools";
import { property, TypeTexts } from "./type-text";
import { braced, indented, mapOf, objectOf, prefixed, suffixed, type Entry } from "./lines";
import { writeRoutine } from "./write-routine";

/** A TypeScript module that describes the given schemas as the type `Database`. */
export function writeTypes(catalog: TypeCatalog, schemas: readonly string[]): string {
  const texts = new TypeTexts(catalog, schemas);
  const database = schemas.toSorted().map((schema): Entry => [schema, writeSchema(catalog, texts, schema)]);
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
  const enums = enumsOf(catalog, schema).map(({ name, labels }): Entry => [
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
