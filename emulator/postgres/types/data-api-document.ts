import type { Relation, Routine, TypeCatalog } from "./read-catalog";

type DataApiJson = Readonly<Record<string, unknown>>;

/** How JSON writes values of Postgres' own types; all others are texts. */
const jsonTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bool: "boolean",
    int2: "integer",
    int4: "integer",
    int8: "integer",
    float4: "number",
    float8: "number",
    numeric: "number",
    json: "object",
    jsonb: "object",
  }),
);

/** What the data API serves of one schema, as an OpenAPI document of version 2, in which it describes itself. */
export function dataApiDocument(catalog: TypeCatalog, schema: string, host: string): DataApiJson {
  const relations = catalog.relations.filter(
    ({ schema: own, kind }) => own === schema && "rpfvm".includes(kind),
  );
  const routines = catalog.routines.filter((routine) => routine.schema === schema);
  return {
    swagger: "2.0",
    info: {
      title: "Data API",
      description: `Tables, views and functions of the schema ${schema}`,
      version: "1",
    },
    host,
    basePath: "/",
    schemes: ["https"],
    consumes: ["application/json"],
    produces: ["application/json"],
    paths: Object.fromEntries([
      ...relations.map((relation) => [`/${relation.name}`, pathOf(relation)] as const),
      ...routines.map((routine) => [`/rpc/${routine.name}`, callOf(catalog, routine)] as const),
    ]),
    definitions: Object.fromEntries(relations.map((relation) => [relation.name, rowOf(catalog, relation)])),
  };
}

function pathOf({ name, insertable, updatable }: Relation): DataApiJson {
  const body = { name, in: "body", schema: { $ref: `#/definitions/${name}` } };
  const operation = (answers: DataApiJson, parameters: readonly DataApiJson[] = []): DataApiJson => ({
    tags: [name],
    parameters,
    responses: answers,
  });
  const rows = { type: "array", items: { $ref: `#/definitions/${name}` } };
  return {
    get: operation({ "200": { description: "OK", schema: rows } }),
    ...(insertable && { post: operation({ "201": { description: "Created" } }, [body]) }),
    ...(updatable && {
      patch: operation({ "204": { description: "No Content" } }, [body]),
      delete: operation({ "204": { description: "No Content" } }),
    }),
  };
}

function callOf(catalog: TypeCatalog, { name, inputs }: Routine): DataApiJson {
  const schema = {
    type: "object",
    required: inputs.filter(({ hasDefault }) => !hasDefault).map((argument) => argument.name),
    properties: Object.fromEntries(inputs.map((argument) => [argument.name, typeOf(catalog, argument.type)])),
  };
  return {
    post: {
      tags: [`(rpc) ${name}`],
      parameters: [{ name: "args", in: "body", required: true, schema }],
      responses: { "200": { description: "OK" } },
    },
  };
}

function rowOf(catalog: TypeCatalog, { columns }: Relation): DataApiJson {
  return {
    type: "object",
    required: columns.filter(({ nullable }) => !nullable).map(({ name }) => name),
    properties: Object.fromEntries(columns.map(({ name, type }) => [name, typeOf(catalog, type)])),
  };
}

function typeOf(catalog: TypeCatalog, oid: number): DataApiJson {
  const type = catalog.types.get(oid);
  if (type === undefined) return {};
  if (type.element !== 0) return { type: "array", items: typeOf(catalog, type.element) };
  if (type.base !== 0) return typeOf(catalog, type.base);
  const format = type.schema === "pg_catalog" ? type.name : `${type.schema}.${type.name}`;
  return {
    type: jsonTypes.get(type.name) ?? "string",
    format,
    ...(type.kind === "e" && { enum: type.labels }),
  };
}
