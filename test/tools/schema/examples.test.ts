import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ts from "typescript";
import { z } from "zod";
import { allFunctions, allResources } from "../../../provider/catalog/catalog";
import { componentDefinitions } from "../../../provider/components/components";
import { asSet, secret } from "../../../provider/define/markers";
import type { AnyFunction } from "../../../provider/define/function";
import type { AnyResource } from "../../../provider/define/resource";
import { checkInputs } from "../../../provider/engine/check";
import { checkArguments } from "../../../provider/engine/invoke";
import { UNKNOWN } from "../../../provider/define/unknown";
import { examples } from "../../../tools/schema/examples/examples.generated";
import { ROOT_KEY } from "../../../tools/schema/examples/whole-project";
import type { Declaration, Example, ExampleValue } from "../../../tools/schema/examples/example";
import { referenceIn, valuesOf } from "../../../tools/schema/examples/references";
import { allPrograms } from "../../../tools/schema/examples/programs";
import { toPythonName } from "../../../import/languages/python-name";
import { renderCSharp } from "../../../tools/schema/examples/render-csharp";
import { renderJava } from "../../../tools/schema/examples/render-java";
import { renderPython } from "../../../tools/schema/examples/render-python";
import { renderTypeScript } from "../../../tools/schema/examples/render-typescript";
import { renderYaml } from "../../../tools/schema/examples/render-yaml";
import { SdkTypes } from "../../../tools/schema/examples/sdk-types";
import { packageContents, surface } from "../../../tools/schema/package-schema";
import { addExampleFiles } from "./example-files";
import { boxOf, getBoxesOf } from "./toy-surface";

const root = join(__dirname, "../../..");
const programs = allPrograms();
const all = Object.entries(examples);

const resourceOf = (type: string): AnyResource => {
  // Of a component too, only the inputs and outputs are looked at.
  const all = [...allResources(), ...(componentDefinitions as readonly object[] as AnyResource[])];
  const found = all.find((one) => one.type === type);
  if (found === undefined) throw new Error(`There is no resource ${type}.`);
  return found;
};
const functionOf = (name: string): AnyFunction => {
  const found = allFunctions().find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no function ${name}.`);
  return found;
};

/** What a value is when the program runs: settings have sensible values, outputs of others the given one. */
/** Values of the configuration that are no text of any form. */
const CONFIG: Readonly<Record<string, string>> = {
  projectRef: "abcdefghijklmnopqrst",
  rootKey: ROOT_KEY,
};

function resolved(value: ExampleValue, ofOthers: string): unknown {
  const reference = referenceIn(value);
  if (reference?.property !== undefined) return ofOthers;
  if (reference !== undefined) return CONFIG[reference.name] ?? "some-text".repeat(5);
  if (Array.isArray(value)) return value.map((item: ExampleValue) => resolved(item, ofOthers));
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, resolved(child, ofOthers)]));
}

function failuresOf(declaration: Declaration): unknown[] {
  const values = valuesOf(declaration);
  return "resource" in declaration
    ? [
        ...checkInputs(resourceOf(declaration.resource), resolved(values, UNKNOWN) as Record<string, unknown>)
          .failures,
      ]
    : [
        // A function is not called before its arguments are known.
        ...checkArguments(
          functionOf(declaration.function),
          resolved(values, "abcdefghijklmnopqrst") as Record<string, unknown>,
        ),
      ];
}

const toy: Example = {
  config: { token: "secret", region: "text" },
  declares: {
    theToy: {
      resource: "Toy",
      properties: {
        displayName: 'say "hi" to $me, ${x',
        passWord: "${token}",
        nestedThing: {
          innerName: "yes",
          mapOfThings: { "Some-Key": { deepName: 1.5 }, plain_key: { deepName: -2 } },
        },
        someList: [{ itemName: "on" }, { itemName: "012" }],
        paint: "sky-blue",
        paints: ["red"],
        lock: { kind: "KEY", teethCount: 3, from: "red" },
        isOn: true,
        emptyList: [],
        emptyMap: {},
      },
    },
    toyInfo: { function: "getToy", arguments: { toyRef: "${theToy.toyRef}", from: "${region}" } },
    unused: {
      comment: "After the other one.",
      resource: "Toy",
      properties: { displayName: "a\nb" },
      dependsOn: ["theToy"],
    },
  },
  outputs: { toyName: "${toyInfo.displayName}" },
};
const named = z.object({ itemName: z.string() });
const paint = z.enum(["red", "sky-blue"]).meta({ id: "Paint" });
const toyInputs = {
  Toy: {
    displayName: z.string(),
    passWord: secret(z.string()).optional(),
    nestedThing: z.strictObject({
      innerName: z.string(),
      mapOfThings: z.record(z.string(), z.object({ deepName: z.number() })),
    }),
    someList: asSet(z.array(named)).optional(),
    paint,
    paints: z.array(paint),
    lock: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("code"), digitCount: z.int() }),
      z.strictObject({ kind: z.literal("KEY"), teethCount: z.int(), from: paint }),
    ]),
    isOn: z.boolean(),
    emptyList: z.array(z.string()),
    emptyMap: z.record(z.string(), z.string()),
  },
  getToy: { toyRef: z.string(), from: z.string() },
};
const toyTypes = new SdkTypes(
  packageContents({
    resources: [boxOf(toyInputs.Toy, {}, "Toy")],
    functions: [getBoxesOf(toyInputs.getToy, {}, "getToy")],
    config: z.strictObject({}),
  }),
);

describe("the examples", () => {
  it("are there for every resource, component and function, and for nothing else", () => {
    const types = [...allResources(), ...componentDefinitions].map(({ type }) => type);
    const names = [...types, ...allFunctions().map(({ name }) => name)];
    expect(Object.keys(examples).sort()).toEqual(names.sort());
  });

  it.each(all)("of %s passes the checks of what it declares, without an unknown property", (_, example) => {
    const [back, folder] = [process.cwd(), mkdtempSync(join(tmpdir(), "management-examples-"))];
    addExampleFiles(folder);
    process.chdir(folder);
    try {
      expect(Object.values(example.declares).flatMap(failuresOf)).toEqual([]);
    } finally {
      process.chdir(back);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each(all)("of %s uses what it is the example of", (name, { declares }) => {
    const used = Object.values(declares).map((one) => ("resource" in one ? one.resource : one.function));
    expect(used).toContain(name);
  });

  it.each(all)(
    "of %s refers only to settings and to what is declared before, each name once",
    (_, example) => {
      const known = new Set(Object.keys(example.config ?? {}));
      const wrong: string[] = [];
      const look = (value: ExampleValue): void => {
        const reference = referenceIn(value);
        if (reference !== undefined && !known.has(reference.name)) wrong.push(reference.name);
        if (typeof value === "object") Object.values(value).forEach(look);
      };
      for (const [name, declaration] of Object.entries(example.declares)) {
        look(valuesOf(declaration));
        if (known.has(name)) wrong.push(`${name} twice`);
        known.add(name);
      }
      look(example.outputs ?? {});
      expect(wrong).toEqual([]);
    },
  );

  it.each(all)("of %s shows outputs that there are", (_, { declares, outputs = {} }) => {
    const missing = Object.values(outputs).filter((value) => {
      const reference = referenceIn(value);
      const declaration = declares[reference?.name ?? ""];
      if (declaration === undefined || reference?.property === undefined) return true;
      const { outputs: known } =
        "resource" in declaration ? resourceOf(declaration.resource) : functionOf(declaration.function);
      return !(reference.property in known.shape);
    });
    expect(missing).toEqual([]);
  });
});

describe("a program in TypeScript", () => {
  it("has quoted texts, references as expressions, secrets from the configuration, and keeps the keys of maps", () => {
    expect(renderTypeScript(toy)).toBe(`import * as pulumi from "@pulumi/pulumi";
import * as management from "pulumi-management";

const config = new pulumi.Config();
const token = config.requireSecret("token");
const region = config.require("region");

const theToy = new management.Toy("theToy", {
    displayName: "say \\"hi\\" to $me, \${x",
    passWord: token,
    nestedThing: {
        innerName: "yes",
        mapOfThings: {
            "Some-Key": {
                deepName: 1.5,
            },
            plain_key: {
                deepName: -2,
            },
        },
    },
    someList: [{
        itemName: "on",
    }, {
        itemName: "012",
    }],
    paint: "sky-blue",
    paints: ["red"],
    lock: {
        kind: "KEY",
        teethCount: 3,
        from: "red",
    },
    isOn: true,
    emptyList: [],
    emptyMap: {},
});

const toyInfo = management.getToyOutput({
    toyRef: theToy.toyRef,
    from: region,
});

// After the other one.
new management.Toy("unused", {
    displayName: "a\\nb",
}, { dependsOn: [theToy] });

export const toyName = toyInfo.displayName;
`);
  });

  it("compiles against the package's types, every example in one program", () => {
    const sources = new Map(
      Object.entries(programs).map(([name, { typescript }]) => [
        join(root, "examples", `${name}.example.ts`),
        typescript,
      ]),
    );
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.Node16,
      moduleResolution: ts.ModuleResolutionKind.Node16,
      strict: true,
      noUnusedLocals: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      types: ["node"],
      // The sources themselves, so that no build is needed.
      paths: { "pulumi-management": [join(root, "provider/index.ts")] },
    };
    const disk = ts.createCompilerHost(options);
    const host: ts.CompilerHost = {
      ...disk,
      fileExists: (path) => sources.has(path) || disk.fileExists(path),
      getSourceFile: (path, target, ...rest) => {
        const text = sources.get(path);
        return text === undefined
          ? disk.getSourceFile(path, target, ...rest)
          : ts.createSourceFile(path, text, target);
      },
    };
    const program = ts.createProgram([...sources.keys()], options, host);
    const faults = [...sources.keys()].flatMap((path) => {
      const file = program.getSourceFile(path);
      return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
        ({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
      );
    });
    expect(faults).toEqual([]);
  });
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe("a program in Python", () => {
  it("spells properties in snake case, nested ones included, but not the keys of maps, and names enum members", () => {
    expect(renderPython(toy, toyTypes)).toBe(`import pulumi
import pulumi_management as management

config = pulumi.Config()
token = config.require_secret("token")
region = config.require("region")

the_toy = management.Toy(
    "theToy",
    display_name="say \\"hi\\" to $me, \${x",
    pass_word=token,
    nested_thing={
        "inner_name": "yes",
        "map_of_things": {
            "Some-Key": {
                "deep_name": 1.5,
            },
            "plain_key": {
                "deep_name": -2,
            },
        },
    },
    some_list=[{
        "item_name": "on",
    }, {
        "item_name": "012",
    }],
    paint=management.Paint.SKY_BLUE,
    paints=[management.Paint.RED],
    lock={
        "kind": "KEY",
        "teeth_count": 3,
        "from_": management.Paint.RED,
    },
    is_on=True,
    empty_list=[],
    empty_map={},
)

toy_info = management.get_toy_output(
    toy_ref=the_toy.toy_ref,
    from_=region,
)

# After the other one.
management.Toy(
    "unused",
    display_name="a\\nb",
    opts=pulumi.ResourceOptions(depends_on=[the_toy]),
)

pulumi.export("toyName", toy_info.display_name)
`);
  });

  (hasPython ? it : it.skip)("parses, every example, where there is a Python to tell", () => {
    const texts = Object.fromEntries(Object.entries(programs).map(([name, { python }]) => [name, python]));
    const script =
      "import ast, json, sys\nfor name, text in json.load(sys.stdin).items(): ast.parse(text, name)";
    expect(execFileSync("python3", ["-c", script], { input: JSON.stringify(texts), encoding: "utf8" })).toBe(
      "",
    );
  });

  it.each([
    ["dbPass", "db_pass"],
    ["metadataXml", "metadata_xml"],
    ["ezbrSha256", "ezbr_sha256"],
    ["SHA256Hash", "sha256_hash"],
    ["HTTPServer", "http_server"],
    ["allowedCIDRs", "allowed_cidrs"],
    ["dbAllowedCidrsV6", "db_allowed_cidrs_v6"],
    ["walKeepSize", "wal_keep_size"],
    ["getApiKeys", "get_api_keys"],
    ["from", "from_"],
    ["some-name", "some_name"],
  ])("names %s as Pulumi's own generator does: %s", (name, python) => {
    expect(toPythonName(name)).toBe(python);
  });
});

describe("a program in YAML", () => {
  it("quotes what YAML would take for something else, and escapes what Pulumi would", () => {
    expect(renderYaml(toy)).toBe(`name: example
runtime: yaml
config:
  token:
    type: string
    secret: true
  region:
    type: string
variables:
  toyInfo:
    fn::invoke:
      function: management:index:getToy
      arguments:
        toyRef: \${theToy.toyRef}
        from: \${region}
resources:
  theToy:
    type: management:index:Toy
    properties:
      displayName: "say \\"hi\\" to $me, $\${x"
      passWord: \${token}
      nestedThing:
        innerName: "yes"
        mapOfThings:
          Some-Key:
            deepName: 1.5
          plain_key:
            deepName: -2
      someList:
        - itemName: "on"
        - itemName: "012"
      paint: sky-blue
      paints:
        - red
      lock:
        kind: KEY
        teethCount: 3
        from: red
      isOn: true
      emptyList: []
      emptyMap: {}
  # After the other one.
  unused:
    type: management:index:Toy
    properties:
      displayName: "a\\nb"
    options:
      dependsOn:
        - \${theToy}
outputs:
  toyName: \${toyInfo.displayName}
`);
  });

  it("parses, every example", () => {
    const texts = Object.values(programs).map(({ yaml }) => yaml);
    const prettier = join(dirname(require.resolve("prettier")), "bin/prettier.cjs");
    const input = texts.join("---\n");
    const formatted = execFileSync(process.execPath, [prettier, "--parser", "yaml"], {
      input,
      encoding: "utf8",
    });
    expect(formatted.split("---\n")).toHaveLength(texts.length);
  });
});

describe("a program in C#", () => {
  it("has objects, lists and maps by their types, references as properties, and what a function answers by a lambda", () => {
    expect(renderCSharp(toy, toyTypes)).toBe(`using System.Collections.Generic;
using Pulumi;
using Management = Example.Management;

return await Deployment.RunAsync(() =>
{
    var config = new Config();
    var token = config.RequireSecret("token");
    var region = config.Require("region");

    var theToy = new Management.Toy("theToy", new()
    {
        DisplayName = "say \\"hi\\" to $me, \${x",
        PassWord = token,
        NestedThing = new Management.Inputs.ToyNestedThingArgs
        {
            InnerName = "yes",
            MapOfThings = new()
            {
                { "Some-Key", new Management.Inputs.ToyNestedThingMapOfThingArgs
                {
                    DeepName = 1.5,
                } },
                { "plain_key", new Management.Inputs.ToyNestedThingMapOfThingArgs
                {
                    DeepName = -2,
                } },
            },
        },
        SomeList = new()
        {
            new Management.Inputs.ToySomeListArgs
            {
                ItemName = "on",
            },
            new Management.Inputs.ToySomeListArgs
            {
                ItemName = "012",
            },
        },
        Paint = Management.Paint.SkyBlue,
        Paints = new() { Management.Paint.Red },
        Lock = new Management.Inputs.ToyLockKeyArgs
        {
            Kind = "KEY",
            TeethCount = 3,
            From = Management.Paint.Red,
        },
        IsOn = true,
        EmptyList = new(),
        EmptyMap = new(),
    });

    var toyInfo = Management.GetToy.Invoke(new()
    {
        ToyRef = theToy.ToyRef,
        From = region,
    });

    // After the other one.
    new Management.Toy("unused", new()
    {
        DisplayName = "a\\nb",
    }, new CustomResourceOptions
    {
        DependsOn = { theToy },
    });

    return new Dictionary<string, object?>
    {
        ["toyName"] = toyInfo.Apply(result => result.DisplayName),
    };
});
`);
  });

  it("makes triggers, which are a list or a map, of immutable collections", () => {
    const texts = Object.values(programs).map(({ csharp }) => csharp);
    expect(programs["RestoreCancellation"]?.csharp).toContain("}.ToImmutableDictionary(),");
    expect(programs["RealtimeShutdown"]?.csharp).toContain(
      "Triggers = ImmutableArray.Create<object>(settings.PrivateOnly),",
    );
    for (const text of texts)
      expect(text.includes("using System.Collections.Immutable;")).toBe(
        /ToImmutable|ImmutableArray/.test(text),
      );
  });
});

const hasJdk = spawnSync("javac", ["-version"]).status === 0;

describe("a program in Java", () => {
  it("builds arguments, and imports every type that it names", () => {
    expect(renderJava(toy, toyTypes)).toBe(`import com.example.management.ManagementFunctions;
import com.example.management.Toy;
import com.example.management.ToyArgs;
import com.example.management.enums.Paint;
import com.example.management.inputs.GetToyArgs;
import com.example.management.inputs.ToyLockKeyArgs;
import com.example.management.inputs.ToyNestedThingArgs;
import com.example.management.inputs.ToyNestedThingMapOfThingArgs;
import com.example.management.inputs.ToySomeListArgs;
import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.resources.CustomResourceOptions;
import java.util.List;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        var config = ctx.config();
        var token = config.requireSecret("token");
        var region = config.require("region");

        var theToy = new Toy("theToy", ToyArgs.builder()
            .displayName("say \\"hi\\" to $me, \${x")
            .passWord(token)
            .nestedThing(ToyNestedThingArgs.builder()
                .innerName("yes")
                .mapOfThings(Map.of(
                    "Some-Key", ToyNestedThingMapOfThingArgs.builder()
                        .deepName(1.5)
                        .build(),
                    "plain_key", ToyNestedThingMapOfThingArgs.builder()
                        .deepName(-2.0)
                        .build()))
                .build())
            .someList(List.of(
                ToySomeListArgs.builder()
                    .itemName("on")
                    .build(),
                ToySomeListArgs.builder()
                    .itemName("012")
                    .build()))
            .paint(Paint.SkyBlue)
            .paints(List.of(Paint.Red))
            .lock(ToyLockKeyArgs.builder()
                .kind("KEY")
                .teethCount(3)
                .from(Paint.Red)
                .build())
            .isOn(true)
            .emptyList(List.of())
            .emptyMap(Map.of())
            .build());

        var toyInfo = ManagementFunctions.getToy(GetToyArgs.builder()
            .toyRef(theToy.toyRef().applyValue(value -> value.orElseThrow()))
            .from(region)
            .build());

        // After the other one.
        new Toy("unused", ToyArgs.builder()
            .displayName("a\\nb")
            .build(), CustomResourceOptions.builder()
            .dependsOn(theToy)
            .build());

        ctx.export("toyName", toyInfo.applyValue(result -> result.displayName()));
    }
}
`);
  });

  it("waits for the outputs in a map of texts, of which a map in Java has none", () => {
    const tokens = (names: readonly string[]): Example => ({
      config: Object.fromEntries(names.map((name) => [name, "secret"])),
      declares: {
        set: {
          resource: "SecretSet",
          properties: {
            projectRef: "abcdefghijklmnopqrst",
            secrets: Object.fromEntries(names.map((name) => [name.toUpperCase(), `\${${name}}`])),
          },
        },
      },
    });
    const types = new SdkTypes(packageContents(surface));
    expect(renderJava(tokens(["a"]), types)).toContain('.secrets(a.applyValue(known -> Map.of("A", known)))');
    const two = renderJava(tokens(["a", "b"]), types);
    expect(two).toContain(
      '.secrets(Output.tuple(a, b).applyValue(known -> Map.of("A", known.t1, "B", known.t2)))',
    );
    expect(two).toContain("import com.pulumi.core.Output;");
  });

  (hasJdk ? it : it.skip)("parses, every example, where there is a JDK to tell", () => {
    const folder = mkdtempSync(join(tmpdir(), "management-java-"));
    try {
      const files = Object.entries(programs).map(([name, { java }]) => {
        mkdirSync(join(folder, name));
        writeFileSync(join(folder, name, "App.java"), java);
        return join(folder, name, "App.java");
      });
      const reader = join(folder, "Reader.java");
      writeFileSync(reader, JAVA_READER);
      expect(execFileSync("java", [reader, ...files], { encoding: "utf8" })).toBe(`${files.length} parsed\n`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Fails at the first fault that the compiler's parser finds; types and imports are not looked up. */
const JAVA_READER = `
import com.sun.source.util.JavacTask;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

public class Reader {
    public static void main(String[] files) throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var faults = new DiagnosticCollector<JavaFileObject>();
        var sources = compiler.getStandardFileManager(faults, null, null).getJavaFileObjects(files);
        var count = 0;
        for (var unit : ((JavacTask) compiler.getTask(null, null, faults, null, null, sources)).parse()) count++;
        if (!faults.getDiagnostics().isEmpty()) throw new Exception(faults.getDiagnostics().toString());
        System.out.println(count + " parsed");
    }
}
`;
