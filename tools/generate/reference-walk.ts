import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ts from "typescript";

/** What the code that is reached from somewhere calls. */
export interface Reach {
  /** Names behind `api.`. */
  readonly calls: ReadonlySet<string>;
}

/** A piece of code in a file. */
export interface Place {
  readonly path: string;
  readonly node: ts.Node;
}

/** A resource or function as the source defines it. */
export interface Definition {
  /** Its `type` or `name`. */
  readonly name: string;
  /** The function that makes it, as `defineResource`. */
  readonly maker: string;
  /** The properties of its object by name. */
  readonly parts: ReadonlyMap<string, Place>;
  /** What the maker itself does. */
  readonly makerPlaces: readonly Place[];
}

interface SourceFile {
  /** Top-level declarations by name. */
  readonly declarations: ReadonlyMap<string, ts.Node>;
  readonly imports: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
}

/** Follows names from declaration to declaration through the sources below `provider/`, without the client. */
export class SourceWalk {
  private readonly files = new Map<string, SourceFile>();

  constructor(private readonly root: string) {}

  /** Every definition made by a call like `defineResource({ type: "ApiKey", … })` in the files of a folder. */
  definitionsIn(folder: string): Definition[] {
    return readdirSync(join(this.root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => posix.join(folder, file.replaceAll("\\", "/")))
      .flatMap((path) =>
        [...this.file(path).declarations.values()].flatMap((node) => {
          const found = definitionIn({ path, node });
          return found === undefined ? [] : [{ ...found, makerPlaces: this.placesOf(path, found.maker) }];
        }),
      );
  }

  /** Everything that is reached from some places. */
  from(...places: readonly Place[]): Reach {
    const calls = new Set<string>();
    const seen = new Set<ts.Node>();
    const pending = [...places];
    for (const at of pending) {
      if (seen.has(at.node)) continue;
      seen.add(at.node);
      for (const { name, member } of namesIn(at.node, calls)) {
        pending.push(...this.placesOf(at.path, name).flatMap((place) => memberOf(place, member)));
      }
    }
    return { calls };
  }

  /** What a name means in a file; nothing where it comes from elsewhere than `provider/`. */
  placesOf(path: string, name: string): Place[] {
    const { declarations, imports } = this.file(path);
    const own = declarations.get(name);
    if (own !== undefined) return [{ path, node: own }];
    const imported = imports.get(name);
    return imported === undefined ? [] : this.placesOf(imported.path, imported.name);
  }

  private file(path: string): SourceFile {
    const known = this.files.get(path);
    if (known !== undefined) return known;
    const text = readFileSync(join(this.root, path), "utf8");
    const parsed = parse(path, ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), (target) =>
      [`${target}.ts`, `${target}/index.ts`].find((candidate) => existsSync(join(this.root, candidate))),
    );
    this.files.set(path, parsed);
    return parsed;
  }
}

function definitionIn({ path, node }: Place): Omit<Definition, "makerPlaces"> | undefined {
  const call = ts.isVariableDeclaration(node) ? node.initializer : undefined;
  if (call === undefined || !ts.isCallExpression(call)) return undefined;
  const [object] = call.arguments;
  const maker = call.expression.getText();
  if (!/^define[A-Z]/.test(maker) || object === undefined || !ts.isObjectLiteralExpression(object))
    return undefined;
  const parts = new Map(
    object.properties.flatMap((part): [string, Place][] =>
      part.name === undefined ? [] : [[part.name.getText(), { path, node: part }]],
    ),
  );
  const named = (parts.get("type") ?? parts.get("name"))?.node;
  const literal = named !== undefined && ts.isPropertyAssignment(named) ? named.initializer : undefined;
  if (literal === undefined || !ts.isStringLiteral(literal)) return undefined;
  return { name: literal.text, maker, parts };
}

function parse(
  path: string,
  source: ts.SourceFile,
  resolve: (target: string) => string | undefined,
): SourceFile {
  const declarations = new Map<string, ts.Node>();
  const imports = new Map<string, { path: string; name: string }>();
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const one of statement.declarationList.declarations) {
        for (const name of boundNames(one.name)) declarations.set(name, one);
      }
    } else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      if (statement.name !== undefined) declarations.set(statement.name.text, statement);
    } else if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const target = resolve(posix.join(dirname(path), statement.moduleSpecifier.text));
      if (target?.startsWith("provider/") !== true || target.startsWith("provider/client/")) continue;
      for (const [local, name] of importedNames(statement)) imports.set(local, { path: target, name });
    }
  }
  return { declarations, imports };
}

function importedNames({ importClause }: ts.ImportDeclaration): [local: string, name: string][] {
  const bindings = importClause?.namedBindings;
  if (importClause === undefined || bindings === undefined || !ts.isNamedImports(bindings)) return [];
  return bindings.elements.map(({ name, propertyName }) => [name.text, (propertyName ?? name).text]);
}

/** `a` and `b` in `const { a, b } = …`. */
function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}

/** Of a definition, only the part that is named, as in `apiKey.read(…)`; anything else whole. */
function memberOf(place: Place, member: string | undefined): Place[] {
  const definition = definitionIn(place);
  if (definition === undefined || member === undefined) return [place];
  const { maker, parts } = definition;
  const part = parts.get(maker === "defineSettings" && member === "read" ? "get" : member);
  return part === undefined ? [] : [part];
}

interface NameUse {
  readonly name: string;
  /** What is taken of it. */
  readonly member?: string | undefined;
}

/** The names that a piece of code uses as values; what it calls behind `api.` goes to `calls`. */
function namesIn(node: ts.Node, calls: Set<string>): NameUse[] {
  const names: NameUse[] = [];
  const visit = (at: ts.Node): void => {
    if (ts.isTypeNode(at)) return;
    if (ts.isPropertyAccessExpression(at)) {
      if (/(?:^|\.)api(?:\.parts)?$/.test(at.expression.getText())) calls.add(at.name.text);
      if (ts.isIdentifier(at.expression)) names.push({ name: at.expression.text, member: at.name.text });
      else visit(at.expression);
      return;
    }
    if (ts.isIdentifier(at) && !isPropertyName(at)) names.push({ name: at.text });
    ts.forEachChild(at, visit);
  };
  visit(node);
  return names;
}

/** `name` in `{ name: value }`, `{ name() {} }` and `const { name: other }` is no use of a value of that name. */
function isPropertyName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node || parent.name === node;
  return (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node;
}
