import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { allResources } from "../provider/catalog/catalog";
import { componentDefinitions } from "../provider/components/components";
import { providerConfig } from "../provider/process/config";
import { languageSections } from "../tools/schema/language-sections";
import { listMarkedFields } from "../provider/define/markers";
import { unplainIn, unplainPhrases } from "./plain-english";

const root = dirname(__dirname);
const pages = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "emulator/README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `docs/${path.replaceAll("\\", "/")}`),
];

function textOf(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

/** The rows of the page's table with that first column, without its heading. */
function rowsOf(page: string, firstColumn: string): string[][] {
  const lines = textOf(page).split("\n");
  const heading = lines.findIndex((line) => new RegExp(`^\\| ${firstColumn} +\\|`).test(line));
  const end = lines.findIndex((line, index) => index > heading && !line.startsWith("|"));
  return lines.slice(heading + 2, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** As Markdown viewers name the heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

describe("the README", () => {
  it("names every resource, action and component", () => {
    const named = rowsOf("README.md", "Area").flatMap(([, types = ""]) =>
      types.split(", ").map((type) => type.replaceAll("`", "")),
    );
    expect(named.sort()).toEqual([...allResources(), ...componentDefinitions].map(({ type }) => type).sort());
  });
});

it("no command for a repository without this package takes another one of the registry by its name", () => {
  const inOwnPackage = /npx management-(?!emulator\b)\w+/;
  expect(rowsOf("README.md", "You want to").filter((row) => inOwnPackage.test(row.join(" ")))).toEqual([]);
});

describe("the page on configuration", () => {
  it("has every setting of the provider, and no other", () => {
    const settings = listMarkedFields(providerConfig).map(([name, field, { secret, description = "" }]) => {
      const [, meaning = "", variable = ""] =
        /^(.*?)(?: \([^)]*\))?\.? Environment: (\w+)\.$/.exec(description) ?? [];
      const isRequired = !field.safeParse(undefined).success;
      const [required, isSecret] = [isRequired, secret === true].map((is) => (is ? "yes" : "no"));
      return [`\`management:${name}\``, `\`${variable}\``, required, isSecret, `${meaning}.`];
    });
    expect(rowsOf("docs/installation-configuration.md", "Setting")).toEqual(settings);
  });

  it("names the packages that the SDKs are generated as", () => {
    const { nodejs, python } = languageSections;
    const text = textOf("docs/installation-configuration.md");
    expect(text).toContain(`\`${nodejs.packageName}\` in TypeScript`);
    expect(text).toContain(`\`${python.packageName}\` in Python`);
  });

  it("has the front matter that the registry reads", () => {
    expect(textOf("docs/installation-configuration.md")).toMatch(
      /^---\ntitle: .+\nmeta_desc: .+\nlayout: package\n---\n/,
    );
  });
});

describe("links", () => {
  it.each(pages)("of %s lead to files and headings that there are", (page) => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map((match) => match[1] ?? "");
    const broken = links.filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(root, target))) return true;
      if (anchor === undefined) return false;
      const headings = [...textOf(target).matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1] ?? ""));
      return !headings.includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe("the documents for users", () => {
  const forContributors =
    /^docs\/(?:decisions|reference)\/|^docs\/(?:architecture|adding-a-resource|releasing|service)\.md$|^CONTRIBUTING/;
  const guides = pages.filter((page) => !forContributors.test(page));

  /** Without code and the lists that are generated, whose words stand elsewhere. */
  const proseOf = (page: string): string =>
    textOf(page)
      .replaceAll(/^( *)```.*?^\1```$/gms, "")
      .replaceAll(/<!-- generated: .*?<!-- end: /gs, "")
      .replaceAll(/\s+/g, " ");

  it.each([...unplainPhrases])("do not say “%s” but “%s”", (phrase) => {
    expect(guides.filter((page) => unplainIn(proseOf(page)).includes(phrase))).toEqual([]);
  });
});

it("lists every decision once in the index of decisions", () => {
  const files = readdirSync(join(root, "docs/decisions")).filter((file) => /^\d{4}-/.test(file));
  const listed = [...textOf("docs/decisions/README.md").matchAll(/^- \[(\d{4})\]\(([^)]+)\)/gm)];
  expect(listed.map(([, , file]) => file).toSorted()).toEqual(files.toSorted());
  expect(listed.filter(([, number = "", file]) => file?.startsWith(`${number}-`) !== true)).toEqual([]);
});
