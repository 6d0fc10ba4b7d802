import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { escapeCodePoint, escapeHidden, escapePattern, hasHidden } from "../../spec/shown-text";
import { ConfigSecret, Reference, RESERVED, slugOf, type ProgramResource, type Program } from "../model";
import { pythonName } from "./python-name";
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

/** The program for the SDK that Pulumi generates from the package's schema: its files. */
export function pythonFiles(program: Program): Readonly<Record<string, string>> {
  const parts = partsOf(program);
  if (parts.length === 0) return { "__main__.py": pythonProgram(program) };
  return {
    "__main__.py": fileText([
      IMPORT_PULUMI,
      // A project may be called as a module is.
      [...parts.map(({ area }) => `import ${area}  # noqa: F401`), ...imported(sharedWithMain(program))].join(
        "\n",
      ),
      ...exportsOf(program),
    ]),
    "options.py": fileText([PROTECT]),
    ...Object.fromEntries(parts.map((part) => [`${part.area}.py`, partText(part, parts)])),
  };
}

function partText(part: ProgramPart, parts: readonly ProgramPart[]): string {
  const { resources } = part;
  return fileText([
    `${IMPORT_PULUMI}\n${IMPORT_MANAGEMENT}`,
    ["from options import protect", ...imported(importsOf(part, parts))].join("\n"),
    readConfig(resources) ? CONFIG : "",
    ...resources.map((each) => pythonResource(each, isShared(each, part, parts) || isUsed(each, resources))),
  ]);
}

function imported(parts: readonly ProgramPart[]): string[] {
  return parts.map(({ area, resources }) => `from ${area} import ${resources.map(variableOf).join(", ")}`);
}

/** The program in one file. */
export function pythonProgram(program: Program): string {
  const { resources } = program;
  return fileText([
    `${IMPORT_PULUMI}\n${IMPORT_MANAGEMENT}`,
    readConfig(resources) ? CONFIG : "",
    PROTECT,
    ...resources.map((each) => pythonResource(each, isUsed(each, resources))),
    ...exportsOf(program),
  ]);
}

const IMPORT_PULUMI = "import pulumi";
const IMPORT_MANAGEMENT = "import pulumi_management as management";
const CONFIG = "config = pulumi.Config()";
const PROTECT = "# Neither `pulumi destroy` nor a removed line deletes what has this option.\nprotect = True";

function exportsOf({ resources }: Program): string[] {
  return resources
    .filter(({ type }) => type === "Project")
    .map((project) => `pulumi.export("ref", ${variableOf(project)}.ref)`);
}

/** What a later run adds behind a file that may have been edited since. */
export function addedPython(program: Program, present: string): string {
  const isDeclared = (variable: string): boolean =>
    new RegExp(
      String.raw`^(?:${escapePattern(variable)} *[:=]|from .* import .*\b${escapePattern(variable)}\b)`,
      "m",
    ).test(present);
  const resources = addedTo(program, (to) => isDeclared(variableOf(to)));
  const imports = [IMPORT_PULUMI, IMPORT_MANAGEMENT].filter((line) => !present.split("\n").includes(line));
  return [
    ...(imports.length === 0 ? [] : [imports.join("\n")]),
    ...(readConfig(resources) && !isDeclared("config") ? [CONFIG] : []),
    ...(isDeclared("protect") ? [] : [PROTECT]),
    ...resources.map((each) => pythonResource(each, isUsed(each, resources))),
  ]
    .map((paragraph) => `\n${paragraph}\n`)
    .join("");
}

const WIDTH = 88;

function pythonResource(declared: ProgramResource, isReferredTo: boolean): string {
  const { type, name, properties, customTimeouts, dependsOn, deletedWith, comment } = declared;
  const types = new SdkTypes();
  const fields = types.inputsOf(type);
  const given = comment === undefined ? properties : { ...properties, adopt: true };
  const timeouts = Object.entries(customTimeouts ?? {}).map(([step, value]) => `${step}=${quoted(value)}`);
  const options = [
    "protect=protect",
    ...(dependsOn.length === 0 ? [] : [`depends_on=[${dependsOn.map(variableOf).join(", ")}]`]),
    ...(deletedWith === undefined ? [] : [`deleted_with=${variableOf(deletedWith)}`]),
    ...(timeouts.length === 0 ? [] : [`custom_timeouts=pulumi.CustomTimeouts(${timeouts.join(", ")})`]),
  ];
  const args = [
    quoted(name),
    ...Object.entries(given).map(
      ([key, value]) => `${pythonName(key)}=${valueText(value, { type: fields[key], types, depth: 1 })}`,
    ),
    `opts=pulumi.ResourceOptions(${options.join(", ")})`,
  ];
  const binding = comment === undefined && isReferredTo ? `${variableOf(declared)} = ` : "";
  const line = `${binding}management.${type}(${args.join(", ")})`;
  const lines =
    line.length <= WIDTH && !line.includes("\n")
      ? line
      : `${binding}management.${type}(\n${args.map((each) => `    ${each},\n`).join("")})`;
  return comment === undefined ? lines : commented(comment, lines, "#");
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

function valueText(value: unknown, place: PythonValueContext): string {
  const { type, types, depth } = place;
  if (value instanceof Reference) return `${variableOf(value.to)}.${pythonName(value.property)}`;
  if (value instanceof ConfigSecret) return `config.require_secret(${quoted(value.key)})`;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  const member = types.memberOf(type, value);
  if (member !== undefined) return `management.${member}`;
  if (typeof value === "string") return value.includes("\n") ? longText(value) : quoted(value);
  if (Array.isArray(value)) {
    const items = value.map((each) => valueText(each, { types, type: type?.items, depth: depth + 1 }));
    return wrapped("[", items, "]", depth);
  }
  if (typeof value !== "object") return JSON.stringify(value);
  const fields = types.fieldsOf(type);
  const entries = Object.entries(value).map(([key, each]) => {
    const of = fields === undefined ? type?.additionalProperties : fields[key];
    // The keys of a map are the user's own.
    const name = fields === undefined ? key : pythonName(key);
    return `${quoted(name)}: ${valueText(each, { types, type: of, depth: depth + 1 })}`;
  });
  return wrapped("{", entries, "}", depth);
}

function wrapped(opening: string, items: readonly string[], closing: string, depth: number): string {
  const line = `${opening}${items.join(", ")}${closing}`;
  if (line.length <= WIDTH - 28 && !line.includes("\n")) return line;
  const inner = "    ".repeat(depth + 1);
  return `${opening}\n${items.map((item) => `${inner}${item},\n`).join("")}${"    ".repeat(depth)}${closing}`;
}

/** JSON's escapes are Python's, but for what JSON writes as two halves of a character. */
function quoted(value: string): string {
  return escapeHidden(JSON.stringify(value), escapeCodePoint);
}

/** A text of several lines, as it reads. */
function longText(value: string): string {
  if (hasHidden(value)) return quoted(value);
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
    return this.named(type)?.properties;
  }

  /** The member of an enum that a value is; undefined where the type is none, or has no such member. */
  memberOf(type: TypeSpec | undefined, value: unknown): string | undefined {
    const member = this.named(type)?.enum?.find((each) => each.value === value);
    if (member === undefined) return undefined;
    return `${type?.$ref?.split(":").at(-1) ?? ""}.${pythonName(member.name).toUpperCase()}`;
  }

  private named(type: TypeSpec | undefined): NamedType | undefined {
    return this.schema.types[type?.$ref?.replace("#/types/", "") ?? ""];
  }
}

let schema: Schema | undefined;

function readSchema(): Schema {
  schema ??= JSON.parse(readFileSync(schemaFile(), "utf8")) as Schema;
  return schema;
}

/** The schema in this package, whether this runs from its build or from its source. */
export function schemaFile(): string {
  const places = ["../../..", "../.."].map((up) => resolve(__dirname, up, "schema.json"));
  const found = places.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error("schema.json is missing from this package. Install pulumi-management again.");
  return found;
}
