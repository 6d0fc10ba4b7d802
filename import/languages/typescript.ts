import { escapePattern, hasHidden, quoteText } from "../../spec/shown-text";
import { toTimeoutsInput } from "../custom-timeouts";
import { ConfigSecret, Reference, type ProgramResource, type Program } from "../model";
import {
  listAdded,
  commentOut,
  joinParagraphs,
  listImportedParts,
  isShared,
  isUsed,
  partsOf,
  readsConfig,
  listSharedWithMain,
  type ProgramPart,
} from "./source-files";

/** The program for the classes of the npm package: its files. */
export function renderTypeScriptFiles(program: Program): Readonly<Record<string, string>> {
  const parts = partsOf(program);
  if (parts.length === 0) return { "index.ts": renderTypeScriptProgram(program) };
  const main = [
    ...parts.map(({ area }) => `import "./${area}";`),
    ...renderTypeScriptImports(listSharedWithMain(program)),
  ];
  return {
    "index.ts": joinParagraphs([main.join("\n"), ...renderTypeScriptExports(program)]),
    "options.ts": joinParagraphs([PROTECT.replace("const", "export const")]),
    ...Object.fromEntries(parts.map((part) => [`${part.area}.ts`, renderTypeScriptPart(part, parts)])),
  };
}

function renderTypeScriptPart(part: ProgramPart, parts: readonly ProgramPart[]): string {
  const { resources } = part;
  const own = [
    'import { protect } from "./options";',
    ...renderTypeScriptImports(listImportedParts(part, parts)),
  ];
  return joinParagraphs([
    [...renderPackageImports(resources), ...own].join("\n"),
    readsConfig(resources) ? CONFIG : "",
    ...resources.map((each) => {
      const keyword = isShared(each, part, parts) ? "export const" : isUsed(each, resources) ? "const" : "";
      return renderResource(each, keyword);
    }),
  ]);
}

function renderTypeScriptImports(parts: readonly ProgramPart[]): string[] {
  return parts.map(({ area, resources }) => {
    const names = resources.map(({ variable }) => variable).join(", ");
    return `import { ${names} } from "./${area}";`;
  });
}

/** The program in one file. */
export function renderTypeScriptProgram(program: Program): string {
  const { resources } = program;
  return joinParagraphs([
    renderPackageImports(resources).join("\n"),
    readsConfig(resources) ? CONFIG : "",
    PROTECT,
    ...resources.map((each) => renderResource(each, isUsed(each, resources) ? "const" : "")),
    ...renderTypeScriptExports(program),
  ]);
}

const CONFIG = "const config = new pulumi.Config();";
const PROTECT =
  "// Neither `pulumi destroy` nor a removed line deletes what has this option.\nconst protect = true;";

function renderPackageImports(resources: readonly ProgramResource[]): string[] {
  return [
    ...(readsConfig(resources) ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    'import * as management from "pulumi-management";',
  ];
}

function renderTypeScriptExports({ resources }: Program): string[] {
  return resources
    .filter(({ type }) => type === "Project")
    .map(({ variable }) => `export const ref = ${variable}.ref;`);
}

/** `keyword` begins the declaration of a resource that something refers to. */
function renderResource(declared: ProgramResource, keyword: string): string {
  const { type, name, variable, properties, customTimeouts, comment } = declared;
  const given = {
    ...properties,
    // The engine does not hand the option `customTimeouts` to the classes.
    ...(customTimeouts !== undefined && { timeouts: toTimeoutsInput(customTimeouts) }),
    ...(comment !== undefined && { adopt: true }),
  };
  const binding = keyword !== "" && comment === undefined ? `${keyword} ${variable} = ` : "";
  const textWith = (values: string): string =>
    `${binding}new management.${type}(${quoteText(name)}, ${values}, ${renderOptions(declared)});`;
  const line = textWith(renderValue(given, 0));
  const text = line.length > 100 && !line.includes("\n") ? textWith(renderObject(given, 0)) : line;
  return comment === undefined ? text : commentOut(comment, text, "//");
}

function renderOptions({ dependsOn, deletedWith }: ProgramResource): string {
  const options = [
    "protect",
    ...(dependsOn.length === 0
      ? []
      : [`dependsOn: [${dependsOn.map(({ variable }) => variable).join(", ")}]`]),
    ...(deletedWith === undefined ? [] : [`deletedWith: ${deletedWith.variable}`]),
  ];
  return `{ ${options.join(", ")} }`;
}

function renderValue(value: unknown, depth: number): string {
  if (value instanceof Reference) return `${value.to.variable}.${value.property}`;
  if (value instanceof ConfigSecret) return `config.requireSecret(${quoteText(value.key)})`;
  if (typeof value === "string") return value.includes("\n") ? quoteTemplate(value) : quoteText(value);
  const inner = "  ".repeat(depth + 1);
  const end = "  ".repeat(depth);
  if (Array.isArray(value)) {
    const items = value.map((each) => renderValue(each, depth + 1));
    const line = `[${items.join(", ")}]`;
    if (line.length <= 80 && !line.includes("\n")) return line;
    return `[\n${items.map((item) => `${inner}${item},\n`).join("")}${end}]`;
  }
  if (typeof value !== "object" || value === null) return String(value);
  const entries = renderEntries(value, depth);
  if (entries.length === 0) return "{}";
  const line = `{ ${entries.join(", ")} }`;
  return line.length <= 70 && !line.includes("\n") ? line : renderObject(value, depth);
}

function renderObject(value: object, depth: number): string {
  const inner = "  ".repeat(depth + 1);
  return `{\n${renderEntries(value, depth)
    .map((entry) => `${inner}${entry},\n`)
    .join("")}${"  ".repeat(depth)}}`;
}

function renderEntries(value: object, depth: number): string[] {
  return Object.entries(value).map(([key, each]) => {
    // Without brackets, this key would set the object's prototype.
    const name =
      key === "__proto__" ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoteText(key);
    return `${name}: ${renderValue(each, depth + 1)}`;
  });
}

/** A text of several lines, as it reads. */
function quoteTemplate(text: string): string {
  if (hasHidden(text)) return quoteText(text);
  return `\`${text.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`)}\``;
}

/** What a later run adds behind a file that may have been edited since. */
export function renderAddedTypeScript(program: Program, present: string): string {
  const isDeclared = (variable: string): boolean => {
    const name = String.raw`(?<![\w$])${escapePattern(variable)}(?![\w$])`;
    return new RegExp(String.raw`\b(?:const|let) ${name}|\bimport \{[^}]*${name}[^}]*\}`).test(present);
  };
  const resources = listAdded(program, ({ variable }) => isDeclared(variable));
  const paragraphs = [
    ...(readsConfig(resources) && !isDeclared("config")
      ? [`import * as pulumi from "@pulumi/pulumi";\n\n${CONFIG}`]
      : []),
    ...(/\* as management\b/.test(present) ? [] : ['import * as management from "pulumi-management";']),
    ...(isDeclared("protect") ? [] : ["const protect = true;"]),
    ...resources.map((each) => renderResource(each, isUsed(each, resources) ? "const" : "")),
  ];
  return paragraphs.map((paragraph) => `\n${paragraph}\n`).join("");
}
