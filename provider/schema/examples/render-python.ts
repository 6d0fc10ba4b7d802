import { z } from "zod";
import { fieldOf, unwrap } from "../../define/markers";
import { isReferredTo, type Declaration, type Example, type ExampleValue } from "./example";
import { pythonName } from "./python-name";
import { block, shapeOf, type Notation } from "./source-text";

/** The inputs of a resource by its type, or of a function by its name. */
export type InputsOf = (typeOrName: string) => z.ZodObject;

const notation: Notation = {
  // A JSON string is a Python string: both know the same escapes.
  text: (value) => JSON.stringify(value),
  truth: (value) => (value ? "True" : "False"),
  reference: ({ name, property }) =>
    property === undefined ? pythonName(name) : `${pythonName(name)}.${pythonName(property)}`,
};

/** The program for the generated SDK; properties are spelled the Python way, the keys of maps as they are. */
export function renderPython(example: Example, inputsOf: InputsOf): string {
  const { config = {}, declares, outputs = {} } = example;
  const settings = Object.entries(config).map(
    ([name, kind]) =>
      `${pythonName(name)} = config.${kind === "secret" ? "require_secret" : "require"}("${name}")`,
  );
  const exported = Object.entries(outputs).map(
    ([name, value]) => `pulumi.export("${name}", ${valueText(value, undefined)})`,
  );
  const paragraphs = [
    [
      ...(settings.length + exported.length === 0 ? [] : ["import pulumi"]),
      "import pulumi_management as management",
    ],
    settings.length === 0 ? [] : ["config = pulumi.Config()", ...settings],
    ...Object.entries(declares).map(([name, declaration]) => {
      const binding = isReferredTo(example, name) ? `${pythonName(name)} = ` : "";
      return [`${binding}${callText(name, declaration, inputsOf)}`];
    }),
    exported,
  ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function callText(name: string, declaration: Declaration, inputsOf: InputsOf): string {
  if ("resource" in declaration) {
    const inputs = inputsOf(declaration.resource);
    const args = keywordArguments(declaration.properties, inputs);
    return block(`management.${declaration.resource}(`, [JSON.stringify(name), ...args], ")");
  }
  const args = keywordArguments(declaration.arguments, inputsOf(declaration.function));
  return block(`management.${pythonName(declaration.function)}_output(`, args, ")");
}

function keywordArguments(values: Readonly<Record<string, ExampleValue>>, inputs: z.ZodObject): string[] {
  return Object.entries(values).map(
    ([key, value]) => `${pythonName(key)}=${valueText(value, fieldOf(inputs, key))}`,
  );
}

function valueText(value: ExampleValue, schema: z.ZodType | undefined): string {
  const shape = shapeOf(value, notation);
  const inner = schema === undefined ? undefined : unwrap(schema);
  switch (shape.kind) {
    case "scalar":
      return shape.text;
    case "list": {
      // Zod types children by its core interface; every schema here is made by the classic API.
      const element = inner instanceof z.ZodArray ? (inner.element as z.ZodType) : undefined;
      return `[${shape.items.map((item) => valueText(item, element)).join(", ")}]`;
    }
    case "object":
      return block(
        "{",
        shape.entries.map(([key, child]) => entryText(key, child, inner)),
        "}",
      );
  }
}

/** A field is spelled as Python spells it; the key of a map is the user's own. */
function entryText(key: string, value: ExampleValue, inner: z.ZodType | undefined): string {
  if (inner instanceof z.ZodObject) {
    return `${JSON.stringify(pythonName(key))}: ${valueText(value, fieldOf(inner, key))}`;
  }
  const below = inner instanceof z.ZodRecord ? (inner.valueType as z.ZodType) : undefined;
  return `${JSON.stringify(key)}: ${valueText(value, below)}`;
}
