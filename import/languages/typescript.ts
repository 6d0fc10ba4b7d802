import { timeoutsInput } from "../custom-timeouts";
import { ConfigSecret, Reference, type Declared, type Program } from "../model";
import { commented, needsConfig, refersTo } from "./source-text";

/** The program for the classes of the npm package. */
export function typeScriptProgram(program: Program): string {
  const head = [
    ...(!needsConfig(program) ? [] : ['import * as pulumi from "@pulumi/pulumi";']),
    'import * as management from "pulumi-management";',
  ];
  return [
    head.join("\n"),
    ...(!needsConfig(program) ? [] : ["const config = new pulumi.Config();"]),
    "// Neither `pulumi destroy` nor a removed line deletes what has this option.\nconst protect = true;",
    ...program.resources.map((each) => typeScriptResource(each, program.resources)),
    ...program.resources
      .filter(({ type }) => type === "Project")
      .map(({ variable }) => `export const ref = ${variable}.ref;`),
  ]
    .map((paragraph) => `${paragraph}\n`)
    .join("\n");
}

export function typeScriptResource(declared: Declared, all: readonly Declared[]): string {
  const { type, name, variable, properties, customTimeouts, comment } = declared;
  const isUsed = all.some((each) => refersTo(each.properties, declared));
  const given = {
    ...properties,
    // The engine does not hand the option `customTimeouts` to the classes.
    ...(customTimeouts !== undefined && { timeouts: timeoutsInput(customTimeouts) }),
    ...(comment !== undefined && { adopt: true }),
  };
  const binding = isUsed && comment === undefined ? `const ${variable} = ` : "";
  const textWith = (values: string): string =>
    `${binding}new management.${type}(${quoted(name)}, ${values}, { protect });`;
  const line = textWith(valueText(given, 0));
  const text = line.length > 100 && !line.includes("\n") ? textWith(objectLines(given, 0)) : line;
  return comment === undefined ? text : commented(comment, text, "//");
}

function valueText(value: unknown, depth: number): string {
  if (value instanceof Reference) return `${value.to.variable}.${value.property}`;
  if (value instanceof ConfigSecret) return `config.requireSecret(${quoted(value.key)})`;
  if (typeof value === "string") return value.includes("\n") ? template(value) : quoted(value);
  const inner = "  ".repeat(depth + 1);
  const end = "  ".repeat(depth);
  if (Array.isArray(value)) {
    const items = value.map((each) => valueText(each, depth + 1));
    const line = `[${items.join(", ")}]`;
    if (line.length <= 80 && !line.includes("\n")) return line;
    return `[\n${items.map((item) => `${inner}${item},\n`).join("")}${end}]`;
  }
  if (typeof value !== "object" || value === null) return String(value);
  const entries = entriesText(value, depth);
  if (entries.length === 0) return "{}";
  const line = `{ ${entries.join(", ")} }`;
  return line.length <= 70 && !line.includes("\n") ? line : objectLines(value, depth);
}

function objectLines(value: object, depth: number): string {
  const inner = "  ".repeat(depth + 1);
  return `{\n${entriesText(value, depth)
    .map((entry) => `${inner}${entry},\n`)
    .join("")}${"  ".repeat(depth)}}`;
}

function entriesText(value: object, depth: number): string[] {
  return Object.entries(value).map(([key, each]) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
    return `${name}: ${valueText(each, depth + 1)}`;
  });
}

/** JSON's quotes, with what JSON may leave and a line of code may not. */
function quoted(text: string): string {
  return JSON.stringify(text)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`);
}

/** A text of several lines, as it reads; a carriage return would be lost between the marks. */
function template(text: string): string {
  if (/[^\n\t\x20-\x7e\u00a1-\u2027\u202a-\ud7ff]/.test(text)) return quoted(text);
  return `\`${text.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`)}\``;
}

/** What a later run adds behind a program that may have been edited since. */
export function addedTypeScript(program: Program, present: string): string {
  const isDeclared = (variable: string): boolean =>
    new RegExp(`\\b(?:const|let) ${variable}\\b`).test(present);
  const resources = program.resources.filter(({ comment }) => comment === undefined);
  const lacksConfig = program.secrets.size > 0 && !isDeclared("config");
  const known = (value: unknown): unknown => {
    // The variable may have another name by now.
    if (value instanceof Reference && !isDeclared(value.to.variable) && !resources.includes(value.to))
      return value.to.importId;
    return value;
  };
  const shown = resources.map((each) => ({
    ...each,
    properties: Object.fromEntries(
      Object.entries(each.properties).map(([key, value]) => [key, known(value)]),
    ),
  }));
  const paragraphs = [
    ...(lacksConfig
      ? ['import * as pulumi from "@pulumi/pulumi";\n\nconst config = new pulumi.Config();']
      : []),
    ...(isDeclared("protect") ? [] : ["const protect = true;"]),
    ...shown.map((each) => typeScriptResource(each, shown)),
  ];
  return paragraphs.map((paragraph) => `\n${paragraph}\n`).join("");
}
