import type { Declaration, Example, ExampleValue } from "./example";
import { formatComment, dependenciesOf, isReferredTo } from "./references";
import { block, formatShape, type Notation } from "./source-text";

const notation: Notation = {
  text: (value) => JSON.stringify(value),
  truth: String,
  reference: ({ name, property }) => (property === undefined ? name : `${name}.${property}`),
};

/** The program for the dynamic classes of the npm package, or for the generated SDK when that package is named. */
export function renderTypeScript(example: Example, packageName = "pulumi-management"): string {
  const { config = {}, declares, outputs = {} } = example;
  const settings = Object.entries(config).map(
    ([name, kind]) => `const ${name} = config.${kind === "secret" ? "requireSecret" : "require"}("${name}");`,
  );
  const paragraphs = [
    [
      ...(settings.length === 0 ? [] : ['import * as pulumi from "@pulumi/pulumi";']),
      `import * as management from "${packageName}";`,
    ],
    settings.length === 0 ? [] : ["const config = new pulumi.Config();", ...settings],
    ...Object.entries(declares).map(([name, declaration]) => [
      ...formatComment(declaration, "//"),
      declarationText(example, name, declaration),
    ]),
    Object.entries(outputs).map(([name, value]) => `export const ${name} = ${valueText(value)};`),
  ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function declarationText(example: Example, name: string, declaration: Declaration): string {
  const binding = isReferredTo(example, name) ? `const ${name} = ` : "";
  if ("function" in declaration) {
    return `${binding}management.${declaration.function}Output(${valueText(declaration.arguments)});`;
  }
  const before = dependenciesOf(declaration);
  const options = before.length === 0 ? "" : `, { dependsOn: [${before.join(", ")}] }`;
  return `${binding}new management.${declaration.resource}("${name}", ${valueText(declaration.properties)}${options});`;
}

function valueText(value: ExampleValue): string {
  const shape = formatShape(value, notation);
  switch (shape.kind) {
    case "scalar":
      return shape.text;
    case "list":
      return `[${shape.items.map(valueText).join(", ")}]`;
    case "object":
      return block(
        "{",
        shape.entries.map(([key, child]) => entryText(key, valueText(child))),
        "}",
      );
  }
}

function entryText(key: string, text: string): string {
  const isIdentifier = /^[A-Za-z_$][\w$]*$/.test(key);
  if (isIdentifier && key === text) return key;
  return `${isIdentifier ? key : JSON.stringify(key)}: ${text}`;
}
