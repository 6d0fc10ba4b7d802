import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { parse } from "yaml";
import { startEmulator, type Emulator } from "../../emulator";
import { run } from "../../import/run";
import { isObject } from "../../spec/is-object";
import { growCompanyProject } from "../../tools/engine/grown-project";
import { startAnswerProxy, type AnswerProxy } from "../kit/answer-proxy";
import { HOSTILE_TEXTS, UNSEEN } from "../kit/hostile-texts";
import { inTier } from "../kit/tier";
import { hostileAnswer, MARK, type Place } from "../kit/hostile-answers";

/** All at once, and each by itself. */
const PAYLOADS: Readonly<Record<string, string>> = {
  "all of them": Object.values(HOSTILE_TEXTS).join("\n").toWellFormed(),
  ...HOSTILE_TEXTS,
};
const LANGUAGES = ["typescript", "python", "yaml"] as const;
type Language = (typeof LANGUAGES)[number];
const SOURCES = { typescript: /\.ts$/, python: /\.py$/, yaml: /^Pulumi\.yaml$/ };

/** What the files of a program may be, by their paths in its folder. */
const WRITTEN =
  /^(?:(?:index|options|project|\w+)\.(?:ts|py)|__main__\.py|Pulumi\.yaml|package\.json|tsconfig\.json|requirements\.txt|import\.json|README\.md|\.gitignore|\.env\.example|migrations(?:\/[^/]+\.sql)?|(?:deployed-)?functions(?:\/[\w-]+(?:\/.+)?)?)$/;

let emulator: Emulator;
let proxy: AnswerProxy;
let ref: string;
let folder: string;
const began = process.cwd();
beforeAll(async () => {
  emulator = await startEmulator({ pace: 0 });
  ref = await growCompanyProject(emulator);
  emulator.control.call("deployFunction", {
    ref,
    slug: "marked",
    body: {
      file: ["index.ts", "data.txt"].map((name) => ({
        name,
        content: Buffer.from(`// ${MARK}\n/* ${MARK} */\n`),
      })),
      metadata: { entrypoint_path: "index.ts" },
    },
  });
  // Of what the token may not read, the reason is the service's own text.
  for (const operation of ["listSsoProviders", "getStorageConfig"] as const)
    emulator.control.addFault({ operation, status: 403, times: 10_000 });
  proxy = await startAnswerProxy(emulator.url);
  folder = mkdtempSync(join(tmpdir(), "hostile-import-"));
});
afterAll(async () => {
  process.chdir(began);
  rmSync(folder, { recursive: true, force: true });
  await proxy.close();
  await emulator.close();
});

const WORD = "plain";

interface Harmless {
  readonly statements: readonly string[];
  /** What a shell has of `.env.example`. */
  readonly variables: readonly string[];
  readonly seen: ReadonlySet<Place>;
}

interface Imported {
  readonly out: string;
  readonly said: string;
  readonly code: number;
  /** Files outside of the program's folder. */
  readonly outside: readonly string[];
  readonly seen: ReadonlySet<Place>;
}

let count = 0;

/** Runs the command where every answer has another text at every place; `only` says at which where it is given. */
async function importWith(
  text: string,
  language: Language,
  {
    only,
    ofIdentifiers = false,
  }: { readonly only?: ReadonlySet<Place>; readonly ofIdentifiers?: boolean } = {},
): Promise<Imported> {
  count += 1;
  const above = join(folder, `run-${count}`);
  const out = join(above, "program");
  mkdirSync(above);
  process.chdir(above);
  // The budget of a minute is for one run.
  emulator.control.advance(120_000);
  const seen = new Set<Place>();
  const isHostile = (place: Place): boolean => only === undefined || only.has(place);
  const disturbed = proxy.disturb({
    rewrite: (answer, { operation }) =>
      operation === undefined
        ? {}
        : hostileAnswer(answer, operation, { text, isHostile, seen, ofIdentifiers }),
  });
  let said = "";
  const add = (line: string): void => void (said += line);
  const code = await run(
    ["--project", ref, "--out", out, "--no-import", "--full", "--language", language],
    { out: add, err: add },
    {
      MANAGEMENT_BASE_URL: proxy.url,
      MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
      PATH: process.env["PATH"],
    },
  );
  disturbed.end();
  process.chdir(began);
  const outside = readdirSync(above, { recursive: true, encoding: "utf8" }).filter(
    (path) => path !== "program" && !path.startsWith("program/"),
  );
  return { out, said, code, outside, seen };
}

function filesIn(out: string): string[] {
  return readdirSync(out, { recursive: true, encoding: "utf8" });
}

function sourcesOf({ out }: Imported, language: Language): string[] {
  return readdirSync(out)
    .filter((name) => SOURCES[language].test(name))
    .toSorted();
}

/** Each statement of a program, by its kind and the class that it makes; of YAML, each resource by its type. */
function statementsOf(imported: Imported, language: Language): string[] {
  const texts = sourcesOf(imported, language).map((name) => readFileSync(join(imported.out, name), "utf8"));
  const found = { typescript: statementsOfTypeScript, python: statementsOfPython, yaml: statementsOfYaml }[
    language
  ](texts);
  return found.toSorted();
}

function statementsOfTypeScript(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const source = ts.createSourceFile("index.ts", text, ts.ScriptTarget.ES2022, true);
    const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
    const calls: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) || ts.isCallExpression(node)) calls.push(node.expression.getText());
      ts.forEachChild(node, visit);
    };
    visit(source);
    return [
      ...source.statements.map(({ kind }) => ts.SyntaxKind[kind]),
      ...calls,
      ...diagnostics.map(String),
    ];
  });
}

const READ_PYTHON = `
import ast, json, sys
def read(text):
    tree = ast.parse(text)
    calls = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [type(each).__name__ for each in tree.body] + calls
print(json.dumps([line for text in json.load(sys.stdin) for line in read(text)]))
`;

function statementsOfPython(texts: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync("python3", ["-c", READ_PYTHON], {
    input: JSON.stringify(texts),
    encoding: "utf8",
  });
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout) as string[];
}

/** What Pulumi would evaluate: references, and calls by their keys. */
function statementsOfYaml(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const program = parse(text) as Readonly<Record<string, unknown>>;
    const { resources = {} } = program;
    const evaluated: string[] = [];
    const visit = (value: unknown): void => {
      if (typeof value === "string")
        for (const [found] of value.replaceAll("$$", "").matchAll(/\$\{[^}]*\}?/g)) evaluated.push(found);
      if (Array.isArray(value)) value.forEach(visit);
      if (!isObject(value)) return;
      for (const [key, each] of Object.entries(value)) {
        if (/^fn::/i.test(key)) evaluated.push(key);
        visit(key);
        visit(each);
      }
    };
    visit(program);
    const types = Object.values(resources as Readonly<Record<string, { type: string }>>).map(
      ({ type }) => type,
    );
    // A name is made of what the service calls a thing.
    const references = new Set(
      evaluated.map((each) =>
        each.replace(/^\$\{[a-z0-9][\w-]*\.ref\}$/, "${….ref}").replace(/^\$\{[a-z0-9][\w-]*\}$/, "${…}"),
      ),
    );
    return [...Object.keys(program), ...types, ...references];
  });
}

/** The variables that a shell has of a file which it sources. */
function variablesIn(file: string): string[] {
  const { stdout, stderr } = spawnSync("/bin/sh", ["-c", 'set -a; . "$0"; /usr/bin/env -0', file], {
    env: { PATH: "/usr/bin:/bin" },
    encoding: "utf8",
  });
  if (stderr !== "") throw new Error(stderr);
  return stdout
    .split("\0")
    .flatMap((line) => (line === "" ? [] : [line.slice(0, line.indexOf("="))]))
    .filter((name) => !["PATH", "PWD", "OLDPWD", "SHLVL", "_"].includes(name))
    .toSorted();
}

/** What is wrong with what a run has written and said; empty where the texts stayed texts. */
function faultsOf(
  imported: Imported,
  text: string,
  language: Language,
  { statements: wanted, variables: names }: Harmless,
): string[] {
  const { out, said, code, outside } = imported;
  if (code !== 0) return [`the command ended with ${code}: ${imported.said.slice(-500)}`];
  const statements = statementsOf(imported, language);
  const left = [...wanted];
  const more = statements.filter((each) => {
    const at = left.indexOf(each);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  const ours = filesIn(out).filter(
    (path) => statSync(join(out, path)).isFile() && !/^(?:(?:deployed-)?functions|migrations)\//.test(path),
  );
  const own = /^[A-Za-z_]\w*$/.test(text) ? [text] : [];
  const expected = names.flatMap((name) => (name === WORD ? own : [name])).toSorted();
  const variables = variablesIn(join(out, ".env.example"));
  return [
    ...more.map((each) => `has one ${each} more`),
    ...(left.length === 0 || isUndeclarable(imported, language) ? [] : [`lacks ${left.join(", ")}`]),
    ...outside.map((path) => `wrote ${path}`),
    ...filesIn(out)
      .filter((path) => !WRITTEN.test(path))
      .map((path) => `wrote ${JSON.stringify(path)} in the folder`),
    ...(UNSEEN.test(said) ? ["printed what is not seen"] : []),
    ...(said.match(/^\s*::.*|##\[.*|##vso\[.*/gm) ?? []).map((line) => `printed the command ${line}`),
    ...(existsSync(join(out, "node_modules")) ? ["wrote node_modules"] : []),
    ...ours
      .filter((path) => UNSEEN.test(readFileSync(join(out, path), "utf8")))
      .map((path) => `${path} has what is not seen`),
    ...(JSON.stringify(variables) === JSON.stringify(expected)
      ? []
      : [`gives a shell ${variables.join(", ")}`]),
    ...readdirSync("/tmp")
      .filter((name) => name.startsWith("pwned"))
      .map((name) => `made /tmp/${name}`),
  ];
}

/** What YAML has no form for is not declared, and the README says so. */
function isUndeclarable({ out }: Imported, language: Language): boolean {
  return language === "yaml" && readFileSync(join(out, "README.md"), "utf8").includes("Use another language");
}

/** One place at which the text alone does what it does at all of them. */
async function bisect(
  places: readonly Place[],
  isWrong: (only: ReadonlySet<Place>) => Promise<boolean>,
): Promise<readonly Place[]> {
  if (places.length <= 1) return places;
  const half = Math.ceil(places.length / 2);
  for (const part of [places.slice(0, half), places.slice(half)])
    if (await isWrong(new Set(part))) return bisect(part, isWrong);
  return places;
}

const harmless = new Map<string, Promise<Harmless>>();

/** The same run with a harmless word, or with what the answers have themselves. */
function harmlessRun(language: Language, kind: "a word" | "unchanged" = "a word"): Promise<Harmless> {
  const key = `${language} ${kind}`;
  const known = harmless.get(key);
  if (known !== undefined) return known;
  const only = kind === "unchanged" ? { only: new Set<Place>() } : {};
  const made = importWith(WORD, language, only).then((imported) => ({
    statements: statementsOf(imported, language),
    variables: variablesIn(join(imported.out, ".env.example")),
    seen: imported.seen,
  }));
  harmless.set(key, made);
  return made;
}

const cases = LANGUAGES.flatMap((language) => Object.keys(PAYLOADS).map((name) => ({ language, name })));

it.each(inTier(cases, ({ name }) => name === "all of them"))(
  "an import in $language with $name in every text of every answer has the statements of a harmless one",
  async ({ language, name }) => {
    const text = PAYLOADS[name] ?? "";
    const plain = await harmlessRun(language);
    const faultsAt = async (only?: ReadonlySet<Place>): Promise<string[]> =>
      faultsOf(await importWith(text, language, only === undefined ? {} : { only }), text, language, plain);
    const faults = await faultsAt();
    if (faults.length === 0) return;
    const places = await bisect([...plain.seen], async (only) => (await faultsAt(only)).length > 0);
    throw new Error(`${places.join(", ")}:\n${faults.join("\n")}`);
  },
);

it.each(inTier(LANGUAGES, (language) => language === "yaml"))(
  "%s: there are texts, and a program, to try it on",
  async (language) => {
    const { statements, seen } = await harmlessRun(language);
    expect(seen.size).toBeGreaterThan(90);
    expect(statements.length).toBeGreaterThan(20);
  },
);

it.each(inTier(cases, ({ name, language }) => name === "all of them" && language === "typescript"))(
  "an import in $language with $name as every identifier of every listing writes nothing else, and goes on",
  async ({ language, name }) => {
    const text = PAYLOADS[name] ?? "";
    const plain = await harmlessRun(language, "unchanged");
    const imported = await importWith(text, language, { ofIdentifiers: true });
    const faults = faultsOf(imported, text, language, plain).filter((fault) => !fault.startsWith("lacks "));
    expect(imported.seen.size).toBeGreaterThan(10);
    expect(faults).toEqual([]);
    expect(statementsOf(imported, language).length).toBeGreaterThan(10);
    const readme = readFileSync(join(imported.out, "README.md"), "utf8");
    expect(readme).toContain("which is not of the documented form. The object was left out.");
  },
);
