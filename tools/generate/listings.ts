import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allResources } from "../../provider/catalog/catalog";
import { firstProgram } from "../schema/examples/first-program";
import { programsOf } from "../schema/examples/programs";
import { SdkTypes } from "../schema/examples/sdk-types";
import { packageContents, surface } from "../schema/package-schema";
import { partition } from "../schema/reference/index-page";
import { code, fenced, pageName, table } from "../schema/reference/markdown";

/** What a hand-written page lists of the catalog, by the name that its comments there have. */
type Listings = Readonly<Record<string, string>>;

const imports: Listings = {
  "import ids": table(
    ["Resource", "Import ID", "Where to find the last part"],
    partition(allResources())[0].map(({ type, importId }) => [
      `[${type}](reference/resources/${pageName(type)}.md)`,
      importId.refusal === undefined ? code(importId.format) : importId.format,
      importId.whereFound,
    ]),
  ),
};

const overview: Listings = { "first program": languageChooser() };

/** The first program in every language, as a page of a registry lets its reader choose one. */
function languageChooser(): string {
  const { typescript, python, go, csharp, java, yaml } = programsOf(
    firstProgram,
    new SdkTypes(packageContents(surface)),
  );
  const shown = Object.entries({ typescript, python, go, csharp, java, yaml });
  const choices = shown.map(
    ([language, program]) =>
      `{{% choosable language ${language} %}}\n\n${fenced(language, program)}\n\n{{% /choosable %}}`,
  );
  const languages = shown.map(([language]) => language).join();
  return [`{{< chooser language "${languages}" >}}`, ...choices, "{{< /chooser >}}"].join("\n\n");
}

/** A page with its lists of what the catalog has written anew, each between two comments. */
function listing(page: string, listings: Listings): (root: string) => string {
  return (root) =>
    Object.entries(listings).reduce(
      (text, [name, listed]) => {
        const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
        const [before, rest] = split(text, begin, page);
        const [, after] = split(rest, end, page);
        return `${before}${begin}\n\n${listed}\n\n${end}${after}`;
      },
      readFileSync(join(root, page), "utf8"),
    );
}

function split(text: string, at: string, page: string): [before: string, after: string] {
  const [before = "", after, ...others] = text.split(at);
  if (after === undefined || others.length > 0) throw new Error(`${page} needs \`${at}\` once.`);
  return [before, after];
}

export const importText = listing("docs/import.md", imports);
export const overviewText = listing("docs/_index.md", overview);
