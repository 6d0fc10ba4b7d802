import { resolve } from "node:path";
import type { z } from "zod";
import { operations } from "../table";
import { findClashes } from "./clashes";
import { type JsonFault, parseLocatedJson, MalformedJsonError, type LocatedJson } from "./located-json";
import { NamesFileError, type Names } from "./names";
import { type NamesFile, namesFileSchema } from "./names-file";
import { JWT_ISSUER, KEY_PREFIX, RESERVED_PREFIX } from "./neutral-words";
import { SchemaMapping } from "./schema-mapping";
import { collectPlaceholders, vocabularyOf, type Placeholders, type OperationTable } from "./vocabulary";
import { Words } from "./words";
import { readTextFile } from "../regular-file";

const empty: NamesFile = {
  paths: {},
  fieldPrefixes: {},
  fields: {},
  values: {},
  reservedPrefixes: {},
  issued: {},
  tool: {},
  schemas: {},
  roles: {},
  publications: {},
  extensions: {},
  eventTriggers: {},
};

/** Compiled once for each text: who asks again, as every check of a resource does, gets the same. */
const compiled = new Map<string, Names>();

/** The names in a file; a relative path begins at the working directory. */
export function readNames(path: string): Names {
  const file = resolve(path);
  const text = textOf(file);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const found = parseNames(text);
  if ("toWire" in found) {
    compiled.set(text, found);
    return found;
  }
  const faults = found.map(({ line, reason }) => `line ${line}: ${reason}`);
  throw new NamesFileError(
    `${file} is refused: ${faults.join("; ")}. Correct it as docs/names.md describes.`,
  );
}

function textOf(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    const why =
      typeof error === "object" && error !== null && "code" in error ? String(error.code) : String(error);
    throw new NamesFileError(
      `${file} cannot be read (${why}): give the path of a file as docs/names.md describes it; ` +
        `a relative one begins at the working directory, here ${process.cwd()}.`,
    );
  }
}

/** The names that a file's text tells, or everything that is wrong with it. */
export function parseNames(text: string, table: OperationTable = operations): Names | readonly JsonFault[] {
  const located = read(text);
  if (!("lineOf" in located)) return [located];
  const vocabulary = vocabularyOf(table);
  const placeholders = collectPlaceholders(vocabulary);
  const faults = [...findRepeatedKeys(located), ...findSchemaFaults(located, placeholders)];
  if (faults.length > 0) return sortByLine(faults);
  // What the schema let through has these sections and no others.
  const file: NamesFile = { ...empty, ...(located.value as Partial<NamesFile>) };
  const words = new Words(file, vocabulary);
  const clashes = findClashes(file, words, vocabulary, placeholders);
  if (clashes.length > 0) {
    return sortByLine(clashes.map(({ path, reason }) => ({ line: located.lineOf(path), reason })));
  }
  const keyPrefix = file.issued[KEY_PREFIX] ?? KEY_PREFIX;
  const toWire = new SchemaMapping(words, "toWire");
  const request = new SchemaMapping(words, "toWire", { refusesReserved: true });
  return {
    path: (template) =>
      template
        .split("/")
        .map((segment) => words.paths.get(segment) ?? segment)
        .join("/"),
    toWire,
    fromWire: new SchemaMapping(words, "fromWire"),
    request: (schema, value) => request.value(schema, value),
    issued: { keyPrefix, jwtIssuer: file.issued[JWT_ISSUER] ?? keyPrefix },
    reservedPrefix: file.reservedPrefixes[RESERVED_PREFIX] ?? RESERVED_PREFIX,
    tool: (placeholder) => file.tool[placeholder] ?? placeholder,
    schema: (placeholder) => file.schemas[placeholder] ?? placeholder,
    inDatabase: (section, placeholder) => file[section][placeholder] ?? placeholder,
    hasSchema: (placeholder) => file.schemas[placeholder] !== undefined,
  };
}

function read(text: string): LocatedJson | JsonFault {
  try {
    return parseLocatedJson(text);
  } catch (error) {
    if (error instanceof MalformedJsonError) return { line: error.line, reason: error.message };
    throw error;
  }
}

function findRepeatedKeys({ repeated }: LocatedJson): JsonFault[] {
  return repeated.map(({ key, line }) => ({
    line,
    reason: `"${key}" is there a second time: give each placeholder one word`,
  }));
}

function findSchemaFaults({ value, lineOf }: LocatedJson, placeholders: Placeholders): JsonFault[] {
  const issues = namesFileSchema(placeholders).safeParse(value).error?.issues ?? [];
  return issues.flatMap((issue): JsonFault[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({
          line: lineOf([...issue.path, key]),
          reason: explainUnknownKey(key, issue.path),
        }))
      : [{ line: lineOf(issue.path), reason: `${formatPlace(issue.path)} ${explainIssue(issue)}` }],
  );
}

function explainUnknownKey(key: string, path: readonly PropertyKey[]): string {
  const [section] = path;
  if (section === undefined) return `"${key}" is no section of a names file: ${SECTIONS}`;
  if (section === "values" && path.length === 1)
    return `"${key}" is no field that takes a placeholder's value: ${LISTED}`;
  return `"${key}" is no placeholder in ${formatPlace(path)}: ${LISTED}`;
}

const SECTIONS = `those are ${Object.keys(empty)
  .map((name) => `"${name}"`)
  .join(", ")}`;
const LISTED = "names.schema.json of the package lists them all";

function formatPlace(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "the file" : `"${path.map(String).join(".")}"`;
}

function explainIssue(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type") return issue.message;
  return issue.expected === "string" ? "takes a text" : "takes placeholders with their words: {…}";
}

function sortByLine(faults: readonly JsonFault[]): readonly JsonFault[] {
  return faults.toSorted((a, b) => a.line - b.line);
}
