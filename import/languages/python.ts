import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { escapeCodePoint, escapeHidden, escapePattern, hasHidden } from "../../spec/shown-text";
import { ConfigSecret, Reference, RESERVED, slugOf, type ProgramResource, type Program } from "../model";
import { toPythonName } from "./python-name";
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

/** The program for the SDK that Pulumi generates from the package's schema: its files. */
export function renderPythonFiles(program: Program): Readonly<Record<string, string>> {
  const parts = partsOf(program);
  if (parts.length === 0) return { "__main__.py": renderPythonProgram(program) };
  return {
    "__main__.py": joinParagraphs([
      IMPORT_PULUMI,
      // A project may be called as a module is.
      [
        ...parts.map(({ area }) => `import ${area}  # noqa: F401`),
        ...renderPythonImports(listSharedWithMain(program)),
      ].join("\n"),
      ...renderPythonExports(program),
    ]),
    "options.py": joinParagraphs([PROTECT]),
    ...Object.fromEntries(parts.map((part) => [`${part.area}.py`, renderPythonPart(part, parts)])),
  };
}

function renderPythonPart(part: ProgramPart, parts: readonly ProgramPart[]): string {
  const { resources } = part;
  return joinParagraphs([
    `${IMPORT_PULUMI}\n${IMPORT_MANAGEMENT}`,
    ["from options import protect", ...renderPythonImports(listImportedParts(part, parts))].join("\n"),
    readsConfig(resources) ? CONFIG : "",
    ...resources.map((each) =>
      renderPythonResource(each, isShared(each, part, parts) || isUsed(each, resources)),
    ),
  ]);
}

function renderPythonImports(parts: readonly ProgramPart[]): string[] {
  return parts.map(({ area, resources }) => `from ${area} import ${resources.map(variableOf).join(", ")}`);
}

/** The program in one file. */
export function renderPythonProgram(program: Program): string {
  const { resources } = program;
  return joinParagraphs([
    `${IMPORT_PULUMI}\n${IMPORT_MANAGEMENT}`,
    readsConfig(resources) ? CONFIG : "",
    PROTECT,
    ...resources.map((each) => renderPythonResource(each, isUsed(each, resources))),
    ...renderPythonExports(program),
  ]);
}

const IMPORT_PULUMI = "import pulumi";
const IMPORT_MANAGEMENT = "import pulumi_management as management";
const CONFIG = "config = pulumi.Config()";
const PROTECT = "# Neither `pulumi destroy` nor a removed line deletes what has this option.\nprotect = True";

function renderPythonExports({ resources }: Program): string[] {
  return resources
    .filter(({ type }) => type === "Project")
    .map((project) => `pulumi.export("ref", ${variableOf(project)}.ref)`);
}

/** What a later run adds behind a file that may have been edited since. */
export function renderAddedPython(program: Program, present: string): string {
  const isDeclared = (variable: string): boolean =>
    new RegExp(
      String.raw`^(?:${escapePattern(variable)} *[:=]|from .* import .*\b${escapePattern(variable)}\b)`,
      "m",
    ).test(present);
  const resources = listAdded(program, (to) => isDeclared(variableOf(to)));
  const imports = [IMPORT_PULUMI, IMPORT_MANAGEMENT].filter((line) => !present.split("\n").includes(line));
  return [
    ...(imports.length === 0 ? [] : [imports.join("\n")]),
    ...(readsConfig(resources) && !isDeclared("config") ? [CONFIG] : []),
    ...(isDeclared("protect") ? [] : [PROTECT]),
    ...resources.map((each) => renderPythonResource(each, isUsed(each, resources))),
  ]
    .map((paragraph) => `\n${paragraph}\n`)
    .join("");
}

const WIDTH = 88;

function renderPythonResource(declared: ProgramResource, isReferredTo: boolean): string {
  const { type, name, properties, customTimeouts, dependsOn, deletedWith, comment } = declared;
  const types = new SdkTypes();
  const fields = types.inputsOf(type);
  const given = comment === undefined ? properties : { ...properties, adopt: true };
  const timeouts = Object.entries(customTimeouts ?? {}).map(
    ([step, value]) => `${step}=${quotePython(value)}`,
  );
  const options = [
    "protect=protect",
    ...(dependsOn.length === 0 ? [] : [`depends_on=[${dependsOn.map(variableOf).join(", ")}]`]),
    ...(deletedWith === undefined ? [] : [`deleted_with=${variableOf(deletedWith)}`]),
    ...(timeouts.length === 0 ? [] : [`custom_timeouts=pulumi.CustomTimeouts(${timeouts.join(", ")})`]),
  ];
  const args = [
    quotePython(name),
    ...Object.entries(given).map(
      ([key, value]) =>
        `${toPythonName(key)}=${renderPythonValue(value, { type: fields[key], types, depth: 1 })}`,
    ),
    `opts=pulumi.ResourceOptions(${options.join(", ")})`,
  ];
  const binding = comment === undefined && isReferredTo ? `${variableOf(declared)} = ` : "";
  const line = `${binding}management.${type}(${args.join(", ")})`;
  const lines =
    line.length <= WIDTH && !line.includes("\n")
      ? line
      : `${binding}management.${type}(\n${args.map((each) => `    ${each},\n`).join("")})`;
  return comment === undefined ? lines : commentOut(comment, lines, "#");
}

/** `payment-token` becomes `payment_token`. */
function variableOf({ name }: ProgramResource): string {
  const snake = slugOf(name).replaceAll("-", "_");
  if (/^[0-9]/.test(snake)) return `_${snake}`;
  return RESERVED.has(snake) ? `${snake}_` : snake;
}

interface PythonValueContext {
  /** What the schema says of the value. */
  readonly type: TypeSpec | undefined;
  readonly types: SdkTypes;
  readonly depth: number;
}

function renderPythonValue(value: unknown, place: PythonValueContext): string {
  const { type, types, depth } = place;
  if (value instanceof Reference) return `${variableOf(value.to)}.${toPythonName(value.property)}`;
  if (value instanceof ConfigSecret) return `config.require_secret(${quotePython(value.key)})`;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  const member = types.memberOf(type, value);
  if (member !== undefined) return `management.${member}`;
  if (typeof value === "string") return value.includes("\n") ? quoteLongText(value) : quotePython(value);
  if (Array.isArray(value)) {
    const items = value.map((each) =>
      renderPythonValue(each, { types, type: type?.items, depth: depth + 1 }),
    );
    return wrapItems("[", items, "]", depth);
  }
  if (typeof value !== "object") return JSON.stringify(value);
  const fields = types.fieldsOf(type);
  const entries = Object.entries(value).map(([key, each]) => {
    const of = fields === undefined ? type?.additionalProperties : fields[key];
    // The keys of a map are the user's own.
    const name = fields === undefined ? key : toPythonName(key);
    return `${quotePython(name)}: ${renderPythonValue(each, { types, type: of, depth: depth + 1 })}`;
  });
  return wrapItems("{", entries, "}", depth);
}

function wrapItems(opening: string, items: readonly string[], closing: string, depth: number): string {
  const line = `${opening}${items.join(", ")}${closing}`;
  if (line.length <= WIDTH - 28 && !line.includes("\n")) return line;
  const inner = "    ".repeat(depth + 1);
  return `${opening}\n${items.map((item) => `${inner}${item},\n`).join("")}${"    ".repeat(depth)}${closing}`;
}

/** JSON's escapes are Python's, but for what JSON writes as two halves of a character. */
function quotePython(value: string): string {
  return escapeHidden(JSON.stringify(value), escapeCodePoint);
}

/** A text of several lines, as it reads. */
function quoteLongText(value: string): string {
  if (hasHidden(value)) return quotePython(value);
  const escaped = value.replaceAll("\\", String.raw`\\`).replaceAll(/"(?="")|"$/g, String.raw`\"`);
  return `"""${escaped}"""`;
}

interface TypeSpec {
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
}

interface NamedType {
  readonly properties?: PropertyTypes;
  readonly enum?: readonly { readonly name: string; readonly value: unknown }[];
}

type PropertyTypes = Readonly<Record<string, TypeSpec>>;

interface Schema {
  readonly resources: Readonly<Record<string, { readonly inputProperties: PropertyTypes }>>;
  readonly types: Readonly<Record<string, NamedType>>;
}

/** The types that the generated SDK has, by what it is generated from. */
class SdkTypes {
  private readonly schema = readSchema();

  inputsOf(type: string): PropertyTypes {
    return this.schema.resources[`management:index:${type}`]?.inputProperties ?? {};
  }

  /** The fields of an object; undefined for a map. */
  fieldsOf(type: TypeSpec | undefined): PropertyTypes | undefined {
    return this.findNamed(type)?.properties;
  }

  /** The member of an enum that a value is; undefined where the type is none, or has no such member. */
  memberOf(type: TypeSpec | undefined, value: unknown): string | undefined {
    const member = this.findNamed(type)?.enum?.find((each) => each.value === value);
    if (member === undefined) return undefined;
    return `${type?.$ref?.split(":").at(-1) ?? ""}.${toPythonName(member.name).toUpperCase()}`;
  }

  private findNamed(type: TypeSpec | undefined): NamedType | undefined {
    return this.schema.types[type?.$ref?.replace("#/types/", "") ?? ""];
  }
}

let schema: Schema | undefined;

function readSchema(): Schema {
  schema ??= JSON.parse(readFileSync(findSchemaFile(), "utf8")) as Schema;
  return schema;
}

/** The schema in this package, whether this runs from its build or from its source. */
export function findSchemaFile(): string {
  const places = ["../../..", "../.."].map((up) => resolve(__dirname, up, "schema.json"));
  const found = places.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error("schema.json is missing from this package. Install pulumi-management again.");
  return found;
}
