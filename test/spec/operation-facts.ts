import { isObject } from "../../spec/is-object";
import { canonicalSchema, type NamedSchemas, type Schema } from "./canonical-schema";

/** What is read of an OpenAPI document, 3.0 or 3.1. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: NamedSchemas };
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface DocumentedOperation extends Readonly<Record<string, unknown>> {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<
    Record<string, Content & { readonly headers?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

/** The facts of every operation, by method and path. */
export function factsOf({ paths, components }: Document): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        operationFacts(operation, components.schemas),
      ]),
    ),
  );
}

function operationFacts(operation: DocumentedOperation, named: NamedSchemas): unknown {
  const codes = Object.keys(operation.responses).filter((code) => code !== "default");
  return {
    parameters: Object.fromEntries(
      (operation.parameters ?? []).map((parameter) => [
        `${parameter.in} ${parameter.name}`,
        { required: parameter.required === true, schema: canonicalSchema(parameter.schema, named) },
      ]),
    ),
    body: contentFacts(operation.requestBody, named),
    answers: Object.fromEntries(
      codes
        .filter((code) => code.startsWith("2"))
        .map((code) => [
          code,
          {
            content: contentFacts(operation.responses[code], named),
            headers: headerFacts(operation.responses[code]?.headers ?? {}, named),
          },
        ]),
    ),
    errors: codes.filter((code) => !code.startsWith("2")).toSorted(),
    deprecated: operation["deprecated"] === true,
    scope: operation["x-oauth-scope"],
    permissions: (operation["x-permissions-any-of"] as string[][] | undefined)
      ?.map((all) => all.toSorted().join(" and "))
      .toSorted(),
  };
}

function contentFacts(holder: Content | undefined, named: NamedSchemas): unknown {
  return Object.fromEntries(
    Object.entries(holder?.content ?? {}).map(([type, { schema }]) => [type, canonicalSchema(schema, named)]),
  );
}

/** Every answer carries the rate-limit headers, which are no fact of one operation. */
function headerFacts(
  headers: Readonly<Record<string, { readonly schema?: Schema }>>,
  named: NamedSchemas,
): unknown {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !name.toLowerCase().startsWith("x-ratelimit-"))
      .map(([name, { schema }]) => [name.toLowerCase(), schema && canonicalSchema(schema, named)]),
  );
}

/** Where two values differ: `place: here and there`. */
export function differences(place: string, documented: unknown, table: unknown): string[] {
  if (isObject(documented) && isObject(table)) {
    return [...new Set([...Object.keys(documented), ...Object.keys(table)])].flatMap((key) =>
      differences(place === "" ? key : `${place} > ${key}`, documented[key], table[key]),
    );
  }
  const [one, other] = [spell(documented), spell(table)];
  return one === other ? [] : [`${place}: ${one} in the documents, ${other} in the table`];
}

function spell(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
