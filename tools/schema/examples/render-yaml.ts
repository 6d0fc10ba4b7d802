import type { Declaration, Example, ExampleValue } from "../../../provider/define/example";
import { indent, shapeOf, type Notation } from "./source-text";

const notation: Notation = {
  text: (value) => quoted(value.replaceAll("${", "$$${")),
  truth: String,
  reference: ({ name, property }) => `\${${property === undefined ? name : `${name}.${property}`}}`,
};

/** The whole `Pulumi.yaml`. */
export function renderYaml(example: Example): string {
  const { config = {}, declares, outputs = {} } = example;
  const declared = Object.entries(declares);
  const sections: Record<string, ExampleValue> = {
    name: "example",
    runtime: "yaml",
    // Hosts of an older generation know only `configuration`, of which newer ones warn.
    config: Object.fromEntries(
      Object.entries(config).map(([name, kind]) => [
        name,
        { type: "string", ...(kind === "secret" ? { secret: true } : {}) },
      ]),
    ),
    variables: sectionOf(declared, "function"),
    resources: sectionOf(declared, "resource"),
    outputs,
  };
  return Object.entries(sections)
    .filter(([, section]) => typeof section === "string" || Object.keys(section).length > 0)
    .map(([name, section]) => entryText(name, section))
    .join("");
}

function sectionOf(
  declared: readonly (readonly [string, Declaration])[],
  kind: "function" | "resource",
): ExampleValue {
  return Object.fromEntries(
    declared.flatMap(([name, declaration]) => (kind in declaration ? [[name, itemOf(declaration)]] : [])),
  );
}

function itemOf(declaration: Declaration): ExampleValue {
  if ("resource" in declaration) {
    return { type: `management:index:${declaration.resource}`, properties: declaration.properties };
  }
  const call = { function: `management:index:${declaration.function}`, arguments: declaration.arguments };
  return { "fn::invoke": call };
}

function entryText(key: string, value: ExampleValue): string {
  const name = quoted(key);
  const shape = shapeOf(value, notation);
  switch (shape.kind) {
    case "scalar":
      return `${name}: ${shape.text}\n`;
    case "list":
      if (shape.items.length === 0) return `${name}: []\n`;
      return `${name}:\n${indent(shape.items.map(elementText).join(""), 2)}`;
    case "object":
      if (shape.entries.length === 0) return `${name}: {}\n`;
      return `${name}:\n${indent(shape.entries.map(([below, child]) => entryText(below, child)).join(""), 2)}`;
  }
}

function elementText(value: ExampleValue): string {
  const shape = shapeOf(value, notation);
  if (shape.kind === "scalar") return `- ${shape.text}\n`;
  // JSON is YAML.
  if (shape.kind === "list" || shape.entries.length === 0) return `- ${JSON.stringify(value)}\n`;
  const entries = shape.entries.map(([key, child]) => entryText(key, child));
  return `-${indent(entries.join(""), 2).slice(1)}`;
}

/** Plain where nothing could take it for something else, otherwise a JSON string, which YAML reads as it is. */
function quoted(text: string): string {
  const isPlain =
    /^[A-Za-z][\w./+-]*(?:::?[\w./+-]+)*$/.test(text) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
