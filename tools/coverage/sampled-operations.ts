import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const FOLDER = "test/emulator/operations/samples";

/** Operations of which the tests make every kind of call: those that have a sample in the samples' index. */
export function sampledOperations(root: string): ReadonlySet<string> {
  const folder = join(root, FOLDER);
  const index = join(folder, "index.ts");
  if (!existsSync(index)) return new Set();
  const samples = new Map<string, readonly string[]>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".ts"))) {
    for (const [name, object] of objectsIn(join(folder, file))) samples.set(name, namesIn(object));
  }
  return new Set(
    [...objectsIn(index).values()].flatMap((object) =>
      object.properties.flatMap((property) =>
        ts.isSpreadAssignment(property)
          ? (samples.get(property.expression.getText()) ?? [])
          : [property.name.getText()],
      ),
    ),
  );
}

/** The object literals of a file's constants, by name. */
function objectsIn(path: string): Map<string, ts.ObjectLiteralExpression> {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  return new Map(
    source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .flatMap(({ name, initializer }): [string, ts.ObjectLiteralExpression][] => {
        const value =
          initializer !== undefined && ts.isSatisfiesExpression(initializer)
            ? initializer.expression
            : initializer;
        return value !== undefined && ts.isObjectLiteralExpression(value) ? [[name.getText(), value]] : [];
      }),
  );
}

function namesIn(object: ts.ObjectLiteralExpression): string[] {
  return object.properties.flatMap(({ name }) => (name === undefined ? [] : [name.getText()]));
}
