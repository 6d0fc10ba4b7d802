import type { Declaration, Example, ExampleValue } from "./example";
import { formatComment, dependenciesOf } from "./references";
import { indent, formatShape, type Notation } from "./source-text";

const notation: Notation = {
  text: (value) => quoted(value.replaceAll("${", "$$${")),
  truth: String,
  reference: ({ name, property }) => `\${${property === undefined ? name : `${name}.${property}`}}`,
};

/** What a `Pulumi.yaml` begins with. */
export interface YamlHead {
  readonly name: string;
  readonly description?: string;
  /** The folder of the plugin; the installed one when absent. */
  readonly pluginPath?: string;
}

/** The whole `Pulumi.yaml`. */
export function renderYaml(example: Example, head: YamlHead = { name: "example" }): string {
  const { config = {}, declares, outputs = {} } = example;
  const declared = Object.entries(declares);
  const before: Record<string, ExampleValue> = {
    name: head.name,
    ...(head.description === undefined ? {} : { description: head.description }),
    runtime: "yaml",
    plugins:
      head.pluginPath === undefined ? {} : { providers: [{ name: "management", path: head.pluginPath }] },
    // Hosts of an older generation know only `configuration`, of which newer ones warn.
    config: Object.fromEntries(
      Object.entries(config).map(([name, kind]) => [
        name,
        { type: "string", ...(kind === "secret" ? { secret: true } : {}) },
      ]),
    ),
    variables: Object.fromEntries(
      declared.flatMap(([name, one]) => ("function" in one ? [[name, itemOf(one)]] : [])),
    ),
  };
  return sectionsText(before) + resourcesText(declared) + sectionsText({ outputs });
}

function sectionsText(sections: Readonly<Record<string, ExampleValue>>): string {
  return Object.entries(sections)
    .filter(([, section]) => typeof section === "string" || Object.keys(section).length > 0)
    .map(([name, section]) => entryText(name, section))
    .join("");
}

function resourcesText(declared: readonly (readonly [string, Declaration])[]): string {
  const entries = declared
    .filter(([, one]) => "resource" in one)
    .flatMap(([name, one]) => [
      ...formatComment(one, "#").map((line) => `${line}\n`),
      entryText(name, itemOf(one)),
    ]);
  return entries.length === 0 ? "" : `resources:\n${indent(entries.join(""), 2)}`;
}

function itemOf(declaration: Declaration): ExampleValue {
  if ("resource" in declaration) {
    const before = dependenciesOf(declaration);
    return {
      type: `management:index:${declaration.resource}`,
      properties: declaration.properties,
      ...(before.length === 0 ? {} : { options: { dependsOn: before.map((name) => `\${${name}}`) } }),
    };
  }
  const call = { function: `management:index:${declaration.function}`, arguments: declaration.arguments };
  return { "fn::invoke": call };
}

function entryText(key: string, value: ExampleValue): string {
  const name = quoted(key);
  const shape = formatShape(value, notation);
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
  const shape = formatShape(value, notation);
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
