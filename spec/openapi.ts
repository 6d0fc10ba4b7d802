import type { z } from "zod";
import type { Operation } from "./operation";
import { answerComponents, answersOf, errorSchema, secondErrorSchema } from "./openapi/answers";
import { areas } from "./openapi/areas";
import { createDocumentSchemas, type DocumentSchemas, type JsonSchema } from "./openapi/schemas";
import { isNewer } from "./table";
import { securityOf, createSecuritySchemes } from "./openapi/security";

type OpenApiJson = Readonly<Record<string, unknown>>;
type DocumentedOperations = Readonly<Record<string, Operation>>;

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: OpenApiJson;
  readonly servers: readonly OpenApiJson[];
  readonly tags: readonly { readonly name: string }[];
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiJson>>>>;
  readonly components: OpenApiJson & { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The operation table as an OpenAPI document; `baseUrl` is where the API is, an absolute or a relative URL. */
export function createOpenApiDocument(table: DocumentedOperations, baseUrl?: string): OpenApiDocument {
  const entries = Object.entries(table);
  const schemas = createDocumentSchemas(
    Object.fromEntries(entries.flatMap(([name, operation]) => listSentSchemas(name, operation))),
    Object.fromEntries(entries.map(([name, { success }]) => [name, success.schema])),
  );
  const tagOf = mapAreaNames(table);
  const paths: Record<string, Record<string, OpenApiJson>> = {};
  for (const [name, operation] of entries) {
    const item = (paths[operation.path] ??= {});
    item[operation.method.toLowerCase()] = createOperationObject(
      name,
      operation,
      schemas,
      tagOf.get(operation),
    );
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Management API",
      version: "1",
      description:
        "Management API of a hosted Postgres platform. Answers may carry fields beyond those described here; " +
        "an enum of an answer takes further values than those of `x-extensible-enum`.",
    },
    servers: [baseUrl === undefined ? anyServer : { url: baseUrl }],
    tags: Object.keys(areas).map((name) => ({ name })),
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: createSecuritySchemes(Object.values(table)),
      ...answerComponents,
      schemas: {
        ...schemas.components,
        Error: errorSchema,
        ErrorOfSecondVersion: secondErrorSchema,
      },
    },
  };
}

const anyServer = { url: "{baseUrl}", variables: { baseUrl: { default: "https://api.example.com" } } };

function createOperationObject(
  name: string,
  operation: Operation,
  schemas: DocumentSchemas,
  tag: string | undefined,
): OpenApiJson {
  const parameters = fieldsOf(operation).map(({ place, field, schema }) => ({
    name: field,
    in: place,
    required: schema._zod.optin !== "optional",
    schema: schemas.requests[`${name}.${place}.${field}`],
  }));
  return {
    operationId: name,
    ...(tag !== undefined && { tags: [tag] }),
    ...(operation.stability.includes("deprecated") && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: createRequestBody(name, operation.body, schemas) }),
    responses: answersOf(operation, schemas.answers[name] ?? {}),
    security: securityOf(operation),
    ...(operation.scope !== undefined && { "x-oauth-scope": operation.scope }),
    ...(operation.permissions.length > 0 && { "x-permissions-any-of": operation.permissions }),
    ...(operation.stricterLimits.length > 0 && { "x-rate-limits": operation.stricterLimits }),
    ...(operation.stability.length > 0 && { "x-stability": operation.stability }),
    ...(isNewer(name) && { "x-newer": true }),
  };
}

/** The fields of a request outside its body. */
function fieldsOf({
  params,
  query,
  headers,
}: Operation): { place: string; field: string; schema: z.ZodType }[] {
  return Object.entries({ path: params, query, header: headers }).flatMap(([place, { shape }]) =>
    // Full schemas; as fields of any shape their type is only the library's smaller core.
    Object.entries(shape as Record<string, z.ZodType>).map(([field, schema]) => ({ place, field, schema })),
  );
}

function listSentSchemas(name: string, operation: Operation): [string, z.ZodType][] {
  const parameters = fieldsOf(operation).map(({ place, field, schema }): [string, z.ZodType] => [
    `${name}.${place}.${field}`,
    schema,
  ]);
  return operation.body ? [...parameters, [`${name}.body`, operation.body.schema]] : parameters;
}

function createRequestBody(
  name: string,
  body: NonNullable<Operation["body"]>,
  schemas: DocumentSchemas,
): OpenApiJson {
  const schema = schemas.requests[`${name}.body`] ?? {};
  if (body.bytesContentType === undefined) {
    return { required: true, content: { [body.contentType]: { schema } } };
  }
  const [inJson, inBytes] = schema.anyOf ?? [];
  return {
    required: true,
    content: { [body.contentType]: { schema: inJson }, [body.bytesContentType]: { schema: inBytes } },
  };
}

/** By operation, the name of the area whose file describes it. */
function mapAreaNames(table: DocumentedOperations): ReadonlyMap<unknown, string> {
  const known = new Set<unknown>(Object.values(table));
  return new Map(
    Object.entries(areas).flatMap(([area, file]) =>
      Object.values(file)
        .filter((value) => known.has(value))
        .map((value): [unknown, string] => [value, area]),
    ),
  );
}
