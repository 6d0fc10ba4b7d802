import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allResources } from "../../provider/catalog";
import { markedFields } from "../../provider/define/markers";
import { firstSentence, partition } from "../schema/reference/index-page";
import { code, codes, pageName, table } from "../schema/reference/markdown";

/** What a hand-written page lists of the catalog, by the name that its comments there have. */
type Listings = Readonly<Record<string, string>>;

const isInProject = ({ inputs }: { inputs: { shape: object } }): boolean => "projectRef" in inputs.shape;

/** What a program begins with comes first. */
const byRank = [
  ...allResources().filter((resource) => !isInProject(resource)),
  ...allResources().filter(isInProject),
];

const [kept, actions] = partition(byRank);

const overview: Listings = {
  resources: table(
    ["Resource", "What it is", "Replaced when these change; all else changes in place"],
    kept.map(({ type, description, inputs }) => [
      `[${type}](reference/resources/${pageName(type)}.md)`,
      firstSentence(description),
      codes(
        markedFields(inputs).flatMap(([name, , { replaces }]) =>
          replaces === undefined || name === "projectRef" ? [] : name,
        ),
      ) || "–",
    ]),
  ),
  actions: table(
    ["Action", "What it does"],
    actions.map(({ type, description }) => [
      `[${type}](reference/resources/${pageName(type)}.md)`,
      firstSentence(description),
    ]),
  ),
};

const imports: Listings = {
  "import ids": table(
    ["Resource", "Import id", "Where to find the last part"],
    partition(allResources())[0].map(({ type, importId }) => [
      `[${type}](reference/resources/${pageName(type)}.md)`,
      importId.refusal === undefined ? code(importId.format) : importId.format,
      importId.whereFound,
    ]),
  ),
};

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

export const resourcesText = listing("docs/resources.md", overview);
export const importText = listing("docs/import.md", imports);
