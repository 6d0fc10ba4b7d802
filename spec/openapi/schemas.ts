import { z } from "zod";
import * as authConfigBody from "../auth-config-body";
import * as authConfigResponse from "../auth-config-response";
import { filePart } from "../operation";
import * as sharedFields from "../shared-fields";
import { areas } from "./areas";

/** A schema of the document: JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface DocumentSchemas {
  /** By name, each referred to as `#/components/schemas/<name>`. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** The schemas that were asked for, by the keys under which they were. */
  readonly requests: Readonly<Record<string, JsonSchema>>;
  readonly answers: Readonly<Record<string, JsonSchema>>;
}

type Schemas = Readonly<Record<string, z.ZodType>>;

interface Converted {
  readonly roots: Readonly<Record<string, JsonSchema>>;
  readonly named: Readonly<Record<string, JsonSchema>>;
}

const binary = { type: "string", format: "binary" } as const;

/** Patterns that zod adds to these formats say nothing beyond the format's name. */
const namedFormats = new Set(["date-time", "email", "uri", "uuid"]);

/**
 * Converts what is sent and what is answered. Request enums are closed; an enum of an answer is any string whose known
 * values `x-extensible-enum` lists (service, Reading answers), so a schema used both ways becomes two.
 */
export function createDocumentSchemas(requests: Schemas, answers: Schemas): DocumentSchemas {
  const sent = convert(requests, false);
  const answered = convert(answers, true);
  const renamed = new Map(
    Object.entries(answered.named)
      .filter(([name, schema]) => name in sent.named && !isSame(schema, sent.named[name]))
      .map(([name]) => [formatReference(name), formatReference(`Answered${name}`)]),
  );
  // What refers to a schema that differs in an answer differs as well.
  for (let size = -1; size !== renamed.size;) {
    size = renamed.size;
    for (const [name, schema] of Object.entries(answered.named)) {
      if (name in sent.named && refersTo(schema, renamed)) {
        renamed.set(formatReference(name), formatReference(`Answered${name}`));
      }
    }
  }
  const components = {
    ...sent.named,
    ...Object.fromEntries(
      Object.entries(answered.named).map(([name, schema]) => [
        renamed.has(formatReference(name)) ? `Answered${name}` : name,
        redirectReferences(schema, renamed),
      ]),
    ),
  };
  return {
    components: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    requests: sent.roots,
    answers: Object.fromEntries(
      Object.entries(answered.roots).map(([key, schema]) => [key, redirectReferences(schema, renamed)]),
    ),
  };
}

function convert(schemas: Schemas, isAnswer: boolean): Converted {
  // One object of all, so that what they share is found; unknown keys of an object are never forbidden here.
  const { properties = {}, $defs = {} } = z.toJSONSchema(z.object(schemas), {
    io: "input",
    metadata: collectNamedSchemas(),
    unrepresentable: ({ zodSchema }) => (zodSchema instanceof z.ZodVoid ? {} : binary),
    override({ zodSchema, jsonSchema, path }) {
      spell(zodSchema, jsonSchema);
      if (isAnswer && !isTellingApart(path)) openObject(jsonSchema);
    },
  });
  return {
    // An object schema, not a boolean one: that is what zod writes for every field.
    roots: redirectReferences(properties as Record<string, JsonSchema>, new Map()),
    named: redirectReferences($defs, new Map()),
  };
}

/** Every schema that a file exports, by its name. */
function collectNamedSchemas(): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>();
  for (const file of [sharedFields, authConfigBody, authConfigResponse, ...Object.values(areas)]) {
    for (const [name, value] of Object.entries(file)) {
      if (value instanceof z.ZodType && !registry.has(value))
        registry.add(value, { id: capitalizeName(name) });
    }
  }
  return registry;
}

function spell(zodSchema: z.core.$ZodType, json: JsonSchema): void {
  if (zodSchema === filePart) {
    for (const key of Object.keys(json)) Reflect.deleteProperty(json, key);
    Object.assign(json, binary);
  }
  const { deprecated, default: usual } = z.globalRegistry.get(zodSchema) ?? {};
  if (deprecated === true) json.deprecated = true;
  if (usual !== undefined) json.default = usual;
  if (json.format !== undefined && namedFormats.has(json.format)) delete json.pattern;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (isSame(json.propertyNames, { type: "string" })) delete json.propertyNames;
}

/** Whether this is the field by which the alternatives of a union are told apart. */
function isTellingApart(path: readonly PropertyKey[]): boolean {
  return ["anyOf", "oneOf"].includes(String(path.at(-4)));
}

function openObject(json: JsonSchema): void {
  if (json.type !== "string") return;
  const known = json.enum ?? (json.const === undefined ? undefined : [json.const]);
  if (known === undefined) return;
  json["x-extensible-enum"] = known;
  delete json.enum;
  delete json.const;
}

function formatReference(name: string): string {
  return `#/components/schemas/${name}`;
}

/** The same with references into the components, those of `renamed` by their other name. */
function redirectReferences<T>(value: T, renamed: ReadonlyMap<string, string>): T {
  const text = JSON.stringify(value, (key, child: unknown) => {
    if (key !== "$ref" || typeof child !== "string") return child;
    const reference = child.replace("#/$defs/", "#/components/schemas/");
    return renamed.get(reference) ?? reference;
  });
  // A copy of what was given.
  return JSON.parse(text) as T;
}

function refersTo(schema: JsonSchema, renamed: ReadonlyMap<string, string>): boolean {
  return !isSame(schema, redirectReferences(schema, renamed));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function capitalizeName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
