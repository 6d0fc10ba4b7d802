import type { z } from "zod";
import {
  KEY_PREFIX,
  RESERVED_PREFIX,
  type DatabaseSection,
  type DatabasePlaceholder,
  type SchemaPlaceholder,
  type ToolPlaceholder,
} from "./neutral-words";

/** Maps the names in requests or in answers, in one direction; `schema` is that of the operation table, with placeholders. */
export interface NameMapping {
  /** The key of a field of such an object. */
  key(schema: z.ZodType, key: string): string;
  /** The same value with its names mapped; texts that users wrote stay as they are. */
  value(schema: z.ZodType, value: unknown): unknown;
  /** A message: whole words only. */
  text(text: string): string;
}

export interface IssuedWords {
  /** API keys begin with it. */
  readonly keyPrefix: string;
  /** What JWTs name as their issuer. */
  readonly jwtIssuer: string;
}

/** The names that an installation has for the placeholders of the specification, exchanged in requests and answers. */
export interface Names {
  /** The template of a path, as the service has it. */
  path(template: string): string;
  readonly toWire: NameMapping;
  readonly fromWire: NameMapping;
  /** As `toWire.value`, for what a program sends: throws `ReservedNameError` for a name that the service reserves. */
  request(schema: z.ZodType, value: unknown): unknown;
  /** The service's own words in what it issues. */
  readonly issued: IssuedWords;
  /** Beginning of the names of environment variables that are the service's own. */
  readonly reservedPrefix: string;
  /** How the platform's command-line tool calls what only it has. */
  tool(placeholder: ToolPlaceholder): string;
  /** The name of a schema of a project's database. */
  schema(placeholder: SchemaPlaceholder): string;
  /** The name of what a project's database has. */
  inDatabase<Section extends DatabaseSection>(
    section: Section,
    placeholder: DatabasePlaceholder<Section>,
  ): string;
  /** Whether the installation names that schema. */
  hasSchema(placeholder: SchemaPlaceholder): boolean;
}

/** A names file that cannot be used; the message is all that a user needs to see. */
export class NamesFileError extends Error {
  constructor(readonly fault: string) {
    super(`The names file ${fault}`);
  }
}

/** A program gave a name that begins with what this installation reserves. */
export class ReservedNameError extends Error {
  constructor(
    readonly given: string,
    readonly prefix: string,
  ) {
    super(
      `"${given}" begins with "${prefix}", which this installation reserves for itself: choose another name.`,
    );
  }
}

const asItIs: NameMapping = {
  key: (_schema, key) => key,
  value: (_schema, value) => value,
  text: (text) => text,
};

/** The placeholders as they are written in the specification (service, Names). */
export const literalNames: Names = {
  path: (template) => template,
  toWire: asItIs,
  fromWire: asItIs,
  request: (_schema, value) => value,
  issued: { keyPrefix: KEY_PREFIX, jwtIssuer: KEY_PREFIX },
  reservedPrefix: RESERVED_PREFIX,
  tool: (placeholder) => placeholder,
  schema: (placeholder) => placeholder,
  inDatabase: (_section, placeholder) => placeholder,
  hasSchema: () => false,
};
