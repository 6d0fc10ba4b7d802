import { languageSections } from "../language-sections";
import { PACKAGE_NAME, type PropertySpec, type TypeSpec } from "../package-spec";
import type { Declaration, Example, ExampleValue } from "./example";
import {
  dependenciesOf,
  formatComment,
  isReferredTo,
  referenceIn,
  valuesOf,
  type Reference,
} from "./references";
import type { SdkTypes } from "./sdk-types";
import { formatShape, indent } from "./source-text";

const PACKAGE = `${languageSections.java.basePackage}.${PACKAGE_NAME}`;
const FUNCTIONS = "ManagementFunctions";

/** The program for the generated Java SDK. */
export function renderJava(example: Example, types: SdkTypes): string {
  const program = new JavaProgram(example, types);
  const body = program.body();
  const imports = ["com.pulumi.Context", "com.pulumi.Pulumi", ...program.imports].toSorted();
  return `${imports.map((name) => `import ${name};\n`).join("")}
public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
${indent(body, 8)}    }
}
`;
}

class JavaProgram {
  readonly imports = new Set<string>();

  constructor(
    private readonly example: Example,
    private readonly types: SdkTypes,
  ) {}

  body(): string {
    const { config = {}, declares, outputs = {} } = this.example;
    const settings = Object.entries(config).map(
      ([name, kind]) => `var ${name} = config.${kind === "secret" ? "requireSecret" : "require"}("${name}");`,
    );
    const paragraphs = [
      settings.length === 0 ? [] : ["var config = ctx.config();", ...settings],
      ...Object.entries(declares).map(([name, declaration]) => this.statement(name, declaration)),
      Object.entries(outputs).map(
        ([name, value]) => `ctx.export("${name}", ${this.value(value, undefined)});`,
      ),
    ];
    return paragraphs
      .filter((lines) => lines.length > 0)
      .map((lines) => `${lines.join("\n")}\n`)
      .join("\n");
  }

  private statement(name: string, declaration: Declaration): string[] {
    const binding = isReferredTo(this.example, name) ? `var ${name} = ` : "";
    return [...formatComment(declaration, "//"), `${binding}${this.call(name, declaration)};`];
  }

  private call(name: string, declaration: Declaration): string {
    const inputs = this.types.inputsOf(declaration);
    if ("function" in declaration) {
      this.imports.add(`${PACKAGE}.${FUNCTIONS}`);
      const args =
        Object.keys(inputs).length === 0
          ? ""
          : this.builder(`inputs.${titled(declaration.function)}Args`, valuesOf(declaration), inputs);
      return `${FUNCTIONS}.${declaration.function}(${args})`;
    }
    const type = declaration.resource;
    this.imports.add(`${PACKAGE}.${type}`);
    const args = this.builder(`${type}Args`, valuesOf(declaration), inputs);
    return `new ${type}("${name}", ${args}${this.options(declaration)})`;
  }

  private options(declaration: Extract<Declaration, { resource: string }>): string {
    const before = dependenciesOf(declaration);
    if (before.length === 0) return "";
    const kind = this.types.isComponent(declaration) ? "ComponentResourceOptions" : "CustomResourceOptions";
    this.imports.add(`com.pulumi.resources.${kind}`);
    return `, ${built(kind, [`.dependsOn(${before.join(", ")})`])}`;
  }

  private builder(
    path: string,
    values: Readonly<Record<string, ExampleValue>>,
    types: Readonly<Record<string, PropertySpec>>,
  ): string {
    this.imports.add(`${PACKAGE}.${path}`);
    const setters = Object.entries(values).map(
      ([key, value]) => `.${toMember(key)}(${this.argument(value, types[key])})`,
    );
    return built(path.split(".").at(-1) ?? path, setters);
  }

  /** A value as the argument of a setter. A list or a map has no place for an output, so it is made once that is known. */
  private argument(value: ExampleValue, type: TypeSpec | undefined): string {
    const outputs = this.outputsWithin(value, type);
    const [only] = outputs;
    if (only === undefined) return this.value(value, type);
    const known = new Map(
      outputs.map((text, index) => [text, outputs.length === 1 ? "known" : `known.t${index + 1}`]),
    );
    if (outputs.length > 1) this.imports.add("com.pulumi.core.Output");
    const awaited = outputs.length === 1 ? only : `Output.tuple(${outputs.join(", ")})`;
    return `${awaited}.applyValue(known -> ${this.value(value, type, known)})`;
  }

  /** The outputs that are elements of a list or values of a map with a type of their own. */
  private outputsWithin(value: ExampleValue, type: TypeSpec | undefined): string[] {
    const element = type?.items ?? type?.additionalProperties;
    if (typeof value !== "object" || element?.type === undefined) return [];
    return Object.values(value).flatMap((child) => {
      const reference = referenceIn(child);
      const isText = reference !== undefined && this.example.config?.[reference.name] === "text";
      return reference === undefined || isText ? [] : [this.reference(reference, true)];
    });
  }

  /** A value of this type, without one as anything goes; `known` says what stands for outputs. */
  private value(
    value: ExampleValue,
    type: TypeSpec | undefined,
    known: ReadonlyMap<string, string> = new Map(),
  ): string {
    const member = this.types.memberOf(type, value);
    if (member !== undefined) {
      this.imports.add(`${PACKAGE}.enums.${member.type}`);
      return `${member.type}.${member.name}`;
    }
    const shape = formatShape(value, {
      // A JSON string is a Java string: both know the same escapes.
      text: (text) => JSON.stringify(text),
      truth: String,
      number: (number) => (type?.type === "number" && Number.isInteger(number) ? `${number}.0` : `${number}`),
      reference: (reference) => {
        const text = this.reference(reference, isTyped(type));
        return known.get(text) ?? text;
      },
    });
    switch (shape.kind) {
      case "scalar":
        return shape.text;
      case "list":
        this.imports.add("java.util.List");
        return inBrackets(
          "List.of(",
          shape.items.map((item) => this.value(item, type?.items ?? ANY, known)),
        );
      case "object": {
        const object = this.types.objectOf(type, shape.entries);
        if (object !== undefined)
          return this.builder(
            `inputs.${object.name}Args`,
            Object.fromEntries(shape.entries),
            object.properties,
          );
        this.imports.add("java.util.Map");
        return inBrackets(
          "Map.of(",
          shape.entries.map(
            ([key, child]) =>
              `${JSON.stringify(key)}, ${this.value(child, type?.additionalProperties ?? ANY, known)}`,
          ),
        );
      }
    }
  }

  /** An input has no place for what may be missing. */
  private reference({ name, property }: Reference, isInput: boolean): string {
    const declaration = this.example.declares[name];
    if (property === undefined || declaration === undefined) return name;
    const orElse = isInput && !this.types.isAlwaysThere(declaration, property) ? ".orElseThrow()" : "";
    if ("function" in declaration)
      return `${name}.applyValue(result -> result.${toMember(property)}()${orElse})`;
    const isId = property === "id" || orElse === "";
    const output = `${name}.${toMember(property)}()`;
    return isId ? output : `${output}.applyValue(value -> value${orElse})`;
  }
}

const ANY: TypeSpec = {};

/** Words of Java that a property may well be called by: the generated SDK adds `_`. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "abstract class default enum final import interface native new package private protected public return static switch this transient void".split(
    " ",
  ),
);

function toMember(property: string): string {
  return KEYWORDS.has(property) ? `${property}_` : property;
}

function built(type: string, setters: readonly string[]): string {
  return [`${type}.builder()`, ...[...setters, ".build()"].map((setter) => indent(setter))].join("\n");
}

function inBrackets(open: string, entries: readonly string[]): string {
  const line = `${open}${entries.join(", ")})`;
  return line.includes("\n") || line.length > 60 ? `${open}\n${indent(entries.join(",\n"))})` : line;
}

/** Whether the value must be of this type; `List<Object>` takes what may be missing too. */
function isTyped(type: TypeSpec | undefined): boolean {
  return type !== undefined && (type.type !== undefined || type.$ref?.startsWith("#/") === true);
}

function titled(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
