import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { z } from "zod";
import { operations } from "../table";
import { clashesIn } from "./clashes";
import { type Fault, locatedJson, MalformedJsonError, type LocatedJson } from "./located-json";
import { NamesFileError, type Names } from "./names";
import { type NamesFile, namesFileSchema } from "./names-file";
import { JWT_ISSUER, KEY_PREFIX, RESERVED_PREFIX } from "./neutral-words";
import { SchemaSpelling } from "./schema-spelling";
import { standInsOf, vocabularyOf, type StandIns, type Table } from "./vocabulary";
import { Words } from "./words";

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
    return readFileSync(file, "utf8");
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
export function parseNames(text: string, table: Table = operations): Names | readonly Fault[] {
  const located = read(text);
  if (!("lineOf" in located)) return [located];
  const vocabulary = vocabularyOf(table);
  const standIns = standInsOf(vocabulary);
  const faults = [...repeatedIn(located), ...misfitsIn(located, standIns)];
  if (faults.length > 0) return inOrder(faults);
  // What the schema let through has these sections and no others.
  const file: NamesFile = { ...empty, ...(located.value as Partial<NamesFile>) };
  const words = new Words(file, vocabulary);
  const clashes = clashesIn(file, words, vocabulary, standIns);
  if (clashes.length > 0) {
    return inOrder(clashes.map(({ path, reason }) => ({ line: located.lineOf(path), reason })));
  }
  const keyPrefix = file.issued[KEY_PREFIX] ?? KEY_PREFIX;
  const toWire = new SchemaSpelling(words, "toWire");
  const request = new SchemaSpelling(words, "toWire", { refusesReserved: true });
  return {
    path: (template) =>
      template
        .split("/")
        .map((segment) => words.paths.get(segment) ?? segment)
        .join("/"),
    toWire,
    fromWire: new SchemaSpelling(words, "fromWire"),
    request: (schema, value) => request.value(schema, value),
    issued: { keyPrefix, jwtIssuer: file.issued[JWT_ISSUER] ?? keyPrefix },
    reservedPrefix: file.reservedPrefixes[RESERVED_PREFIX] ?? RESERVED_PREFIX,
    tool: (standIn) => file.tool[standIn] ?? standIn,
    schema: (standIn) => file.schemas[standIn] ?? standIn,
    inDatabase: (section, standIn) => file[section][standIn] ?? standIn,
    hasSchema: (standIn) => file.schemas[standIn] !== undefined,
  };
}

function read(text: string): LocatedJson | Fault {
  try {
    return locatedJson(text);
  } catch (error) {
    if (error instanceof MalformedJsonError) return { line: error.line, reason: error.message };
    throw error;
  }
}

function repeatedIn({ repeated }: LocatedJson): Fault[] {
  return repeated.map(({ key, line }) => ({
    line,
    reason: `"${key}" is there a second time: give each stand-in one word`,
  }));
}

function misfitsIn({ value, lineOf }: LocatedJson, standIns: StandIns): Fault[] {
  const issues = namesFileSchema(standIns).safeParse(value).error?.issues ?? [];
  return issues.flatMap((issue): Fault[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({
          line: lineOf([...issue.path, key]),
          reason: unknownKey(key, issue.path),
        }))
      : [{ line: lineOf(issue.path), reason: `${placeIn(issue.path)} ${complaint(issue)}` }],
  );
}

function unknownKey(key: string, path: readonly PropertyKey[]): string {
  const [section] = path;
  if (section === undefined) return `"${key}" is no section of a names file: ${SECTIONS}`;
  if (section === "values" && path.length === 1)
    return `"${key}" is no field that takes a stand-in's value: ${LISTED}`;
  return `"${key}" is no stand-in in ${placeIn(path)}: ${LISTED}`;
}

const SECTIONS = `those are ${Object.keys(empty)
  .map((name) => `"${name}"`)
  .join(", ")}`;
const LISTED = "names.schema.json of the package lists them all";

function placeIn(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "the file" : `"${path.map(String).join(".")}"`;
}

function complaint(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type") return issue.message;
  return issue.expected === "string" ? "takes a text" : "takes stand-ins with their words: {…}";
}

function inOrder(faults: readonly Fault[]): readonly Fault[] {
  return faults.toSorted((a, b) => a.line - b.line);
}
