import { z } from "zod";
import { formed, replaces, secret } from "../../../provider/define/markers";
import { soundSchema } from "../../../tools/schema/check-schema";
import { surface, type Surface } from "../../../tools/schema/package-schema";
import { boxesAnswer, boxInputs, boxOf, getBoxesOf, manifest, toySurface } from "./toy-surface";

const text = z.string().describe("Text.");

/** What is wrong with a package of one resource of those inputs, each fault as one line. */
function faultsOf(inputs: z.ZodRawShape, outputs: z.ZodRawShape = {}): string[] {
  return faultsIn({ resources: [boxOf(inputs, outputs)], functions: [] });
}

function faultsIn(changes: Partial<Surface>): string[] {
  try {
    soundSchema(manifest, toySurface(changes));
    return [];
  } catch (error) {
    return String(error).split("\n").slice(1);
  }
}

describe("the checker", () => {
  it("finds nothing in a sound catalog", () => {
    expect(faultsIn({})).toEqual([]);
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

  it.each(constructs)("%s", (_, construct, message) => {
    const lines = faultsOf({ ...boxInputs, odd: construct });
    expect(lines).toEqual([expect.stringContaining(message)]);
    expect(lines[0]).toMatch(/^ {2}Box\.inputs\.odd/);
  });

  it.each(constructs)("%s, within a field of a function", (_, construct, message) => {
    const odd = z.array(z.object({ odd: construct.optional() })).describe("Odd.");
    const functions = [getBoxesOf({}, { ...boxesAnswer, odd })];
    expect(faultsIn({ functions })).toEqual([expect.stringContaining(message)]);
  });

  it("two definitions of one name", () => {
    expect(faultsIn({ resources: [boxOf(), boxOf()] })).toEqual([
      "  Box is defined twice, of which one would be lost: rename one",
    ]);
  });
});

describe("without a description is a fault:", () => {
  const described = z.object({ a: text }).describe("D.");
  const cases: [string, Partial<Surface>, string][] = [
    ["a resource", { resources: [{ ...boxOf(), description: " " }] }, "#/resources/management:index:Box"],
    [
      "a function",
      { functions: [{ ...getBoxesOf({}, boxesAnswer), description: "" }] },
      "#/functions/management:index:getBoxes",
    ],
    ["an input", { resources: [boxOf({ lid: z.boolean() })] }, "/inputProperties/lid"],
    ["a setting", { config: z.strictObject({ token: z.string() }) }, "#/config/variables/token"],
    [
      "a nested property",
      { resources: [boxOf({ place: z.object({ room: z.string() }).describe("P.") })] },
      "#/types/management:index:BoxPlace/properties/room",
    ],
    [
      "a type",
      { resources: [boxOf({ places: z.array(z.object({ room: text })).describe("P.") })] },
      "#/types/management:index:BoxPlace has no description: give one in its zod schema by `.describe()` or",
    ],
    [
      "an enum",
      { resources: [boxOf({ all: z.array(z.enum(["on", "off"])).describe("A."), described })] },
      "#/types/management:index:BoxAll",
    ],
  ];

  it.each(cases)("%s", (_, changes, path) => {
    const lines = faultsIn({ functions: [], ...changes });
    expect(lines).toContainEqual(expect.stringMatching(/has no description: give one in its/));
    expect(lines).toContainEqual(expect.stringContaining(path));
  });

  it("the package", () => {
    expect(() => soundSchema({ ...manifest, description: "" }, toySurface())).toThrow(
      "# has no description: give one in package.json",
    );
  });
});

describe("a name is a fault", () => {
  it.each(["id", "urn", "pulumi", "__owner"])("when Pulumi has it: %s", (name) => {
    expect(faultsOf({ [name]: text })).toContainEqual(
      expect.stringContaining(`inputProperties/${name} has a reserved name`),
    );
  });

  it.each(["from", "lambda", "opts", "getHashCode", "notify", "then"])(
    "when a language has it: %s",
    (name) => {
      expect(faultsOf({}, { [name]: text })).toContainEqual(
        expect.stringContaining(`properties/${name} has a reserved name`),
      );
    },
  );

  it("when it is not in camelCase", () => {
    expect(faultsOf({ "box-size": text })).toContainEqual(expect.stringContaining("is no name in camelCase"));
    expect(faultsOf({ BoxSize: text })).toContainEqual(expect.stringContaining("is no name in camelCase"));
  });

  it("when it is the wire's name of what is createdAt everywhere else", () => {
    const insertedAt = z.string().describe("Time of creation, ISO 8601.");
    expect(faultsOf({}, { insertedAt })).toContainEqual(
      expect.stringContaining("insertedAt is the wire's name of a time"),
    );
  });

  it("when it differs from another one only in case or underscores", () => {
    expect(faultsOf({ boxSize: text, boxsize: text })).toContainEqual(
      expect.stringContaining("boxsize differs"),
    );
    expect(faultsOf({ boxSize: text, box_size: text })).toContainEqual(
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
    expect(faultsOf({ place: z.strictObject({ [name]: text }).describe("P.") })).toContainEqual(
      expect.stringContaining(`BoxPlace/properties/${name} has a reserved name`),
    );
  });

  it("when it is that of its class in C#", () => {
    const faults = faultsOf({ place: z.strictObject({ boxPlace: text }).describe("P.") });
    expect(faults).toContainEqual(expect.stringContaining("is called as its class in C#"));
  });

  it("when no language could call an enum value by it", () => {
    expect(faultsOf({ size: z.enum(["2x", "4x"]).describe("Size.") })).toContainEqual(
      expect.stringContaining('"2x" has the name "2X", which is none: give one by `.meta({ beforeDigits })`'),
    );
    expect(faultsOf({ size: z.enum(["a", "+"]).describe("Size.") })).toContainEqual(
      expect.stringContaining('"+" has the name "", which is none'),
    );
  });

  it("when two enum values have it", () => {
    expect(faultsOf({ size: z.enum(["x-large", "x_large"]).describe("Size.") })).toContainEqual(
      expect.stringContaining("XLarge differs from another name only in case"),
    );
  });

  it("when two resources have it but for the case, or a file of every SDK has it", () => {
    const resources = [boxOf({}, {}, "Box"), boxOf({}, {}, "BOX"), boxOf({}, {}, "Config")];
    const make = (): unknown => soundSchema(manifest, toySurface({ resources, functions: [] }));
    expect(make).toThrow("#/resources/management:index:BOX differs from another name");
    expect(make).toThrow("Config has the name of a file that every SDK has");
  });

  it("when a resource, function or type has another form", () => {
    const inputs = { color: z.enum(["red"]).meta({ id: "color", description: "C." }) };
    const resources = [boxOf(inputs, {}, "box")];
    expect(faultsIn({ resources, functions: [getBoxesOf({}, boxesAnswer, "GetBoxes")] })).toEqual([
      "  #/resources/management:index:box is no name in PascalCase: rename it",
      "  #/functions/management:index:GetBoxes is no name in camelCase: rename it",
      "  #/types/management:index:color is no name in PascalCase: rename it",
    ]);
  });

  it("when Go would have two of it", () => {
    const resources = [boxOf({ args: z.strictObject({ a: text }).describe("A.") }, {})];
    expect(() => soundSchema(manifest, toySurface({ resources, functions: [] }))).toThrow(
      "becomes BoxArgs in Go, as #/resources/management:index:Box does: rename one",
    );
  });

  it("when Go would have two functions of it", () => {
    const answer = { name: text };
    const functions = [getBoxesOf({}, answer), getBoxesOf({}, answer, "getBoxesOutput")];
    expect(faultsIn({ resources: [], functions })).toContainEqual(
      expect.stringContaining("becomes GetBoxesOutput in Go"),
    );
  });
});

describe("a value is a fault", () => {
  it("when it is a default of a secret, which generated code would show", () => {
    expect(faultsOf({ key: secret(z.string().describe("Key.")).default("1234") })).toEqual([
      expect.stringContaining("key is a secret with a default"),
    ]);
  });

  it("when it is a default beside the only value", () => {
    expect(faultsOf({ kind: z.literal("wooden").describe("Kind.").default("wooden") })).toEqual([
      expect.stringContaining("kind has a default beside its only value"),
    ]);
  });

  it("when a setting does not name its environment variable", () => {
    const config = z.strictObject({ token: z.string().describe("Who.") });
    expect(faultsIn({ config })).toEqual([
      expect.stringContaining("token does not say which environment variable sets it"),
    ]);
  });

  it("when it is an integer that needs more than 32 bits", () => {
    const madeAt = z.int().describe("Time of making, in milliseconds since 1970.");
    expect(faultsOf({}, { madeAt })).toEqual([
      expect.stringContaining(
        "madeAt is an integer that needs more than 32 bits: make it a z.number(), or ISO 8601 text",
      ),
    ]);
  });
});
