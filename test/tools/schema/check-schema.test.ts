import { z } from "zod";
import { formed, replaces, secret } from "../../../provider/define/markers";
import { schemaFaults, soundSchema } from "../../../tools/schema/check-schema";
import { surface, type Surface } from "../../../tools/schema/package-schema";
import { boxesAnswer, boxInputs, boxOf, getBoxesOf, manifest, toySurface } from "./toy-surface";

type Json = Record<string, unknown>;

const toy = toySurface();
const sound = soundSchema(manifest, toy);
const BOX = "management:index:Box";
const GET_BOXES = "management:index:getBoxes";

/** The faults of the toy schema after a change to it, each as one line. */
function faultsAfter(change: (schema: Json) => void): string[] {
  const broken = structuredClone(sound) as unknown as Json;
  change(broken);
  return schemaFaults(toy, broken).map(({ path, message }) => `${path} ${message}`);
}

/** The object at a path. */
function at(schema: Json, ...steps: readonly string[]): Json {
  return steps.reduce((found, step) => found[step] as Json, schema);
}

const input = (schema: Json, name: string): Json => at(schema, "resources", BOX, "inputProperties", name);
const answer = (schema: Json, name: string): Json => at(schema, "resources", BOX, "properties", name);
const typed = (schema: Json, name: string): Json => at(schema, "types", `management:index:${name}`);

describe("the checker", () => {
  it("finds nothing in a sound catalog and its schema", () => {
    expect(schemaFaults(toy, sound)).toEqual([]);
  });

  it("finds nothing in this package", () => {
    expect(() => soundSchema(manifest, surface)).not.toThrow();
  });

  it("keeps a schema from being made when something would be lost, and names all of it", () => {
    const resources = [boxOf({ ...boxInputs, a: z.date().describe("A."), b: z.bigint().describe("B.") })];
    expect(() => soundSchema(manifest, toySurface({ resources }))).toThrow(
      /would lose or misread[^]*Box\.inputs\.a is a zod date[^]*Box\.inputs\.b is a zod bigint/,
    );
  });
});

describe("a zod construct that Pulumi has no word for is a fault:", () => {
  const text = z.string().describe("Text.");
  const constructs: [string, z.ZodType, string][] = [
    ["null", text.nullable(), "may be null, which Pulumi takes for absent: make it optional"],
    [
      "a tuple",
      z.tuple([text]).describe("T."),
      "is a zod tuple, which a Pulumi schema cannot say: make it an object",
    ],
    [
      "an intersection",
      z.intersection(z.object({ a: text }), z.object({ b: text })).describe("I."),
      "is a zod intersection, which a Pulumi schema cannot say: spread both shapes",
    ],
    [
      "a transform",
      text.transform(Number),
      "is a zod pipe, which a Pulumi schema cannot say: transform the value",
    ],
    ["a date", z.date().describe("D."), "take an ISO 8601 string"],
    ["a bigint", z.bigint().describe("B."), "take a string of digits"],
    ["a set", z.set(text).describe("S."), "take an array marked `asSet`"],
    ["a map", z.map(text, text).describe("M."), "take a z.record"],
    ["a lazy schema", z.lazy(() => text), "is a zod lazy"],
    ["coercion", z.coerce.string().describe("C."), "takes values of other types and coerces them"],
    [
      "an open object",
      z.looseObject({ a: text }).describe("O."),
      "takes further fields, which a schema cannot say",
    ],
    [
      "a map with other keys than strings",
      z.record(z.enum(["a", "b"]), text).describe("R."),
      "has keys other than strings",
    ],
    [
      "a union of objects without a discriminator",
      z.union([z.object({ a: text }).describe("A."), z.object({ b: text }).describe("B.")]).describe("U."),
      "is a union of objects that nothing tells apart",
    ],
    ["values of several types", z.literal(["a", 1]).describe("L."), "has values of several types"],
    [
      "a default that is no constant",
      z.array(text).describe("A.").default([]),
      "has a default that is no constant",
    ],
    ["a secret element", z.array(secret(text)).describe("S."), "is a secret that is no field"],
    [
      "a secret value of a map",
      z.record(z.string(), secret(text)).describe("S."),
      "is a secret that is no field",
    ],
    [
      "a pattern without a sentence",
      z.string().regex(/^a+$/).describe("P."),
      "has a pattern and no sentence that says what it asks for",
    ],
    [
      "a pattern of the keys of a map without a sentence",
      z.record(z.string().regex(/^a+$/), text).describe("P."),
      "keys has a pattern and no sentence",
    ],
    [
      "an example that breaks its own rule",
      formed(z.string().regex(/^a+$/), "one `a` or more", "b").describe("P."),
      'has an example, "b", that is not of its own form',
    ],
    [
      "a nested field that replaces",
      z.strictObject({ a: replaces(text) }).describe("N."),
      "replaces, though only a resource's own inputs can",
    ],
  ];
  const linesOf = (from: Surface): string[] =>
    schemaFaults(from, {}).map(({ path, message }) => `${path} ${message}`);

  it.each(constructs)("%s", (_, construct, message) => {
    const resources = [boxOf({ ...boxInputs, odd: construct })];
    const lines = linesOf(toySurface({ resources }));
    expect(lines).toEqual([expect.stringContaining(message)]);
    expect(lines[0]).toMatch(/^Box\.inputs\.odd/);
  });

  it.each(constructs)("%s, within a field of a function", (_, construct, message) => {
    const odd = z.array(z.object({ odd: construct.optional() })).describe("Odd.");
    const functions = [getBoxesOf({}, { ...boxesAnswer, odd })];
    expect(linesOf(toySurface({ functions }))).toEqual([expect.stringContaining(message)]);
  });

  it("two definitions of one name", () => {
    expect(linesOf(toySurface({ resources: [boxOf(), boxOf()] }))).toEqual([
      "Box is defined twice, of which one would be lost: rename one",
    ]);
  });
});

describe("in a finished schema is a fault:", () => {
  const variants: [string, (schema: Json) => void, string][] = [
    [
      "an unknown keyword of the package",
      (schema) => (schema["website"] = "x"),
      "#/website is no keyword of a Pulumi package",
    ],
    ["of `meta`", (schema) => (at(schema, "meta")["module"] = "x"), "#/meta/module is no keyword"],
    ["of `config`", (schema) => (at(schema, "config")["required"] = []), "#/config/required is no keyword"],
    ["of `language`", (schema) => (at(schema, "language")["ruby"] = {}), "#/language/ruby is no keyword"],
    [
      "of a resource",
      (schema) => (at(schema, "resources", BOX)["inputs"] = {}),
      "a resource has `inputProperties`",
    ],
    ["of a function", (schema) => (at(schema, "functions", GET_BOXES)["returnType"] = {}), "write `outputs`"],
    [
      "of a property",
      (schema) => (input(schema, "lid")["nullable"] = true),
      "nullable is no keyword of a Pulumi property",
    ],
    [
      "of a type",
      (schema) => (typed(schema, "BoxPlace")["allOf"] = []),
      "spread the fields into one object type",
    ],
    [
      "of an enum",
      (schema) => (typed(schema, "Color")["values"] = []),
      "values is no keyword of a Pulumi enum",
    ],
    [
      "of an enum value",
      (schema) => ((typed(schema, "Color")["enum"] as Json[])[0] = { value: "red", name: "Red", label: "x" }),
      "label is no keyword of a Pulumi enumValue",
    ],
    [
      "of an alias",
      (schema) => (at(schema, "resources", BOX)["aliases"] = [{ type: "a:b:c", parent: "x" }]),
      "parent is no keyword of a Pulumi alias",
    ],
    [
      "of a default's environment",
      (schema) => (at(schema, "config", "variables", "url", "defaultInfo")["names"] = []),
      "names is no keyword of a Pulumi defaultInfo",
    ],
    [
      "of a discriminator",
      (schema) =>
        (at(schema, "functions", GET_BOXES, "inputs", "properties", "lock", "discriminator")["map"] = {}),
      "map is no keyword of a Pulumi discriminator",
    ],
    [
      "several types",
      (schema) => (input(schema, "lid")["type"] = ["boolean", "null"]),
      "lists several types: write `oneOf`",
    ],
    [
      "anyOf",
      (schema) => (input(schema, "lid")["anyOf"] = [{ type: "string" }]),
      "anyOf is no keyword of a Pulumi property: write `oneOf`",
    ],
    [
      "an inline enum",
      (schema) => (input(schema, "lid")["enum"] = ["a"]),
      "make it a named type and refer to it",
    ],
    [
      "an inline object",
      (schema) => (input(schema, "labels")["properties"] = {}),
      "make it a named type and refer to it",
    ],
    ["no type", (schema) => delete input(schema, "lid")["type"], "has no type: give exactly one of"],
    [
      "two forms of a type",
      (schema) => (input(schema, "lid")["$ref"] = "pulumi.json#/Any"),
      "has $ref and type: give exactly one",
    ],
    ["an unknown type", (schema) => (input(schema, "lid")["type"] = "date"), "is no type: take one of"],
    [
      "an array without items",
      (schema) => (answer(schema, "parts")["items"] = undefined),
      "is missing: an array needs it",
    ],
    [
      "items of no array",
      (schema) => (input(schema, "lid")["items"] = { type: "string" }),
      "belongs to an array only",
    ],
    [
      "a map without a type of its values",
      (schema) => (input(schema, "labels")["additionalProperties"] = undefined),
      "is missing: a map",
    ],
    [
      "an object type of another type",
      (schema) => (typed(schema, "BoxPlace")["type"] = "string"),
      "must be `object`",
    ],
    ["an enum of objects", (schema) => (typed(schema, "Color")["type"] = "object"), "must be one of boolean"],
    ["what is no object", (schema) => (at(schema, "resources")[BOX] = "x"), "must be an object"],

    ["a package without a description", (schema) => (schema["description"] = ""), "# has no description"],
    [
      "a resource without one",
      (schema) => (at(schema, "resources", BOX)["description"] = " "),
      `${BOX} has no description`,
    ],
    [
      "a function without one",
      (schema) => delete at(schema, "functions", GET_BOXES)["description"],
      `${GET_BOXES} has no description`,
    ],
    [
      "an input without one",
      (schema) => delete input(schema, "lid")["description"],
      "lid has no description: give one in its zod schema",
    ],
    [
      "a nested property without one",
      (schema) => delete at(typed(schema, "BoxPlace"), "properties", "room")["description"],
      "room has no description",
    ],
    [
      "an enum without one",
      (schema) => delete typed(schema, "Color")["description"],
      "Color has no description",
    ],
    [
      "the provider without one",
      (schema) => delete at(schema, "provider")["description"],
      "#/provider has no description",
    ],
    [
      "a setting without one",
      (schema) => delete at(schema, "config", "variables", "token")["description"],
      "token has no description",
    ],

    [
      "a reference to nothing",
      (schema) => (input(schema, "color")["$ref"] = "#/types/management:index:Hue"),
      "refers to #/types/management:index:Hue, which is not there",
    ],
    [
      "a type that nothing uses",
      (schema) =>
        (at(schema, "types")["management:index:Hue"] = { type: "object", description: "H.", properties: {} }),
      "Hue is used by nothing",
    ],
    [
      "a type that only itself uses",
      (schema) =>
        (at(schema, "types")["management:index:Hue"] = {
          type: "object",
          description: "H.",
          properties: { hue: { $ref: "#/types/management:index:Hue", description: "H." } },
        }),
      "Hue is used by nothing",
    ],
    [
      "a required name of no property",
      (schema) => (at(schema, "resources", BOX)["required"] = ["size"]),
      "required names size, which is no property",
    ],
    [
      "a required name of no input",
      (schema) => (at(schema, "resources", BOX)["requiredInputs"] = ["size"]),
      "requiredInputs names size",
    ],
    [
      "a required name of no field",
      (schema) => (typed(schema, "BoxPlace")["required"] = ["size"]),
      "required names size",
    ],
    [
      "objects that nothing tells apart",
      (schema) => delete at(schema, "functions", GET_BOXES, "inputs", "properties", "lock")["discriminator"],
      "is one of several objects that nothing tells apart",
    ],
    [
      "a variant without its constant",
      (schema) => delete at(typed(schema, "GetBoxesLockKey"), "properties", "kind")["const"],
      "cannot tell #/types/management:index:GetBoxesLockKey from the others",
    ],

    [
      "a lost secret",
      (schema) => delete input(schema, "key")["secret"],
      "Box.inputs.key has secret true in the catalog, but false in the schema",
    ],
    [
      "a lost secret of an output",
      (schema) => delete answer(schema, "key")["secret"],
      "Box.properties.key has secret true",
    ],
    [
      "a lost nested secret",
      (schema) => delete at(typed(schema, "BoxPart"), "properties", "pin")["secret"],
      "Box.properties.parts[].pin has secret true",
    ],
    [
      "a lost secret of a function",
      (schema) => delete at(typed(schema, "GetBoxesBox"), "properties", "key")["secret"],
      "getBoxes.outputs.boxes[].key has secret true",
    ],
    [
      "a lost replacement",
      (schema) => delete answer(schema, "color")["replaceOnChanges"],
      "Box.properties.color has replaceOnChanges true",
    ],
    [
      "a lost word of replacement",
      (schema) => delete input(schema, "lining")["willReplaceOnChanges"],
      "Box.inputs.lining has willReplaceOnChanges true",
    ],
    [
      "replacing by an input that can be left out",
      (schema) => (answer(schema, "lining")["replaceOnChanges"] = true),
      "Box.properties.lining has replaceOnChanges false",
    ],
    [
      "a lost default",
      (schema) => delete input(schema, "volume")["default"],
      "Box.inputs.volume has default 1.5",
    ],
    [
      "a lost constant",
      (schema) => delete input(schema, "kind")["const"],
      'Box.inputs.kind has kind "wooden" in the catalog, but string in the schema',
    ],
    [
      "a lost input",
      (schema) => delete at(schema, "resources", BOX, "inputProperties")["lid"],
      "Box.inputs.lid is lost",
    ],
    [
      "a lost output",
      (schema) => delete at(schema, "resources", BOX, "properties")["extra"],
      "Box.properties.extra is lost",
    ],
    [
      "a lost field of a type",
      (schema) => delete at(typed(schema, "BoxPlace"), "properties")["shelf"],
      "Box.inputs.place.shelf is lost",
    ],
    [
      "a limit that is not told",
      (schema) => (at(typed(schema, "BoxPlace"), "properties", "shelf")["description"] = "Shelf, 19 or 91."),
      'Box.inputs.place.shelf has a limit that its description does not tell: add "At most 9."',
    ],
    [
      "a lost enum value",
      (schema) => (typed(schema, "Color")["enum"] as Json[]).pop(),
      "Box.inputs.color has kind",
    ],
    ["a lost resource", (schema) => (schema["resources"] = {}), "Box.inputs.name is lost"],
    [
      "a lost alias",
      (schema) => (at(schema, "resources", BOX)["aliases"] = []),
      "Box lacks the alias pulumi-nodejs:dynamic/management:Box",
    ],
    [
      "an optional input that is required",
      (schema) => (at(schema, "resources", BOX)["requiredInputs"] = ["color", "place", "key", "kind", "lid"]),
      "Box.inputs.lid has required false",
    ],
    [
      "what the catalog does not have",
      (schema) =>
        (at(schema, "resources", BOX, "properties")["size"] = { type: "string", description: "S." }),
      "Box.properties.size is in the schema but not in the catalog",
    ],
    [
      "another type",
      (schema) => (input(schema, "lid")["type"] = "string"),
      "Box.inputs.lid has kind boolean in the catalog, but string",
    ],
  ];

  it.each(variants)("%s", (_, change, message) => {
    expect(faultsAfter(change)).toContainEqual(expect.stringContaining(message));
  });
});

describe("a name is a fault", () => {
  const namesAfter = (inputs: z.ZodRawShape, outputs: z.ZodRawShape = {}): string[] => {
    const from = toySurface({ resources: [boxOf(inputs, outputs)], functions: [], typeFacts: {} });
    try {
      soundSchema(manifest, from);
      return [];
    } catch (error) {
      return String(error).split("\n").slice(1);
    }
  };
  const text = z.string().describe("Text.");

  it.each(["id", "urn", "pulumi", "__owner"])("when Pulumi has it: %s", (name) => {
    expect(namesAfter({ [name]: text })).toContainEqual(
      expect.stringContaining(`inputProperties/${name} has a reserved name`),
    );
  });

  it.each(["from", "lambda", "opts", "getHashCode", "notify", "then"])(
    "when a language has it: %s",
    (name) => {
      expect(namesAfter({}, { [name]: text })).toContainEqual(
        expect.stringContaining(`properties/${name} has a reserved name`),
      );
    },
  );

  it("when it is not in camelCase", () => {
    expect(namesAfter({ "box-size": text })).toContainEqual(
      expect.stringContaining("is no name in camelCase"),
    );
    expect(namesAfter({ BoxSize: text })).toContainEqual(expect.stringContaining("is no name in camelCase"));
  });

  it("when it differs from another one only in case or underscores", () => {
    expect(namesAfter({ boxSize: text, boxsize: text })).toContainEqual(
      expect.stringContaining("boxsize differs"),
    );
    expect(namesAfter({ boxSize: text, box_size: text })).toContainEqual(
      expect.stringContaining("box_size differs"),
    );
  });

  it("when a provider has it", () => {
    const config = z.strictObject({ version: z.string().describe("V. Environment: V.") });
    expect(() => soundSchema(manifest, toySurface({ config }))).toThrow(
      "#/config/variables/version has a reserved name (every provider has one)",
    );
  });

  it.each(["__x", "pulumi"])("in a nested type: %s", (name) => {
    expect(namesAfter({ place: z.strictObject({ [name]: text }).describe("P.") })).toContainEqual(
      expect.stringContaining(`BoxPlace/properties/${name} has a reserved name`),
    );
  });

  it("when it is that of its class in C#", () => {
    const faults = namesAfter({ place: z.strictObject({ boxPlace: text }).describe("P.") });
    expect(faults).toContainEqual(expect.stringContaining("is called as its class in C#"));
  });

  it("when no language could call an enum value by it", () => {
    expect(namesAfter({ size: z.enum(["2x", "4x"]).describe("Size.") })).toContainEqual(
      expect.stringContaining('"2x" has the name "2X", which is none: give one in type-facts.ts'),
    );
    expect(namesAfter({ size: z.enum(["a", "+"]).describe("Size.") })).toContainEqual(
      expect.stringContaining('"+" has the name "", which is none'),
    );
  });

  it("when two enum values have it", () => {
    expect(namesAfter({ size: z.enum(["x-large", "x_large"]).describe("Size.") })).toContainEqual(
      expect.stringContaining("XLarge differs from another name only in case"),
    );
  });

  it("when two resources have it but for the case, or a file of every SDK has it", () => {
    const resources = [boxOf({}, {}, "Box"), boxOf({}, {}, "BOX"), boxOf({}, {}, "Config")];
    const make = (): unknown =>
      soundSchema(manifest, toySurface({ resources, functions: [], typeFacts: {} }));
    expect(make).toThrow("#/resources/management:index:BOX differs from another name");
    expect(make).toThrow("Config has the name of a file that every SDK has");
  });

  it.each([
    ["resources", "Box"],
    ["functions", "getBoxes"],
    ["types", "Color"],
  ])("when a token of %s has another form", (kind, name) => {
    const faults = faultsAfter((schema) => {
      const holder = at(schema, kind);
      holder[`management:other:${name}`] = holder[`management:index:${name}`];
    });
    expect(faults).toContainEqual(
      expect.stringContaining(`management:other:${name} is not management:index:`),
    );
  });

  it("when Go would have two of it", () => {
    const resources = [boxOf({ args: z.strictObject({ a: text }).describe("A.") }, {})];
    expect(() => soundSchema(manifest, toySurface({ resources, functions: [], typeFacts: {} }))).toThrow(
      "becomes BoxArgs in Go, as #/resources/management:index:Box does: rename one",
    );
  });

  it("when Go would have two functions of it", () => {
    const functions = [getBoxesOf({}, boxesAnswer), getBoxesOf({}, boxesAnswer, "getBoxesOutput")];
    const typeFacts = { GetBoxesBox: { name: "FoundBox" }, GetBoxesBoxMadeAt: { isWide: true } } as const;
    const wide = { ...typeFacts, GetBoxesOutputBoxMadeAt: { isWide: true } } as const;
    expect(() => soundSchema(manifest, toySurface({ resources: [], functions, typeFacts: wide }))).toThrow(
      "becomes GetBoxesOutput in Go",
    );
  });
});

describe("a value is a fault", () => {
  const after = (change: (schema: Json) => void): string[] => faultsAfter(change);

  it("when a default or constant is of another type", () => {
    expect(after((schema) => (input(schema, "volume")["default"] = "much"))).toContainEqual(
      expect.stringContaining('volume/default "much" is not of the property\'s type'),
    );
    expect(after((schema) => (input(schema, "color")["default"] = "green"))).toContainEqual(
      expect.stringContaining('color/default "green" is not of the property\'s type'),
    );
    expect(after((schema) => (input(schema, "kind")["const"] = 1))).toContainEqual(
      expect.stringContaining("kind/const 1 is not of the property's type"),
    );
  });

  it("when a default is of none of a union's types", () => {
    const size = z.union([z.string(), z.number()]).describe("Size.").default(1);
    const from = toySurface({ resources: [boxOf({ size }, {})], functions: [], typeFacts: {} });
    const schema = soundSchema(manifest, from);
    const broken = structuredClone(schema) as unknown as Json;
    input(broken, "size")["default"] = true;
    expect(schemaFaults(from, broken).map(({ message }) => message)).toContain(
      "true is not of the property's type: correct one",
    );
  });

  it("when a default stands beside a constant", () => {
    expect(after((schema) => (input(schema, "kind")["default"] = "wooden"))).toContainEqual(
      expect.stringContaining("stands beside a constant"),
    );
  });

  it("when a secret would be read from the environment, or written into generated code", () => {
    const told = { environment: ["TOY_TOKEN"] };
    expect(
      after((schema) => (at(schema, "config", "variables", "token")["defaultInfo"] = told)),
    ).toContainEqual(expect.stringContaining("token is a secret with a default"));
    expect(
      after((schema) => (at(schema, "provider", "inputProperties", "token")["defaultInfo"] = told)),
    ).toContainEqual(expect.stringContaining("#/provider/inputProperties/token is a secret with a default"));
    expect(after((schema) => (input(schema, "key")["default"] = "1234"))).toContainEqual(
      expect.stringContaining("key is a secret with a default"),
    );
  });

  it("when a setting does not name its environment variable", () => {
    expect(
      after((schema) => (at(schema, "config", "variables", "token")["description"] = "Who.")),
    ).toContainEqual(expect.stringContaining("token does not say which environment variable sets it"));
    expect(after((schema) => delete at(schema, "config", "variables", "url")["defaultInfo"])).toContainEqual(
      expect.stringContaining("url/defaultInfo lacks the environment variable TOY_URL"),
    );
  });

  it("when an enum's value is of another type", () => {
    const change = (schema: Json): void => {
      (typed(schema, "Color")["enum"] as Json[])[0] = { name: "Red", value: 1 };
    };
    expect(after(change)).toContainEqual(expect.stringContaining("Color/enum 1 is no string"));
  });

  it("when an integer needs more than 32 bits", () => {
    const typeFacts = { BoxColor: { name: "Color", beforeDigits: "With" }, GetBoxesBoxMadeAt: {} };
    expect(() => soundSchema(manifest, toySurface({ typeFacts }))).toThrow(
      "madeAt is an integer that needs more than 32 bits: set `isWide` in type-facts.ts",
    );
  });
});
