/** A schema of an OpenAPI document, 3.0 or 3.1. */
export type Schema = Readonly<Record<string, unknown>>;
/** What schemas refer to by `#/components/schemas/<name>`. */
export type NamedSchemas = Readonly<Record<string, Schema>>;

/**
 * The one spelling of what a schema demands, whichever version of OpenAPI it is written in: without references,
 * `null` as `nullable`, a constant as an enum of one, every union as `oneOf`, lists in order.
 */
export function canonicalSchema(schema: Schema, named: NamedSchemas): Schema {
  const { $ref: reference, ...own } = schema;
  if (typeof reference === "string") {
    const target = named[reference.replace("#/components/schemas/", "")];
    if (target === undefined) throw new Error(`Nothing is called ${reference}`);
    return canonicalSchema({ ...target, ...own }, named);
  }
  const nullable = spellNull(own, named);
  if (nullable !== undefined) return nullable;
  return withoutMissing({
    type: own["type"],
    format: /^int(32|64)$/.test(String(own["format"])) ? undefined : own["format"],
    pattern: own["pattern"],
    enum: spellEnum(own),
    default: own["default"],
    deprecated: own["deprecated"] === true ? true : undefined,
    // None of an enum's values is empty, nor is a UUID: a bound that says so adds nothing.
    minLength: own["enum"] !== undefined || own["format"] === "uuid" ? undefined : own["minLength"],
    maxLength: own["maxLength"],
    minItems: own["minItems"],
    maxItems: own["maxItems"],
    ...spellBounds(own),
    nullable: own["nullable"],
    items: inner(own["items"], named),
    properties: spellProperties(own, named),
    additionalProperties: spellAdditional(own["additionalProperties"], named),
    required: sorted(own["required"]),
    oneOf: spellOptions(own, named),
  });
}

/** `null` among the types or the alternatives; undefined where it is not. */
function spellNull(schema: Schema, named: NamedSchemas): Schema | undefined {
  const { type, anyOf, oneOf, nullable, ...rest } = schema;
  if (Array.isArray(type)) {
    const types = (type as string[]).filter((one) => one !== "null");
    const spelt =
      types.length === 1
        ? { ...rest, type: types[0] }
        : { ...rest, oneOf: types.map((one) => ({ type: one })) };
    return { ...canonicalSchema(spelt, named), ...(types.length < type.length && { nullable: true }) };
  }
  const options = (anyOf ?? oneOf) as Schema[] | undefined;
  if (options === undefined) {
    // Null is one of the values of a schema that takes any.
    return nullable === true && type === undefined && Object.keys(rest).every((key) => key === "deprecated")
      ? canonicalSchema(rest, named)
      : undefined;
  }
  const others = options.filter((option) => option["type"] !== "null");
  if (others.length === options.length) return undefined;
  const [only = {}] = others;
  if (others.length === 1 && Object.keys(only).length === 0) return canonicalSchema(rest, named);
  const spelt = others.length === 1 ? { ...only, ...rest } : { ...rest, oneOf: others };
  return { ...canonicalSchema(spelt, named), nullable: true };
}

function spellEnum(schema: Schema): unknown {
  return sorted(
    schema["enum"] ?? schema["x-extensible-enum"] ?? ("const" in schema ? [schema["const"]] : undefined),
  );
}

/** OpenAPI 3.0 says by a boolean whether a bound is exclusive. */
function spellBounds(schema: Schema): Schema {
  const spelt: Record<string, unknown> = {};
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    const isExclusive = schema[exclusive] === true;
    spelt[bound] = isExclusive ? undefined : schema[bound];
    spelt[exclusive] = isExclusive ? schema[bound] : schema[exclusive];
  }
  return spelt;
}

function spellProperties(schema: Schema, named: NamedSchemas): unknown {
  const entries = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, property]) => [name, canonicalSchema(property, named)]),
  );
}

/** Unknown keys are taken unless they are forbidden or described. */
function spellAdditional(value: unknown, named: NamedSchemas): unknown {
  if (value === undefined || value === true) return undefined;
  if (value === false) return false;
  const spelt = canonicalSchema(value as Schema, named);
  return Object.keys(spelt).length === 0 ? undefined : spelt;
}

function spellOptions(schema: Schema, named: NamedSchemas): unknown {
  const options = (schema["oneOf"] ?? schema["anyOf"]) as Schema[] | undefined;
  return options
    ?.map((option) => canonicalSchema(option, named))
    .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

function inner(value: unknown, named: NamedSchemas): unknown {
  return value === undefined ? undefined : canonicalSchema(value as Schema, named);
}

function sorted(values: unknown): unknown {
  return Array.isArray(values) && values.length > 0 ? (values as string[]).toSorted() : undefined;
}

function withoutMissing(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
