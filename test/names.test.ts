import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const ROOT = join(__dirname, "..");

/** Each is a product of its own: the emulator shares no code with the provider, and has the API's records by the same names. */
const PRODUCTS = ["spec", "provider", "import", "previews", "trace", "emulator"];

/** Names that say the same everywhere: what the definition of the file infers from its own schemas or sends. */
const OF_EACH_DEFINITION = new Set(["Inputs", "Outputs", "Body", "Answer", "Parameters"]);

interface Declaration {
  readonly name: string;
  readonly file: string;
}

/** Type names and function names that the sources of a product declare. */
function declarationsOf(product: string): {
  readonly types: Declaration[];
  readonly functions: Declaration[];
} {
  const types: Declaration[] = [];
  const functions: Declaration[] = [];
  const files = readdirSync(join(ROOT, product), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/generated|node_modules|^dist/.test(name))
    .map((name) => join(product, name));
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (
        ts.isInterfaceDeclaration(node) ||
        ts.isTypeAliasDeclaration(node) ||
        (ts.isClassDeclaration(node) && node.name !== undefined)
      ) {
        types.push({ name: node.name?.text ?? "", file });
      }
      if (ts.isFunctionDeclaration(node) && node.name !== undefined) {
        functions.push({ name: node.name.text, file });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { types, functions };
}

describe.each(PRODUCTS)("the names of %s", (product) => {
  const { types, functions } = declarationsOf(product);

  it("have no function that begins as a clause", () => {
    expect(functions.length).toBeGreaterThan(5);
    expect(functions.filter(({ name }) => /^(?:or|unless|the|once|while)[A-Z]/.test(name))).toEqual([]);
  });

  it("have one meaning for each type: no two folders declare one of the same name", () => {
    const folders = new Map<string, Set<string>>();
    for (const { name, file } of types.filter((type) => !OF_EACH_DEFINITION.has(type.name))) {
      folders.set(name, (folders.get(name) ?? new Set()).add(dirname(file)));
    }
    const doubles = [...folders].filter(([, places]) => places.size > 1).map(([name]) => name);
    expect(doubles).toEqual([]);
  });
});
