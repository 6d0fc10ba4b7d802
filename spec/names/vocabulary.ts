import type { z } from "zod";
import type { Operation } from "../operation";
import { alternativesOf, collectFields } from "./alternatives";
import {
  DATABASE_PLACEHOLDERS,
  JWT_ISSUER,
  KEY_PREFIX,
  TOOL_PLACEHOLDERS,
  type DatabaseSection,
  isPlaceholder,
  placeholderPrefix,
} from "./neutral-words";

export type OperationTable = Readonly<Record<string, Operation>>;

/** Every name in the operation table, by where it stands. */
export interface Vocabulary {
  readonly paths: readonly string[];
  /** The fields of each object. */
  readonly objects: readonly (readonly string[])[];
  /** The values of each text that lists them, with the name of its field. */
  readonly enums: readonly { readonly field: string; readonly values: readonly string[] }[];
  readonly reservedPrefixes: readonly string[];
}

/** The placeholders among them: what a names file may name otherwise. */
export interface Placeholders extends Readonly<Record<DatabaseSection, readonly string[]>> {
  readonly paths: readonly string[];
  readonly fieldPrefixes: readonly string[];
  readonly fields: readonly string[];
  /** By the name of the field. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly reservedPrefixes: readonly string[];
  readonly issued: readonly string[];
  readonly tool: readonly string[];
}

export function vocabularyOf(table: OperationTable): Vocabulary {
  const found = {
    objects: [] as string[][],
    enums: [] as Vocabulary["enums"][number][],
    reservedPrefixes: [] as string[],
  };
  const visit = (schemas: readonly z.core.$ZodType[], field: string): void => {
    const { objects, records, elements, values, reservedPrefixes } = alternativesOf(schemas);
    for (const object of objects) found.objects.push(Object.keys(object.fields));
    for (const [name, alternatives] of collectFields(objects)) visit(alternatives, name);
    for (const record of records) {
      visit([record.keys], field);
      visit([record.values], field);
    }
    if (elements.length > 0) visit(elements, field);
    if (values.length > 0) found.enums.push({ field, values });
    found.reservedPrefixes.push(...reservedPrefixes);
  };
  for (const { params, query, headers, body, success } of Object.values(table)) {
    for (const schema of [params, query, headers, success.schema]) visit([schema], "");
    if (body !== undefined) visit([body.schema], "");
  }
  return { paths: Object.values(table).map(({ path }) => path), ...found };
}

export function collectPlaceholders({ paths, objects, enums, reservedPrefixes }: Vocabulary): Placeholders {
  const fields = sortDistinct(objects.flat().filter(isPlaceholder));
  const values: Record<string, string[]> = {};
  for (const { field, values: listed } of enums) {
    const own = listed.filter(isPlaceholder);
    if (own.length > 0) values[field] = sortDistinct([...(values[field] ?? []), ...own]);
  }
  return {
    paths: sortDistinct(
      paths.flatMap((path) => path.split("/")).filter((part) => !part.startsWith("{") && isPlaceholder(part)),
    ),
    fieldPrefixes: sortDistinct(fields.flatMap((field) => placeholderPrefix(field) ?? [])),
    fields,
    values,
    reservedPrefixes: sortDistinct(reservedPrefixes),
    issued: [KEY_PREFIX, JWT_ISSUER],
    tool: TOOL_PLACEHOLDERS,
    // Of a project's database, which no operation names.
    ...DATABASE_PLACEHOLDERS,
  };
}

function sortDistinct(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}
