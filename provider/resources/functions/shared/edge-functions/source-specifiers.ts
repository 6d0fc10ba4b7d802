import type { ParserOptions, ParserPlugin } from "@babel/parser";
import { extname } from "node:path";
import { isObject } from "../../../../../spec/is-object";
import { sha256 } from "../../../../core/sha256";
import { isDeclaration } from "./source-imports";

/** What a module names by a literal specifier. */
export interface ModuleImport {
  readonly specifier: string;
  readonly line: number;
  /**
   * Whether a bundle needs what it names: not where it is a type, which a bundler erases, nor where the module only
   * asks for its address or calls a `require` of its own.
   */
  readonly isRequired: boolean;
  /** It is required by a call, which may never be made. */
  readonly isCall?: true;
}

/** Why a module cannot be parsed. */
export interface SyntaxFault {
  /** Undefined where the parser does not say. */
  readonly line: number | undefined;
  /** A sentence without its end, as `Unexpected token`. */
  readonly reason: string;
}

/** What a module imports or re-exports, by statements and by calls, in the order of its text; or why it cannot be parsed. */
export function findImports(text: string, path: string): ModuleImport[] | SyntaxFault {
  const key = `${sha256(text)} ${extname(path)} ${isDeclaration(path)}`;
  const known = read.get(key) ?? readImports(text, path);
  read.set(key, known);
  return known;
}

/** What a module imports depends on its text and its ending alone, and functions share modules. */
const read = new Map<string, ModuleImport[] | SyntaxFault>();

function readImports(text: string, path: string): ModuleImport[] | SyntaxFault {
  const module = parseModule(text, path);
  if (!("program" in module)) return module;
  const imports: { readonly found: ModuleImport; readonly start: number }[] = [];
  const waiting: unknown[] = [module.program];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (Array.isArray(node)) {
      for (const each of node as unknown[]) waiting.push(each);
    } else if (isObject(node) && typeof node["type"] === "string") {
      const named = readers[node["type"]]?.(node);
      const { start, line } = placeOf(node);
      if (named !== undefined) imports.push({ found: { ...named, line }, start });
      for (const [key, child] of Object.entries(node)) if (!NO_CHILDREN.has(key)) waiting.push(child);
    }
  }
  return imports.sort((left, right) => left.start - right.start).map(({ found }) => found);
}

type UnplacedImport = Omit<ModuleImport, "line">;
type SyntaxNode = Readonly<Record<string, unknown>>;

const NO_CHILDREN = new Set(["loc", "extra", "errors", "tokens", "leadingComments", "trailingComments"]);

/** By the type of the node. */
const readers: Readonly<Record<string, ((node: SyntaxNode) => UnplacedImport | undefined) | undefined>> = {
  ImportDeclaration: readStatement,
  ExportAllDeclaration: readStatement,
  ExportNamedDeclaration: readStatement,
  TSImportEqualsDeclaration: ({ moduleReference, importKind }) =>
    named(isObject(moduleReference) ? moduleReference["expression"] : undefined, importKind !== "type"),
  TSImportType: ({ argument }) => named(argument, false),
  ImportExpression: ({ source }) => {
    const found = named(source, true);
    return found && { ...found, isCall: true };
  },
  CallExpression: ({ callee, arguments: args }) =>
    isRequire(callee) || isResolve(callee)
      ? named(Array.isArray(args) ? args[0] : undefined, false)
      : undefined,
};

function readStatement({ source, importKind, exportKind }: SyntaxNode): UnplacedImport | undefined {
  return named(source, importKind !== "type" && exportKind !== "type");
}

function named(literal: unknown, isRequired: boolean): UnplacedImport | undefined {
  const specifier = isObject(literal) ? valueOf(literal) : undefined;
  return specifier === undefined ? undefined : { specifier, isRequired };
}

/** Of a string, or of a template in which nothing is put. */
function valueOf({ type, value, quasis }: SyntaxNode): string | undefined {
  if (type === "StringLiteral") return String(value);
  if (type !== "TemplateLiteral" || !Array.isArray(quasis) || quasis.length !== 1) return undefined;
  const [{ value: only } = {}] = quasis as { readonly value?: { readonly cooked?: string | null } }[];
  return only?.cooked ?? undefined;
}

function isRequire(callee: unknown): boolean {
  return isObject(callee) && callee["type"] === "Identifier" && callee["name"] === "require";
}

/** Whether it is `import.meta.resolve`. */
function isResolve(callee: unknown): boolean {
  if (!isObject(callee) || callee["type"] !== "MemberExpression") return false;
  const { object, property } = callee;
  const isMeta = isObject(object) && object["type"] === "MetaProperty";
  return isMeta && isObject(property) && property["name"] === "resolve";
}

function placeOf(node: SyntaxNode): { readonly line: number; readonly start: number } {
  const { start, loc } = node as {
    readonly start?: number;
    readonly loc?: { readonly start: { line: number } };
  };
  return { start: start ?? 0, line: loc?.start.line ?? 0 };
}

/** What the service's bundler takes beyond the language. */
const EXTENSIONS: readonly ParserPlugin[] = [
  "decoratorAutoAccessors",
  "deprecatedImportAssert",
  "deferredImportEvaluation",
  "explicitResourceManagement",
  "sourcePhaseImports",
];

/** The tree of a module by the first reading of its text that succeeds. */
function parseModule(text: string, path: string): { readonly program: unknown } | SyntaxFault {
  let fault: SyntaxFault | undefined;
  for (const options of listParserOptions(path)) {
    try {
      const { program, errors } = loadParser().parse(text, options);
      const error = errors?.find(({ reasonCode }) => !TOLERATED.has(reasonCode));
      if (error === undefined) return { program };
      fault ??= faultOf(error);
    } catch (error) {
      fault ??= faultOf(error);
    }
  }
  return fault ?? { line: undefined, reason: "It cannot be read" };
}

/** What is no error to a bundler: a name may be declared by a type or by a namespace. */
const TOLERATED = new Set<string>(["ModuleExportUndefined"]);

/** The ending of a path says what a text is, and leaves open what older modules and decorators are. */
function listParserOptions(path: string): ParserOptions[] {
  const isTyped = /\.[cm]?tsx?$/.test(path);
  const plugins: ParserPlugin[] = [
    ...(isTyped ? [["typescript", { dts: isDeclaration(path) }] as ParserPlugin] : []),
    ...(path.endsWith("x") ? ["jsx" as const] : []),
    ...EXTENSIONS,
  ];
  const createParserOptions = (sourceType: "module" | "script", ...more: ParserPlugin[]): ParserOptions => ({
    sourceType,
    plugins: [...plugins, ...more],
    attachComment: false,
    createImportExpressions: true,
    errorRecovery: true,
    allowReturnOutsideFunction: sourceType === "script",
  });
  const modules = [
    createParserOptions("module", "decorators-legacy"),
    createParserOptions("module", "decorators"),
  ];
  if (isTyped) return modules;
  return [
    ...modules,
    ...(path.endsWith("x") ? [] : [createParserOptions("module", "jsx")]),
    createParserOptions("script"),
  ];
}

function faultOf(error: unknown): SyntaxFault {
  if (error instanceof RangeError) return { line: undefined, reason: "It is nested too deeply" };
  const { message, loc } = error as Error & { readonly loc?: { readonly line: number } };
  return { line: loc?.line, reason: message.replace(/\.? \(\d+:\d+\)$/, "") };
}

/** Loaded on first use: few programs have functions. */
function loadParser(): typeof import("@babel/parser") {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at the start
  return require("@babel/parser") as typeof import("@babel/parser");
}
