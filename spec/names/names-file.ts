import { z } from "zod";
import type { DatabaseSection } from "./neutral-words";
import type { Placeholders } from "./vocabulary";

type WordByName = Readonly<Record<string, string>>;

/** How an installation names the specification's placeholders, each with its word. */
export interface NamesFile extends Readonly<Record<DatabaseSection, WordByName>> {
  readonly paths: WordByName;
  readonly fieldPrefixes: WordByName;
  readonly fields: WordByName;
  /** By the name of the field. */
  readonly values: Readonly<Record<string, WordByName>>;
  readonly reservedPrefixes: WordByName;
  readonly issued: WordByName;
  readonly tool: WordByName;
}

const word = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, {
    error: "takes letters, digits, `_` and `-`, beginning with a letter or digit",
  })
  .meta({ id: "Word", description: "The installation's word." });

/** What a names file may say: all sections and all placeholders are known, none is required. */
export function namesFileSchema(placeholders: Placeholders): z.ZodType {
  const { paths, fieldPrefixes, fields, values, reservedPrefixes, issued, tool } = placeholders;
  return z
    .strictObject({
      $schema: z.string().describe("Location of this schema, for editors.").optional(),
      paths: createSection(paths).describe("Segments of paths.").optional(),
      fieldPrefixes: createSection(fieldPrefixes)
        .describe("Prefixes of field names, including fields that only a newer service has.")
        .optional(),
      fields: createSection(fields)
        .describe("Whole field names, where replacing the prefix alone is not enough.")
        .optional(),
      values: z
        .strictObject(
          Object.fromEntries(
            Object.entries(values).map(([field, listed]) => [field, createSection(listed).optional()]),
          ),
        )
        .describe("Values by field name. A value shared by several fields has one word.")
        .optional(),
      reservedPrefixes: createSection(reservedPrefixes)
        .describe("Prefixes of names that the service reserves.")
        .optional(),
      issued: createSection(issued)
        .describe(
          "The service's own words in what it issues: API keys begin with `svc`, JWTs name `svc_jwt` as their issuer. Only the emulator uses it; programs receive keys unchanged.",
        )
        .optional(),
      tool: createSection(tool)
        .describe(
          "What only the platform's command-line tool names so: its folder (`svc`), and keys of its configuration file. Only `management-import` uses it.",
        )
        .optional(),
      schemas: createSection(placeholders.schemas)
        .describe("Schemas of a project's database, such as that of the history of migrations.")
        .optional(),
      roles: createSection(placeholders.roles)
        .describe("Roles of a project's database. Only the emulator uses them.")
        .optional(),
      publications: createSection(placeholders.publications)
        .describe("Publications of a project's database. Only the emulator uses them.")
        .optional(),
      extensions: createSection(placeholders.extensions)
        .describe("Extensions of a project's database. Only the emulator uses them.")
        .optional(),
      eventTriggers: createSection(placeholders.eventTriggers)
        .describe("Event triggers of a project's database. Only the emulator uses them.")
        .optional(),
    })
    .describe(
      "The names that an installation of the Management API uses for the specification's placeholders.",
    );
}

/** The JSON schema of a names file, for editors. */
export function namesJsonSchema(placeholders: Placeholders): unknown {
  return z.toJSONSchema(namesFileSchema(placeholders));
}

function createSection(placeholders: readonly string[]): z.ZodType {
  return z.strictObject(
    Object.fromEntries(placeholders.map((placeholder) => [placeholder, word.optional()])),
  );
}
