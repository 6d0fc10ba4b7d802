import { languageSections } from "../language-sections";
import { PACKAGE_NAME, type PropertySpec, type TypeSpec } from "../package-spec";
import type { Declaration, Example, ExampleValue } from "./example";
import { dependenciesOf, formatComment, isReferredTo, valuesOf } from "./references";
import type { SdkTypes } from "./sdk-types";
import { block, formatShape, indent, type Notation } from "./source-text";

const { rootNamespace, namespaces } = languageSections.csharp;
const PACKAGE = namespaces[PACKAGE_NAME];

/** The program for the generated .NET SDK. */
export function renderCSharp(example: Example, types: SdkTypes): string {
  const { config = {}, outputs = {} } = example;
  const program = new CSharpProgram(example, types);
  const settings = Object.entries(config).map(
    ([name, kind]) => `var ${name} = config.${kind === "secret" ? "RequireSecret" : "Require"}("${name}");`,
  );
  const exported = Object.entries(outputs).map(
    ([name, value]) => `["${name}"] = ${program.value(value, undefined)}`,
  );
  const body = [
    settings.length === 0 ? [] : ["var config = new Config();", ...settings],
    ...Object.entries(example.declares).map(([name, declaration]) => program.statement(name, declaration)),
    exported.length === 0 ? [] : [`return ${braces("new Dictionary<string, object?>", exported)};`],
  ];
  const text = body
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
  const usings = [
    ...(/\b(?:Dictionary|List)</.test(text) ? ["System.Collections.Generic"] : []),
    ...(/Immutable/.test(text) ? ["System.Collections.Immutable"] : []),
    "Pulumi",
    `${PACKAGE} = ${rootNamespace}.${PACKAGE}`,
  ];
  return `${usings.map((name) => `using ${name};\n`).join("")}
return await Deployment.RunAsync(() =>
{
${indent(text)}});
`;
}

class CSharpProgram {
  constructor(
    private readonly example: Example,
    private readonly types: SdkTypes,
  ) {}

  statement(name: string, declaration: Declaration): string[] {
    const binding = isReferredTo(this.example, name) ? `var ${name} = ` : "";
    return [...formatComment(declaration, "//"), `${binding}${this.call(name, declaration)};`];
  }

  private call(name: string, declaration: Declaration): string {
    const inputs = this.types.inputsOf(declaration);
    const fields = this.fields(valuesOf(declaration), inputs);
    if ("function" in declaration) {
      const args = fields.length === 0 ? "" : braces("new", fields);
      return `${PACKAGE}.${titled(declaration.function)}.Invoke(${args})`;
    }
    const before = dependenciesOf(declaration);
    const kind = this.types.isComponent(declaration) ? "ComponentResourceOptions" : "CustomResourceOptions";
    const options =
      before.length === 0 ? "" : `, ${braces(`new ${kind}`, [`DependsOn = { ${before.join(", ")} }`])}`;
    return `new ${PACKAGE}.${declaration.resource}("${name}", ${braces("new", fields)}${options})`;
  }

  private fields(
    values: Readonly<Record<string, ExampleValue>>,
    types: Readonly<Record<string, PropertySpec>>,
  ): string[] {
    return Object.entries(values).map(
      ([key, value]) => `${memberName(key, types[key])} = ${this.value(value, types[key])}`,
    );
  }

  /** A value as an input of this type; without one, as anything goes. */
  value(value: ExampleValue, type: TypeSpec | undefined): string {
    const member = this.types.memberOf(type, value);
    if (member !== undefined) return `${PACKAGE}.${member.type}.${member.name}`;
    const shape = formatShape(value, this.notation);
    switch (shape.kind) {
      case "scalar":
        return shape.text;
      case "list":
        return this.list(shape.items, type);
      case "object":
        return this.object(shape.entries, type);
    }
  }

  private list(items: readonly ExampleValue[], type: TypeSpec | undefined): string {
    const texts = items.map((item) => this.value(item, type?.items));
    if (type?.oneOf !== undefined) return `ImmutableArray.Create<object>(${texts.join(", ")})`;
    const open = type?.items === undefined ? "new List<object?>" : "new";
    const isLong = texts.some((text) => text.includes("\n"));
    return isLong || items.length === 0 ? braces(open, texts) : `${open}() { ${texts.join(", ")} }`;
  }

  private object(entries: readonly (readonly [string, ExampleValue])[], type: TypeSpec | undefined): string {
    const known = this.types.objectOf(type, entries);
    if (known !== undefined) {
      const fields = this.fields(Object.fromEntries(entries), known.properties);
      return braces(`new ${PACKAGE}.Inputs.${known.name}Args`, fields);
    }
    const pairs = entries.map(
      ([key, child]) => [JSON.stringify(key), this.value(child, type?.additionalProperties)] as const,
    );
    if (type?.oneOf === undefined && type?.additionalProperties !== undefined)
      return braces(
        "new",
        pairs.map(([key, text]) => `{ ${key}, ${text} }`),
      );
    const assigned = pairs.map(([key, text]) => `[${key}] = ${text}`);
    return type?.oneOf === undefined
      ? braces("new Dictionary<string, object?>", assigned)
      : `${braces("new Dictionary<string, object>", assigned)}.ToImmutableDictionary()`;
  }

  private readonly notation: Notation = {
    // A JSON string is a C# string: both know the same escapes.
    text: (value) => JSON.stringify(value),
    truth: String,
    reference: ({ name, property }) => {
      const declaration = this.example.declares[name];
      if (property === undefined || declaration === undefined) return name;
      return "function" in declaration
        ? `${name}.Apply(result => result.${titled(property)})`
        : `${name}.${memberName(property, this.types.outputsOf(declaration)[property])}`;
    },
  };
}

/** An object with its members, one to a line. */
function braces(type: string, members: readonly string[]): string {
  return members.length === 0 ? `${type}()` : block(`${type === "new" ? "new()" : type}\n{`, members, "}");
}

function titled(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** A member that the class would have the name of is called otherwise. */
function memberName(name: string, spec: PropertySpec | undefined): string {
  const given = spec?.language?.["csharp"]?.["name"];
  return typeof given === "string" ? given : titled(name);
}
