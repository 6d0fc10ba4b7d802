import { escapePattern, hasHidden, quoteText } from "../../spec/shown-text";
import { timeoutsInput } from "../custom-timeouts";
import { ConfigSecret, Reference, type ProgramResource, type Program } from "../model";
import {
  addedTo,
  commented,
  fileText,
  importsOf,
  isShared,
  isUsed,
  partsOf,
  readConfig,
  sharedWithMain,
  type ProgramPart,
} from "./source-files";

/** The program for the classes of the npm package: its files. */
export function typeScriptFiles(program: Program): Readonly<Record<string, string>> {
  const parts = partsOf(program);
  if (parts.length === 0) return { "index.ts": typeScriptProgram(program) };
  const main = [...parts.map(({ area }) => `import "./${area}";`), ...imported(sharedWithMain(program))];
  return {
    "index.ts": fileText([main.join("\n"), ...exportsOf(program)]),
    "options.ts": fileText([PROTECT.replace("const", "export const")]),
    ...Object.fromEntries(parts.map((part) => [`${part.area}.ts`, partText(part, parts)])),
  };
}

function partText(part: ProgramPart, parts: readonly ProgramPart[]): string {
  const { resources } = part;
  const own = ['import { protect } from "./options";', ...imported(importsOf(part, parts))];
  return fileText([
    [...packages(resources), ...own].join("\n"),
    readConfig(resources) ? CONFIG : "",
    ...resources.map((each) => {
      const keyword = isShared(each, part, parts) ? "export const" : isUsed(each, resources) ? "const" : "";
      return resourceText(each, keyword);
    }),
  ]);
}

function imported(parts: readonly ProgramPart[]): string[] {
  return parts.map(({ area, resources }) => {
    const names = resources.map(({ variable }) => variable).join(", ");
    return `import { ${names} } from "./${area}";`;
  });
}

/** The program in one file. */
export function typeScriptProgram(program: Program): string {
  const { resources } = program;
  return fileText([
    packages(resources).join("\n"),
    readConfig(resources) ? CONFIG : "",
    PROTECT,
    ...resources.map((each) => resourceText(each, isUsed(each, resources) ? "const" : "")),
    ...exportsOf(program),
  ]);
}

const CONFIG = "const config = new pulumi.Config();";
const PROTECT =
  "// Neither `pulumi destroy` nor a removed line deletes what has this option.\nconst protect = true;";

function packages(resources: readonly ProgramResource[]): string[] {
  return [
    ...(readConfig(resources) ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    'import * as management from "pulumi-management";',
  ];
}

function exportsOf({ resources }: Program): string[] {
  return resources
    .filter(({ type }) => type === "Project")
    .map(({ variable }) => `export const ref = ${variable}.ref;`);
}

/** `keyword` begins the declaration of a resource that something refers to. */
function resourceText(declared: ProgramResource, keyword: string): string {
  const { type, name, variable, properties, customTimeouts, comment } = declared;
  const given = {
    ...properties,
    // The engine does not hand the option `customTimeouts` to the classes.
    ...(customTimeouts !== undefined && { timeouts: timeoutsInput(customTimeouts) }),
    ...(comment !== undefined && { adopt: true }),
  };
  const binding = keyword !== "" && comment === undefined ? `${keyword} ${variable} = ` : "";
  const textWith = (values: string): string =>
    `${binding}new management.${type}(${quoteText(name)}, ${values}, ${optionsText(declared)});`;
  const line = textWith(valueText(given, 0));
  const text = line.length > 100 && !line.includes("\n") ? textWith(objectLines(given, 0)) : line;
  return comment === undefined ? text : commented(comment, text, "//");
}

function optionsText({ dependsOn, deletedWith }: ProgramResource): string {
  const options = [
    "protect",
    ...(dependsOn.length === 0
      ? []
      : [`dependsOn: [${dependsOn.map(({ variable }) => variable).join(", ")}]`]),
    ...(deletedWith === undefined ? [] : [`deletedWith: ${deletedWith.variable}`]),
  ];
  return `{ ${options.join(", ")} }`;
}

function valueText(value: unknown, depth: number): string {
  if (value instanceof Reference) return `${value.to.variable}.${value.property}`;
  if (value instanceof ConfigSecret) return `config.requireSecret(${quoteText(value.key)})`;
  if (typeof value === "string") return value.includes("\n") ? template(value) : quoteText(value);
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
    // Without brackets, this key would set the object's prototype.
    const name =
      key === "__proto__" ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoteText(key);
    return `${name}: ${valueText(each, depth + 1)}`;
  });
}

/** A text of several lines, as it reads. */
function template(text: string): string {
  if (hasHidden(text)) return quoteText(text);
  return `\`${text.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`)}\``;
}

/** What a later run adds behind a file that may have been edited since. */
export function addedTypeScript(program: Program, present: string): string {
  const isDeclared = (variable: string): boolean => {
    const name = String.raw`(?<![\w$])${escapePattern(variable)}(?![\w$])`;
    return new RegExp(String.raw`\b(?:const|let) ${name}|\bimport \{[^}]*${name}[^}]*\}`).test(present);
  };
  const resources = addedTo(program, ({ variable }) => isDeclared(variable));
  const paragraphs = [
    ...(readConfig(resources) && !isDeclared("config")
      ? [`import * as pulumi from "@pulumi/pulumi";\n\n${CONFIG}`]
      : []),
    ...(/\* as management\b/.test(present) ? [] : ['import * as management from "pulumi-management";']),
    ...(isDeclared("protect") ? [] : ["const protect = true;"]),
    ...resources.map((each) => resourceText(each, isUsed(each, resources) ? "const" : "")),
  ];
  return paragraphs.map((paragraph) => `\n${paragraph}\n`).join("");
}
