import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf } from "../../provider/define/markers";
import type { AnyResource } from "../../provider/define/resource";
import { code, codes, pageName, table } from "../schema/reference/markdown";

/** The README with the table of what this package manages. */
export function readmeText(root: string, resources: readonly AnyResource[]): string {
  const rows = resources.map((resource) => [
    link(resource, "docs/reference"),
    resource.description.split(/\.(?:\s|$)/)[0] ?? "",
    codes(replacing(resource)),
  ]);
  return withTable(
    readFileSync(join(root, "README.md"), "utf8"),
    "resources",
    table(["Resource", "What it manages", "Replaced for a change of"], rows),
  );
}

/** The page on import with the table of import ids. */
export function importPageText(root: string, resources: readonly AnyResource[]): string {
  const rows = resources.map((resource) => [
    link(resource, "reference"),
    code(resource.importId.format),
    resource.importId.source,
  ]);
  return withTable(
    readFileSync(join(root, "docs/import.md"), "utf8"),
    "import ids",
    table(["Resource", "Import id", "Where to find the last part"], rows),
  );
}

function link({ type }: AnyResource, folder: string): string {
  return `[${type}](${folder}/resources/${pageName(type)}.md)`;
}

function replacing({ inputs }: AnyResource): string[] {
  return fieldsOf(inputs).flatMap(([name, , { replaces }]) => (replaces === undefined ? [] : [name]));
}

/** A page whose generated table is between two comments that name it. */
function withTable(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)];
  if (start === -1 || stop < start)
    throw new Error(`The page lacks the comments \`${begin}\` and \`${end}\`.`);
  return `${page.slice(0, start)}${begin}\n\n${text}\n\n${page.slice(stop)}`;
}
