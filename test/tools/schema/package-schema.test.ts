import { componentDefinitions } from "../../../provider/components/components";
import { z } from "zod";
import { replaces, secret } from "../../../provider/define/markers";
import { packageSchema, surface } from "../../../tools/schema/package-schema";
import type { PackageSpec } from "../../../tools/schema/package-spec";
import {
  boxesAnswer,
  boxesArguments,
  boxInputs,
  boxOf,
  getBoxesOf,
  manifest,
  toySurface,
} from "./toy-surface";

const schema = packageSchema(manifest, toySurface());
const box = schema.resources["management:index:Box"];
const getBoxes = schema.functions["management:index:getBoxes"];
const typeOf = (name: string, of: PackageSpec = schema) => of.types[`management:index:${name}`];

describe("the package", () => {
  it("tells what package.json tells, and what the registry sorts by", () => {
    expect(schema).toMatchObject({
      name: "management",
      version: "1.2.3",
      description: "Toys.",
      license: "MIT",
      repository: "https://example.com/toys",
      keywords: ["pulumi", "toys", "kind/native", "category/database"],
    });
    expect(schema).not.toHaveProperty("pluginDownloadURL");
    expect(schema).not.toHaveProperty("publisher");
  });

  it("takes settings from the environment in generated code, except secret ones", () => {
    expect(schema.config.variables).toEqual({
      url: {
        type: "string",
        description: "Where the boxes are. Environment: TOY_URL.",
        defaultInfo: { environment: ["TOY_URL"] },
      },
      token: { type: "string", description: "Who asks. Environment: TOY_TOKEN.", secret: true },
    });
    expect(schema.config).not.toHaveProperty("required");
    expect(schema.provider.inputProperties).toEqual(schema.config.variables);
    expect(schema.provider).not.toHaveProperty("requiredInputs");
    expect(schema.provider.properties["url"]).not.toHaveProperty("defaultInfo");
  });
});

describe("a resource", () => {
  it("takes the inputs that a user of the plugin sets", () => {
    expect(Object.keys(box?.inputProperties ?? {}).sort()).toEqual(
      Object.keys(boxInputs)
        .filter((name) => name !== "checksum" && name !== "timeouts")
        .sort(),
    );
  });

  it("has no backticks where `pulumi do` would take a word in them for the type of a flag", () => {
    const code = z.string().describe("As `red`, or `blue`.");
    const { resources } = packageSchema(
      manifest,
      toySurface({ resources: [boxOf({ code }, { shown: code })] }),
    );
    const spec = resources["management:index:Box"];
    expect(spec?.inputProperties["code"]?.description).toBe('As "red", or "blue".');
    expect(spec?.properties["shown"]?.description).toBe("As `red`, or `blue`.");
  });

  it("requires what is not optional, has no default and is not named by the plugin", () => {
    expect(box?.requiredInputs).toEqual(["color", "place", "key", "kind"]);
  });

  it("answers its outputs and the inputs kept in state", () => {
    const names = Object.keys(box?.properties ?? {});
    expect(names).toEqual(expect.arrayContaining(["name", "checksum", "note", "serial", "parts", "place"]));
    expect(names).not.toContain("template");
    expect(names).not.toContain("timeouts");
  });

  it("always answers required outputs and inputs, but not what the service never returns", () => {
    expect(box?.required?.toSorted()).toEqual(["color", "kind", "name", "place", "serial"]);
  });

  it("has the output's type where an output and an input have one name", () => {
    expect(box?.inputProperties["place"]).toMatchObject({ $ref: "#/types/management:index:BoxPlace" });
    expect(box?.properties["place"]).toMatchObject({ $ref: "#/types/management:index:BoxPlaceResult" });
    expect(typeOf("BoxPlace")).toMatchObject({ properties: { room: {}, shelf: {} }, required: ["room"] });
    expect(typeOf("BoxPlaceResult")).toMatchObject({ properties: { room: {}, seenAt: {} } });
  });

  it("marks secrets at any depth, on both sides", () => {
    expect(box?.inputProperties["key"]).toMatchObject({ secret: true });
    expect(box?.properties["key"]).toMatchObject({ secret: true });
    expect(typeOf("BoxPart")).toMatchObject({ properties: { id: {}, pin: { secret: true } } });
    expect(typeOf("BoxPart")).not.toHaveProperty("properties.id.secret");
  });

  it("says of every input that replaces that it does", () => {
    const saying = Object.entries(box?.inputProperties ?? {}).filter(([, spec]) => spec.willReplaceOnChanges);
    expect(saying.map(([name]) => name)).toEqual(["color", "lining", "kind"]);
    expect(box?.inputProperties["color"]?.description).toBe("Color. A change replaces the resource.");
  });

  it("lets SDKs replace only by inputs that a program cannot leave out", () => {
    const replacing = Object.entries(box?.properties ?? {}).filter(([, spec]) => spec.replaceOnChanges);
    expect(replacing.map(([name]) => name)).toEqual(["color", "kind"]);
  });

  it("has defaults where they are set, not where they are read", () => {
    expect(box?.inputProperties["volume"]).toMatchObject({ type: "number", default: 1.5 });
    expect(box?.properties["volume"]).not.toHaveProperty("default");
  });

  it("is an alias of its dynamic class, so that a program moves without replacing it", () => {
    expect(box?.aliases).toEqual([{ type: "pulumi-nodejs:dynamic/management:Box" }]);
  });

  it("says how it is imported and that its name is made up", () => {
    expect(box?.description).toContain("pulumi import management:index:Box example '<name>'");
    expect(box?.inputProperties["name"]?.description).toBe(
      "Name of the box. Generated from the resource's name if omitted.",
    );
  });

  it("gives a property another name in C# where its class has the same", () => {
    const { resources } = packageSchema(
      manifest,
      toySurface({
        resources: [boxOf({ box: z.string().describe("Box in the box.") }, {})],
        functions: [],
      }),
    );
    expect(resources["management:index:Box"]?.properties["box"]?.language).toEqual({
      csharp: { name: "BoxValue" },
    });
  });
});

describe("types", () => {
  it("turn every zod construct into its counterpart", () => {
    expect(box?.inputProperties).toMatchObject({
      labels: { type: "object", additionalProperties: { type: "string" } },
      lid: { type: "boolean" },
      kind: { type: "string", const: "wooden" },
    });
    expect(box?.properties).toMatchObject({
      extra: { $ref: "pulumi.json#/Any" },
      parts: { type: "array", items: { $ref: "#/types/management:index:BoxPart" } },
      settings: {
        type: "object",
        additionalProperties: { oneOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] },
      },
    });
    expect(typeOf("BoxPlace")).toMatchObject({ properties: { shelf: { type: "integer" } } });
  });

  it("are numbers where an integer needs more than 32 bits, which C# and Java lack", () => {
    expect(box?.properties["serial"]).toMatchObject({ type: "number" });
    expect(typeOf("GetBoxesBox")).toMatchObject({ properties: { madeAt: { type: "number" } } });
  });

  it("tell the limits that the description leaves out, in words, for want of others", () => {
    const limited = {
      size: z.int().min(2).max(40).describe("Size, from 2."),
      code: z.string().min(4).max(8).describe("Code of 8 characters at most."),
      tags: z.record(z.string().max(9), z.string().max(30)).describe("Tags."),
      ref: z.string().length(20).describe("Twenty letters, twenty."),
      text: z.string().min(1).describe("Text."),
    };
    const made = packageSchema(manifest, toySurface({ resources: [boxOf(limited, {})], functions: [] }));
    const specs = made.resources["management:index:Box"]?.inputProperties ?? {};
    expect(Object.values(specs).map(({ description }) => description)).toEqual([
      "Size, from 2. At most 40.",
      "Code of 8 characters at most. At least 4 characters.",
      "Tags. Names: at most 9 characters. Values: at most 30 characters.",
      "Twenty letters, twenty.",
      "Text.",
    ]);
  });

  it("are one where the values are the same, with names that every language takes", () => {
    const reference = { $ref: "#/types/management:index:Color" };
    expect(box?.inputProperties).toMatchObject({ color: reference, lining: reference });
    expect(getBoxes?.inputs?.properties).toMatchObject({ color: reference });
    expect(typeOf("Color")).toEqual({
      type: "string",
      description: "A color.",
      enum: [
        { name: "Red", value: "red" },
        { name: "SkyBlue", value: "sky-blue" },
        { name: "With2Tone", value: "2tone" },
      ],
    });
  });

  it("are told apart by a constant", () => {
    expect(getBoxes?.inputs?.properties["lock"]).toMatchObject({
      oneOf: [
        { $ref: "#/types/management:index:GetBoxesLockCode" },
        { $ref: "#/types/management:index:GetBoxesLockKey" },
      ],
      discriminator: {
        propertyName: "kind",
        mapping: {
          code: "#/types/management:index:GetBoxesLockCode",
          KEY: "#/types/management:index:GetBoxesLockKey",
        },
      },
    });
    expect(typeOf("GetBoxesLockKey")).toMatchObject({
      properties: { kind: { type: "string", const: "KEY" } },
    });
  });

  it("name the elements of arrays and the values of maps in the singular", () => {
    const one = z.object({ a: z.string().describe("A.") }).describe("One.");
    const inputs = {
      policies: z.array(one).describe("All."),
      statuses: z.array(z.literal(["on", "off"])).describe("All."),
      databases: z
        .record(z.string(), z.object({ b: z.string().describe("B.") }).describe("One."))
        .describe("All."),
    };
    const surfaceOf = toySurface({ resources: [boxOf(inputs, {})], functions: [] });
    expect(Object.keys(packageSchema(manifest, surfaceOf).types)).toEqual([
      "management:index:BoxDatabase",
      "management:index:BoxPolicy",
      "management:index:BoxStatus",
    ]);
  });

  it("must be named where several places share them", () => {
    const size = z.enum(["small", "large"]).describe("Size.");
    const make = (inside: z.ZodType) =>
      packageSchema(manifest, toySurface({ resources: [boxOf({ size, inside }, {})], functions: [] }));
    const message =
      "Box.inputs.inside is of the same type as Box.inputs.size: give the schema of both one name by `.meta({ id })`.";
    expect(() => make(size)).toThrow(message);
    expect(() => make(size.meta({ id: "Size" }))).toThrow(message);
  });

  it("bear their name wherever a copy of their schema is", () => {
    const size = z.enum(["small", "large"]).meta({ id: "Size", description: "A size." });
    const inputs = {
      outside: secret(size.describe("Outside.")).optional(),
      inside: z.array(replaces(size)).describe("Inside."),
    };
    const made = packageSchema(manifest, toySurface({ resources: [boxOf(inputs, {})], functions: [] }));
    expect(typeOf("Size", made)).toMatchObject({ description: "A size." });
    expect(made.resources["management:index:Box"]?.inputProperties).toMatchObject({
      outside: { $ref: "#/types/management:index:Size", description: "Outside." },
      inside: { items: { $ref: "#/types/management:index:Size" } },
    });
  });

  it("cannot have one name and different content", () => {
    const place = (field: string) => z.object({ [field]: z.string().describe("Any.") }).describe("A place.");
    const resources = [
      boxOf({ place: place("room") }, { place: place("house"), placeResult: place("street") }),
    ];
    expect(() => packageSchema(manifest, toySurface({ resources, functions: [] }))).toThrow(
      "Box.outputs.placeResult and Box.outputs.place would both be the type BoxPlaceResult with different content: give the schema of one another name by `.meta({ id })`.",
    );
    const named = (field: string) => place(field).meta({ id: "Place" });
    expect(() =>
      packageSchema(manifest, toySurface({ resources: [boxOf({ a: named("b"), c: named("d") }, {})] })),
    ).toThrow("Box.inputs.c and Box.inputs.a would both be the type Place with different content");
  });
});

describe("a function", () => {
  it("has its arguments and its answer, secrets marked", () => {
    expect(getBoxes).toMatchObject({
      description: "Finds boxes.",
      outputs: { required: ["boxes"], properties: { boxes: { type: "array" } } },
    });
    expect(getBoxes?.inputs).not.toHaveProperty("required");
    expect(typeOf("GetBoxesBox")).toMatchObject({ properties: { key: { secret: true } } });
  });

  it("has no inputs when it takes none", () => {
    const functions = [getBoxesOf({}, boxesAnswer)];
    const made = packageSchema(manifest, toySurface({ functions }));
    expect(made.functions["management:index:getBoxes"]).not.toHaveProperty("inputs");
  });

  it("is independent of the resources of the catalog", () => {
    const functions = [getBoxesOf({ lock: boxesArguments.lock }, boxesAnswer)];
    const made = packageSchema(manifest, toySurface({ resources: [], functions }));
    expect(Object.keys(made.types)).toEqual([
      "management:index:GetBoxesBox",
      "management:index:GetBoxesLockCode",
      "management:index:GetBoxesLockKey",
    ]);
  });
});

describe("this package", () => {
  const own = packageSchema(manifest);

  it("has every resource, component and function", () => {
    expect(Object.keys(own.resources)).toEqual(
      [...surface.resources, ...componentDefinitions].map(({ type }) => `management:index:${type}`),
    );
    const components = Object.entries(own.resources).filter(([, { isComponent }]) => isComponent === true);
    expect(components.map(([token]) => token)).toEqual(["management:index:PreviewEnvironment"]);
    expect(Object.keys(own.functions)).toEqual(
      surface.functions.map(({ name }) => `management:index:${name}`),
    );
  });

  it.each([
    "Region",
    "InstanceSize",
    "ProjectRegionSelection",
    "SsoProviderAttributeMapping",
    "HealthService",
  ])("has the type %s", (name) => {
    expect(typeOf(name, own)).toBeDefined();
  });

  it("has every secret as one", () => {
    const secrets = Object.entries(own.resources).flatMap(([token, { properties }]) =>
      Object.entries(properties).flatMap(([name, { secret }]) => (secret ? [`${token}.${name}`] : [])),
    );
    expect(secrets.sort()).toEqual([
      "management:index:ApiKey.apiKey",
      "management:index:Branch.connectionString",
      "management:index:Branch.jwtSecret",
      "management:index:Branch.password",
      "management:index:Branch.pooledConnectionString",
      "management:index:Branch.publishableKey",
      "management:index:Branch.secretKey",
      "management:index:Branch.secrets",
      "management:index:Branch.sessionConnectionString",
      "management:index:CryptoExtensionKey.rootKey",
      "management:index:LoginRole.password",
      "management:index:OrganizationWebhookEndpoint.customHeaders",
      "management:index:OrganizationWebhookEndpoint.secret",
      "management:index:OrganizationWebhookEndpoint.signingSecret",
      "management:index:PoolerConfig.connectionString",
      "management:index:PreviewEnvironment.connectionString",
      "management:index:PreviewEnvironment.pooledConnectionString",
      "management:index:PreviewEnvironment.publishableKey",
      "management:index:PreviewEnvironment.secretKey",
      "management:index:PreviewEnvironment.sessionConnectionString",
      "management:index:Project.connectionString",
      "management:index:Project.dbPass",
      "management:index:Project.pooledConnectionString",
      "management:index:Project.publishableKey",
      "management:index:Project.secretKey",
      "management:index:Project.sessionConnectionString",
      "management:index:ProjectClaim.token",
      "management:index:ProjectClaimToken.token",
      "management:index:RestLayerConfig.jwtSecret",
      "management:index:Secret.value",
      "management:index:SecretSet.hashes",
      "management:index:SecretSet.secrets",
      "management:index:SigningKey.privateJwk",
      "management:index:VaultSecret.value",
      "management:index:WebhookEndpoint.customHeaders",
      "management:index:WebhookEndpoint.secret",
      "management:index:WebhookEndpoint.signingSecret",
    ]);
    expect(typeOf("GetApiKeysApiKey", own)).toMatchObject({ properties: { apiKey: { secret: true } } });
  });

  it("leaves the plugin's users the engine's own way to say how long a step may take", () => {
    for (const { inputProperties, properties } of Object.values(own.resources)) {
      expect(inputProperties).not.toHaveProperty("timeouts");
      expect(properties).not.toHaveProperty("timeouts");
      expect(properties).not.toHaveProperty("adopt");
    }
  });

  it("does not replace a project whose region a program no longer declares", () => {
    const project = own.resources["management:index:Project"];
    expect(project?.inputProperties["region"]).toMatchObject({ willReplaceOnChanges: true });
    expect(project?.properties["region"]).not.toHaveProperty("replaceOnChanges");
    const key = own.resources["management:index:ApiKey"];
    expect(key?.properties["type"]).toMatchObject({ replaceOnChanges: true });
  });

  it.each(["Project", "Branch", "CustomHostname", "ReadReplica", "ThirdPartyAuth"])(
    "has no engine replace a %s that the provider may keep",
    (type) => {
      const properties = own.resources[`management:index:${type}`]?.properties ?? {};
      const replacing = Object.entries(properties).filter(([, one]) => one.replaceOnChanges === true);
      // Another project is no place that somebody else moves it to.
      const isKept = type === "Project" || type === "Branch";
      expect(replacing.map(([name]) => name)).toEqual(isKept ? [] : ["projectRef"]);
    },
  );
});
