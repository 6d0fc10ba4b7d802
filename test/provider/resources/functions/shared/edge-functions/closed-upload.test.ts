import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { missingModules } from "../../../../../../emulator/service/rules/functions/module-graph";
import {
  readSource,
  toUpload,
  type SourceUpload,
} from "../../../../../../provider/resources/functions/shared/edge-functions/source";
import { SourceFault } from "../../../../../../provider/resources/functions/shared/edge-functions/problems";

/** A file of a generated tree, in the folder of a function or in one that functions share. */
interface File {
  readonly path: string;
  readonly imports: readonly Import[];
}

interface Import {
  /** Which of the later files it names. */
  readonly to: number;
  readonly style: keyof typeof STYLES;
  readonly quote: '"' | "'" | "`";
  /** By a name of the import map, where the file has one. */
  readonly isMapped: boolean;
}

/** By a literal and a number that no other line of the module has. */
const STYLES = {
  statement: (literal: string, line: number) => `import x${line} from ${literal};`,
  effect: (literal: string) => `import ${literal};`,
  all: (literal: string) => `export * from ${literal};`,
  named: (literal: string, line: number) => `export { default as d${line} } from ${literal};`,
  type: (literal: string, line: number) => `import type { A as A${line} } from ${literal};`,
  dynamic: (literal: string) => `await import( /* later */ ${literal});`,
  text: (literal: string, line: number) => `import t${line} from ${literal} with { type: "text" };`,
};
/** A template stands in calls only. */
const quoteFor = ({ style, quote }: Import): string => (quote === "`" && style !== "dynamic" ? '"' : quote);

const NOISE = [
  '// import "./nowhere.ts"',
  "/* export * from './nowhere.ts' */",
  "const s = 'import \"./nowhere.ts\"';",
  'const t = `${[`import "./nowhere.ts"`]} \' "`;',
  "const r = /['\"`] import '.\\/nowhere'/.test(s) ? 1 / 2 : 3 / 4;",
];

const name = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 6 })
  .filter((text) => !text.includes("/") && !text.includes("\0") && Buffer.from(text).toString() === text)
  .map((text) => `f${text}`);
const special = fc.constantFrom(
  "$id",
  "a b",
  "it's",
  'say "x"',
  "a#b",
  "a?b",
  "100%",
  "%41",
  "a\\b",
  "[x]",
  "{y}",
  "`z`",
  "ü",
  "a&b",
  "a\nb",
);
const segment = fc.oneof(name, special);
const ending = fc.constantFrom(".ts", ".ts", ".mjs", ".json", ".txt");
const path = fc
  .tuple(
    fc.constantFrom("functions/hello", "functions/_shared", "lib"),
    fc.array(segment, { maxLength: 2 }),
    segment,
    ending,
  )
  .map(([root, folders, file, end]) => [root, ...folders, `${file}${end}`].join("/"));
const imported = fc.record<Import>({
  to: fc.nat(),
  style: fc.constantFrom(...(Object.keys(STYLES) as (keyof typeof STYLES)[])),
  quote: fc.constantFrom('"', "'", "`"),
  isMapped: fc.boolean(),
});
const tree = fc
  .uniqueArray(path, { minLength: 1, maxLength: 8 })
  .filter((paths) => paths.every((one) => !paths.some((other) => other.startsWith(`${one}/`))))
  .chain((paths) =>
    fc.tuple(
      ...["functions/hello/index.ts", ...paths].map((each) =>
        fc.record<File>({ path: fc.constant(each), imports: fc.array(imported, { maxLength: 3 }) }),
      ),
    ),
  );

const isModule = (file: string): boolean => /\.(?:ts|mjs)$/.test(file);

/** The URL of a file relative to another one. */
function relative(from: string, to: string): string {
  const up = "../".repeat(from.split("/").length - 1);
  return (up === "" ? "./" : up) + escaped(to);
}

function escaped(file: string): string {
  return file.replace(/[%?#\\ \p{Cc}]/gu, (each) =>
    each === " " ? " " : `%${each.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

function literalOf(text: string, quote: string): string {
  const inside = text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replaceAll("${", "\\${")
    .replace(/[\n\r\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return quote + inside + quote;
}

const IMPORT_MAP = {
  imports: { "$shared/": "./_shared/", "lib/": "./nowhere/" },
  scopes: { "./": { "lib/": "../lib/" }, "../lib/": { "lib/": "../lib/" } },
};

function specifierOf(from: string, to: string, isMapped: boolean): string {
  if (isMapped && to.startsWith("functions/_shared/"))
    return escaped(`$shared/${to.slice("functions/_shared/".length)}`);
  if (isMapped && to.startsWith("lib/")) return escaped(to);
  return relative(from, to);
}

/** What a file imports, by path. */
function importsIn(files: readonly File[], at: number): { to: string; by: Import }[] {
  const { path: from, imports } = files[at] ?? { path: "", imports: [] };
  const later = files.slice(at + 1);
  if (!isModule(from) || later.length === 0) return [];
  return imports.map((by) => ({ to: later[by.to % later.length]?.path ?? "", by }));
}

/** The paths that are reached from some, by imports of some styles. */
function reach(
  files: readonly File[],
  from: readonly string[],
  isFollowed: (by: Import) => boolean,
): string[] {
  const reached = new Set(from);
  files.forEach((file, at) => {
    if (!reached.has(file.path)) return;
    for (const { to, by } of importsIn(files, at)) if (isFollowed(by)) reached.add(to);
  });
  return [...reached].sort();
}

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "closed-upload-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: readonly File[]): void {
  rmSync(root, { recursive: true, force: true });
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  put(".git/HEAD", "");
  put("functions/import_map.json", JSON.stringify(IMPORT_MAP));
  files.forEach(({ path: file }, at) => {
    const lines = importsIn(files, at).map(({ to, by }, line) => {
      const style = by.style === "type" && file.endsWith(".mjs") ? "statement" : by.style;
      return STYLES[style](literalOf(specifierOf(file, to, by.isMapped), quoteFor(by)), line);
    });
    put(file, [...NOISE, ...lines].sort().join("\n"));
  });
}

const upload = (): SourceUpload => toUpload(readSource({ sourceDir: join(root, "functions/hello") }));
/** Paths of an upload begin below a folder that holds all files and all ways to them. */
const fromTree = (paths: readonly string[]): string[] => {
  const isWhole = paths.some((each) => each.startsWith("functions/"));
  return paths.map((each) => (isWhole ? each : `functions/${each}`)).sort();
};

it("an upload has every file that a module of the function imports, whatever its name is and however it is written", () => {
  fc.assert(
    fc.property(tree, (files) => {
      write(files);
      const own = files.map(({ path: file }) => file).filter((file) => file.startsWith("functions/hello/"));
      const expected = [...reach(files, own, () => true), "functions/import_map.json"];
      const sent = upload().files.map((file) => file.name);
      expect(fromTree(sent)).toEqual(expected.sort());
    }),
    { numRuns: 100 },
  );
});

it("the emulator bundles what is closed, and neither it nor a check takes what lacks a file", () => {
  fc.assert(
    fc.property(tree, fc.nat(), (files, choice) => {
      write(files);
      const { files: sent, entrypoint, importMap = null } = upload();
      const all = new Map(sent.map(({ name: file, content }) => [file, content]));
      expect(missingModules(all, entrypoint, importMap)).toEqual([]);
      const isStatement = ({ style }: Import): boolean => style !== "type" && style !== "dynamic";
      const needed = reach(files, ["functions/hello/index.ts"], isStatement).slice();
      const others = needed.filter((file) => file !== "functions/hello/index.ts");
      const gone = others[choice % Math.max(1, others.length)];
      if (gone === undefined) return;
      for (const file of all.keys()) if (gone.endsWith(file)) all.delete(file);
      expect(missingModules(all, entrypoint, importMap)).not.toEqual([]);
      rmSync(join(root, gone));
      expect(upload).toThrow(SourceFault);
    }),
    { numRuns: 100 },
  );
});
