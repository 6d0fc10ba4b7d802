import type { Declaration, Example, ExampleValue } from "./example";
import type { TypeSpec } from "../package-spec";
import { languageSections } from "../language-sections";
import { exported, goLiteral, indentGo, type GoEntry } from "./go-layout";
import {
  formatComment,
  dependenciesOf,
  isReferredTo,
  referenceIn,
  valuesOf,
  type Reference,
} from "./references";
import type { SdkTypes } from "./sdk-types";
import { formatShape, type Notation } from "./source-text";

const SDK = "github.com/pulumi/pulumi/sdk/v3/go/pulumi";

/** The program for the generated SDK, laid out as gofmt does it. */
export function renderGo(example: Example, types: SdkTypes): string {
  const { config = {}, declares, outputs = {} } = example;
  const program = new GoProgram(example, types);
  const settings = Object.entries(config).map(
    ([name, kind]) => `${name} := conf.${kind === "secret" ? "RequireSecret" : "Require"}("${name}")`,
  );
  const exports = Object.entries(outputs).map(
    ([name, value]) => `ctx.Export("${name}", ${program.value(value, undefined)})`,
  );
  const body = [
    ...(settings.length === 0 ? [] : ['conf := config.New(ctx, "")', ...settings]),
    ...Object.entries(declares).flatMap(([name, declaration]) => program.statements(name, declaration)),
    ...exports,
    "return nil",
  ];
  const imports = [
    languageSections.go.importBasePath,
    SDK,
    ...(settings.length === 0 ? [] : [`${SDK}/config`]),
  ].map((path) => JSON.stringify(path));
  const run = `pulumi.Run(func(ctx *pulumi.Context) error {\n${indentGo(body.join("\n"))}\n})`;
  return `package main\n\nimport (\n${indentGo(imports.join("\n"))}\n)\n\nfunc main() {\n${indentGo(run)}\n}\n`;
}

class GoProgram {
  private hasError = false;

  constructor(
    private readonly example: Example,
    private readonly types: SdkTypes,
  ) {}

  statements(name: string, declaration: Declaration): string[] {
    const isUsed = isReferredTo(this.example, name);
    const comment = formatComment(declaration, "//");
    if ("function" in declaration) {
      const call = `management.${this.types.goNameOf(declaration.function)}Output(${this.argumentsOf(declaration)})`;
      return [...comment, isUsed ? `${name} := ${call}` : call];
    }
    const before = dependenciesOf(declaration);
    const options = before.length === 0 ? "" : `, pulumi.DependsOn([]pulumi.Resource{${before.join(", ")}})`;
    const type = declaration.resource;
    const args = this.fields(`&management.${type}Args`, declaration);
    const assignment = isUsed || !this.hasError ? ":=" : "=";
    this.hasError = true;
    return [
      ...comment,
      `${isUsed ? name : "_"}, err ${assignment} management.New${type}(ctx, ${JSON.stringify(name)}, ${args}${options})`,
      "if err != nil {",
      "\treturn err",
      "}",
    ];
  }

  private argumentsOf(declaration: Extract<Declaration, { function: string }>): string {
    if (Object.keys(this.types.inputsOf(declaration)).length === 0) return "ctx";
    return `ctx, ${this.fields(`management.${this.types.goNameOf(declaration.function)}OutputArgs`, declaration)}`;
  }

  private fields(open: string, declaration: Declaration): string {
    const inputs = this.types.inputsOf(declaration);
    const entries = Object.entries(valuesOf(declaration)).map(([key, value]): GoEntry => [
      exported(key),
      this.value(value, inputs[key], this.types.requiredOf(declaration).includes(key)),
    ]);
    return goLiteral(open, entries);
  }

  /** A value as an input of this type; `isRequired` matters to a reference only. */
  value(value: ExampleValue, type: TypeSpec | undefined, isRequired = false): string {
    const member = this.types.memberOf(type, value);
    if (member !== undefined) return `management.${member.type}${member.name}`;
    const reference = referenceIn(value);
    if (reference !== undefined) return this.reference(reference, isRequired);
    const shape = formatShape(value, notationOf(type));
    switch (shape.kind) {
      case "scalar":
        return shape.text;
      case "list":
        return `${this.types.goTypeOf(type) ?? "pulumi.Array"}{${this.items(shape.items, type)}}`;
      case "object":
        return this.object(shape.entries, type);
    }
  }

  private items(items: readonly ExampleValue[], type: TypeSpec | undefined): string {
    const texts = items.map((item) => this.value(item, type?.items));
    return texts.some((text) => text.includes("\n"))
      ? `\n${indentGo(texts.map((text) => `${text},`).join("\n"))}\n`
      : texts.join(", ");
  }

  private object(entries: readonly (readonly [string, ExampleValue])[], type: TypeSpec | undefined): string {
    const known = this.types.objectOf(type, entries);
    if (known !== undefined) {
      const { name, properties, required } = known;
      return goLiteral(
        `&management.${name}Args`,
        entries.map(([key, child]) => [
          exported(key),
          this.value(child, properties[key], required.includes(key)),
        ]),
      );
    }
    return goLiteral(
      this.types.goTypeOf(type) ?? "pulumi.Map",
      entries.map(([key, child]) => [
        JSON.stringify(key),
        this.value(child, type?.additionalProperties, true),
      ]),
    );
  }

  private reference({ name, property }: Reference, isRequired: boolean): string {
    const kind = this.example.config?.[name];
    if (kind !== undefined) return kind === "secret" ? name : `pulumi.String(${name})`;
    const declaration = this.example.declares[name];
    if (declaration === undefined || property === undefined) return name;
    if (property === "id" && "resource" in declaration) return `${name}.ID()`;
    const output = `${name}.${exported(property)}${"function" in declaration ? "()" : ""}`;
    return isRequired && !this.types.isAlwaysThere(declaration, property) ? `${output}.Elem()` : output;
  }
}

/** A scalar as an input of Pulumi's Go SDK. */
function notationOf(type: TypeSpec | undefined): Notation {
  return {
    text: (value) => `pulumi.String(${JSON.stringify(value)})`,
    truth: (value) => `pulumi.Bool(${String(value)})`,
    number: (value) =>
      type?.type === "number" || !Number.isInteger(value)
        ? `pulumi.Float64(${value})`
        : `pulumi.Int(${value})`,
    reference: ({ name }) => name,
  };
}
