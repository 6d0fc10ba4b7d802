import { fault, type Fault } from "./fault";

type Json = Readonly<Record<string, unknown>>;

const primitives = ["boolean", "integer", "number", "string"];
const typeKeywords = ["type", "items", "additionalProperties", "$ref", "oneOf", "discriminator", "plain"];

/** The keywords of the metaschema by the kind of object that takes them. */
const keywords = {
  package: [
    ...["name", "displayName", "version", "description", "keywords", "homepage", "license", "attribution"],
    ...["repository", "logoUrl", "pluginDownloadURL", "publisher", "namespace", "meta", "config", "types"],
    ...["dependencies", "provider", "resources", "functions", "language", "parameterization"],
    "allowedPackageNames",
  ],
  meta: ["moduleFormat", "supportPack"],
  config: ["variables", "defaults"],
  type: typeKeywords,
  property: [
    ...typeKeywords,
    ...["description", "const", "default", "defaultInfo", "deprecationMessage", "language", "secret"],
    ...["replaceOnChanges", "willReplaceOnChanges"],
  ],
  defaultInfo: ["environment", "language"],
  discriminator: ["propertyName", "mapping"],
  object: [
    "type",
    "description",
    "properties",
    "required",
    "language",
    "isOverlay",
    "overlaySupportedLanguages",
  ],
  enum: ["type", "description", "enum", "language", "isOverlay"],
  enumValue: ["name", "description", "value", "deprecationMessage"],
  resource: [
    ...[
      "description",
      "properties",
      "required",
      "inputProperties",
      "requiredInputs",
      "stateInputs",
      "listInputs",
    ],
    ...["aliases", "deprecationMessage", "isComponent", "methods", "language", "isOverlay"],
    "overlaySupportedLanguages",
  ],
  alias: ["type"],
  function: [
    ...["description", "inputs", "multiArgumentInputs", "outputs", "deprecationMessage", "language", "plain"],
    ...["isOverlay", "overlaySupportedLanguages"],
  ],
  language: ["nodejs", "python", "go", "csharp", "java"],
} as const satisfies Record<string, readonly string[]>;

/** Keywords of JSON Schema that look as though they worked. */
const advice: Readonly<Record<string, string>> = {
  anyOf: "write `oneOf`",
  allOf: "spread the fields into one object type",
  enum: "make it a named type and refer to it by `$ref`",
  properties: "make it a named type and refer to it by `$ref`",
  nullable: "leave the property out of `required`",
  returnType: "write `outputs`",
  outputs: "that is a function's; a resource has `properties`",
  inputs: "that is a function's; a resource has `inputProperties`",
};

/** Everything that is not made as the metaschema wants it: what it does not know, the engine ignores. */
export function keywordFaults(schema: unknown): Fault[] {
  const root = asObject(schema);
  return [
    ...unknownKeywords(root, "package", "#"),
    ...unknownKeywords(root["meta"], "meta", "#/meta"),
    ...unknownKeywords(root["language"], "language", "#/language"),
    ...unknownKeywords(root["config"], "config", "#/config"),
    ...propertiesFaults(asObject(root["config"])["variables"], "#/config/variables"),
    ...(root["provider"] === undefined ? [] : resourceFaults(root["provider"], "#/provider")),
    ...each(root["resources"], "#/resources", resourceFaults),
    ...each(root["functions"], "#/functions", functionFaults),
    ...each(root["types"], "#/types", namedTypeFaults),
  ];
}

function resourceFaults(spec: unknown, path: string): Fault[] {
  const { properties, inputProperties, aliases } = asObject(spec);
  return [
    ...unknownKeywords(spec, "resource", path),
    ...propertiesFaults(properties, `${path}/properties`),
    ...propertiesFaults(inputProperties, `${path}/inputProperties`),
    ...each(aliases, `${path}/aliases`, (alias, at) => unknownKeywords(alias, "alias", at)),
  ];
}

function functionFaults(spec: unknown, path: string): Fault[] {
  const { inputs, outputs } = asObject(spec);
  return [
    ...unknownKeywords(spec, "function", path),
    ...(inputs === undefined ? [] : objectFaults(inputs, `${path}/inputs`)),
    ...objectFaults(outputs, `${path}/outputs`),
  ];
}

function namedTypeFaults(spec: unknown, path: string): Fault[] {
  const { enum: values, type } = asObject(spec);
  if (values === undefined) return objectFaults(spec, path);
  return [
    ...unknownKeywords(spec, "enum", path),
    ...(isOneOf(type, primitives) ? [] : [fault(`${path}/type`, `must be one of ${primitives.join(", ")}`)]),
    ...each(values, `${path}/enum`, (value, at) => unknownKeywords(value, "enumValue", at)),
  ];
}

function objectFaults(spec: unknown, path: string): Fault[] {
  const { type, properties } = asObject(spec);
  return [
    ...unknownKeywords(spec, "object", path),
    ...(type === "object" ? [] : [fault(`${path}/type`, "must be `object`")]),
    ...propertiesFaults(properties, `${path}/properties`),
  ];
}

function propertiesFaults(properties: unknown, path: string): Fault[] {
  return each(properties, path, (spec, at) => {
    const { defaultInfo } = asObject(spec);
    return [
      ...unknownKeywords(spec, "property", at),
      ...(defaultInfo === undefined ? [] : unknownKeywords(defaultInfo, "defaultInfo", `${at}/defaultInfo`)),
      ...formFaults(spec, at),
    ];
  });
}

function typeSpecFaults(spec: unknown, path: string): Fault[] {
  return [...unknownKeywords(spec, "type", path), ...formFaults(spec, path)];
}

/** A type has exactly one form; the engine takes the first that it sees and ignores the rest. */
function formFaults(spec: unknown, path: string): Fault[] {
  const { type, items, additionalProperties, $ref, oneOf, discriminator } = asObject(spec);
  if (Array.isArray(type)) return [fault(`${path}/type`, "lists several types: write `oneOf`")];
  const forms = [
    $ref === undefined ? undefined : "$ref",
    oneOf === undefined ? undefined : "oneOf",
    type === undefined ? undefined : "type",
  ].filter((form) => form !== undefined);
  if (forms.length !== 1) {
    return [fault(path, `has ${forms.join(" and ") || "no type"}: give exactly one of $ref, oneOf and type`)];
  }
  const isKnown = type === undefined || isOneOf(type, ["array", "object", ...primitives]);
  return [
    ...(isKnown
      ? []
      : [fault(`${path}/type`, `is no type: take one of ${primitives.join(", ")}, array, object`)]),
    ...belongs(type === "array", items, `${path}/items`, "an array"),
    ...belongs(type === "object", additionalProperties, `${path}/additionalProperties`, "a map (`object`)"),
    ...(items === undefined ? [] : typeSpecFaults(items, `${path}/items`)),
    ...(additionalProperties === undefined
      ? []
      : typeSpecFaults(additionalProperties, `${path}/additionalProperties`)),
    ...each(oneOf, `${path}/oneOf`, typeSpecFaults),
    ...(discriminator === undefined
      ? []
      : unknownKeywords(discriminator, "discriminator", `${path}/discriminator`)),
  ];
}

function belongs(isWanted: boolean, value: unknown, path: string, whose: string): Fault[] {
  if (isWanted === (value !== undefined)) return [];
  return [fault(path, isWanted ? `is missing: ${whose} needs it` : `belongs to ${whose} only: remove it`)];
}

function unknownKeywords(value: unknown, kind: keyof typeof keywords, path: string): Fault[] {
  if (value !== undefined && !isObject(value)) return [fault(path, "must be an object")];
  const known: readonly string[] = keywords[kind];
  return Object.keys(asObject(value))
    .filter((keyword) => !known.includes(keyword))
    .map((keyword) =>
      fault(`${path}/${keyword}`, `is no keyword of a Pulumi ${kind}: ${advice[keyword] ?? "remove it"}`),
    );
}

function each(values: unknown, path: string, check: (value: unknown, path: string) => Fault[]): Fault[] {
  if (typeof values !== "object" || values === null) return [];
  return Object.entries(values).flatMap(([key, value]) => check(value, `${path}/${key}`));
}

function isOneOf(value: unknown, allowed: readonly string[]): boolean {
  return typeof value === "string" && allowed.includes(value);
}

function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
