import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { allResources } from "../provider/catalog/catalog";
import { collectMessages } from "../tools/messages/collect";
import { collectProblems, everyCall } from "../tools/schema/reference/error-table";

// Every text of ours that a page quotes is one that we print: a page found by itself, a quote by its form.

const root = dirname(__dirname);
/** The reference is generated of the messages themselves, a decision tells what was, and one page what the service says. */
const pages = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "emulator/README.md"],
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((path) => `docs/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md") && !/^docs\/(?:reference\/|decisions\/|service\.md)/.test(path)),
];

/** What others print, by who does. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  Pulumi: [
    "failed to load checkpoint: EOF",
    "1 pending operations from previous deployment",
    "method GenerateProgram not implemented",
    "method GeneratePackage not implemented",
    "the stack is currently locked",
    "the stack is currently locked by 1 lock(s)",
    "Another update is currently in progress",
  ],
  pg_dump: ["aborting because of server version mismatch"],
  curl: ["Could not resolve host"],
};

/** Code that has words: a command, SQL, an object, a list of fields. */
const CODE =
  /^(?:npm|npx|pulumi|git|create|alter|select|insert|drop) |^\{|^projects\.<ref>|^operation\?:|^[ +~-]+ pulumi|^\d+\.\d\d s /;
const DRAWING = /[│├└]|^\S+\.json {2,}/;

const WORD = /^[A-Za-z][A-Za-z'’-]*[,.:;]?$/;

function isSentence(text: string): boolean {
  return text.split(" ").filter((word) => WORD.test(word)).length >= 4;
}

const asOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Each quote with the parts of which one by one has to be real where it is not as a whole. */
function quotesIn(page: string): string[][] {
  const text = readFileSync(join(root, page), "utf8");
  const prose = text.replaceAll(/^( *)```.*?^\1```$/gms, "");
  const spans = [...prose.matchAll(/“([^”]*)”|`([^`]+)`|"([^"\n]+)"/g)].map(([, curly, code, straight]) => [
    asOneLine(curly ?? code ?? straight ?? ""),
  ]);
  const blocks = [...text.matchAll(/^( *)```text\n(.*?)^\1```$/gms)]
    .map(([, , block = ""]) => block)
    .filter((block) => !DRAWING.test(block) && !CODE.test(block))
    .map((block) => [asOneLine(block), ...block.split("\n").map(asOneLine)]);
  const isForeign = (each: string): boolean =>
    CODE.test(each) || Object.values(OF_OTHERS).flat().includes(each);
  const isPlan = (each: string): boolean => /^[a-z][a-z ]*: \S/.test(each);
  return [
    ...spans.map((parts) => parts.filter(isSentence)),
    ...blocks.map((parts) => parts.filter((each) => isSentence(each) || isPlan(each))),
  ]
    .map((parts) => parts.filter((each) => !isForeign(each)))
    .filter((parts) => parts.length > 0);
}

/** The texts that we print, with `{…}` for what varies. */
function templates(): string[] {
  const problems = [
    ...Object.values(everyCall),
    ...allResources().flatMap((each) => Object.values(collectProblems(each))),
  ].map(({ says, remedy }) =>
    says.replace(/(: )?\{remedy\}/, (_, colon?: string) =>
      colon === undefined ? remedy : `: ${remedy.slice(0, 1).toLowerCase()}${remedy.slice(1)}`,
    ),
  );
  const folders = ["provider", "previews", "import", "trace", "emulator", "spec", "tools", "test"];
  const written = collectMessages(folders).filter(({ file }) => file !== "test/docs-quotes.test.ts");
  return [...new Set([...problems, ...written.map(({ text }) => asOneLine(text))])];
}

/** How much of a quote has to stand in the template as it is: what varies may be anything. */
const LEAST_LITERAL = 0.55;
const ANYTHING = "\0";

/** Whether the template prints what is quoted, or a text that it stands in; `…` of a quote is what the page leaves out. */
function prints(template: string, quote: string): boolean {
  const real = Array.from(template.replaceAll(/\{[^{}]*\}/g, ANYTHING));
  const quoted = Array.from(quote.replaceAll("…", ANYTHING));
  // The most characters that are equal from a place of the quote and one of the template on; -Infinity where they differ.
  let below = real.map(() => 0).concat(0);
  for (const char of quoted.toReversed()) {
    const next = real.map(() => -Infinity).concat(-Infinity);
    for (let at = real.length; at >= 0; at -= 1) {
      const it = real[at];
      const after = next[at + 1] ?? -Infinity;
      if (char === ANYTHING) next[at] = Math.max(below[at] ?? -Infinity, after);
      else if (it === ANYTHING) next[at] = Math.max(below[at] ?? -Infinity, after);
      else if (it === char) next[at] = 1 + (below[at + 1] ?? -Infinity);
    }
    below = next;
  }
  return Math.max(...below) >= LEAST_LITERAL * quoted.filter((char) => char !== ANYTHING).length;
}

/** Words one after the other, by which the few templates are found that a quote may be of. */
function triples(text: string): string[] {
  const words = text.split(" ");
  return words.slice(2).map((_, at) => words.slice(at, at + 3).join(" "));
}

const known = templates();
/** What a line of a plan begins with, before the names that it lists. */
const planLabels = collectPlanLabels();

function isPrinted(text: string): boolean {
  const quote = text.replaceAll(/"[^"]*"/g, '"…"');
  return (
    planLabels.some((label) => text.startsWith(`${label}: `)) ||
    known.some(
      (template) => triples(quote).some((each) => template.includes(each)) && prints(template, quote),
    )
  );
}

/** A name, a path, a number: what one program has and another has not. */
const VALUE = /^\S*(?:[\d/_…]|\w\.\w|[a-z][A-Z])\S*$/;

/** As a whole, or word by word between the values: a message may be made of several texts. */
function isReal(quote: string): boolean {
  if (isPrinted(quote)) return true;
  const fragments = quote
    .replaceAll(/"[^"]*"|`[^`]*`/g, " … ")
    .split(" ")
    .map((word) => (VALUE.test(word) ? "…" : word))
    .join(" ")
    .split(/ *… *|(?<=[.:]) /)
    .map((fragment) => fragment.replaceAll(/^[,.:;]+|[,.:;]+$/g, "").trim())
    .filter((fragment) => /\w/.test(fragment));
  return fragments.every((fragment) => known.some((template) => template.includes(fragment)));
}

function collectPlanLabels(): string[] {
  const sources = readdirSync(join(root, "provider"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readFileSync(join(root, "provider", path), "utf8"))
    .join("\n");
  const [told, renamed] = [/planLine\(\s*(?:[^"()]*\? )?"([^"]+)"/g, /labels: \{ \w+: "([^"]+)" \}/g].map(
    (form) => [...sources.matchAll(form)].map(([, label = ""]) => label),
  );
  return [...(told ?? []), ...(renamed ?? [])];
}

it("tells a real message from one that differs by a word", () => {
  const template =
    "{type} of {ref}: the service refused to restore {settings}. Nothing was changed. {remedy}.";
  expect(
    prints(template, "AuthConfig of …: the service refused to restore `smtp`. Nothing was changed."),
  ).toBe(true);
  expect(prints(template, "the service refused to restore `smtp`. Nothing was")).toBe(true);
  expect(prints(template, "AuthConfig of …: the service refused to reset `smtp`. Nothing was changed.")).toBe(
    false,
  );
  expect(prints(template, "the service refused to restore `smtp`. Nothing has changed.")).toBe(false);
  expect(prints("{what}: {why}.", "AuthConfig of …: the service refused to restore `smtp`.")).toBe(false);
});

it("tells a message that is made of several texts", () => {
  expect(
    isReal(
      'index.ts:3 imports "./cors", which does not exist: cors.ts exists, and an import needs the full name.',
    ),
  ).toBe(true);
  expect(
    isReal(
      'index.ts:3 imports "./cors", which is nowhere there: cors.ts exists, and an import needs the full name.',
    ),
  ).toBe(false);
});

it("finds quotes of every form", () => {
  const found = pages.flatMap((page) => quotesIn(page).map(([quote = ""]) => quote));
  expect(found.length).toBeGreaterThan(15);
  for (const beginning of [
    "The ApiKey already exists: …",
    "index.ts:3 imports",
    "The names file …/shop/names.json",
  ])
    expect(found.filter((quote) => quote.startsWith(beginning))).toHaveLength(1);
});

it.each(pages)("%s quotes only what is printed", (page) => {
  const wrong = quotesIn(page).flatMap(([whole = "", ...lines]) => {
    if (isReal(whole)) return [];
    return lines.length > 0 ? lines.filter((line) => !isReal(line)) : [whole];
  });
  expect(wrong).toEqual([]);
});
