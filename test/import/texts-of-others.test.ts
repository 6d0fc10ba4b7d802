import { spawnSync } from "node:child_process";
import fc from "fast-check";
import ts from "typescript";
import { parse } from "yaml";
import type { InventoryObject, Inventory } from "../../import/inventory";
import { renderPythonProgram } from "../../import/languages/python";
import { renderTypeScriptProgram } from "../../import/languages/typescript";
import { omitUndeclarable, renderYamlProgram } from "../../import/languages/yaml";
import { buildProgram, type Program } from "../../import/model";
import { createSupportFiles } from "../../import/documents";
import { HOSTILE_TEXTS, hostileText, UNSEEN } from "../kit/hostile-texts";
import { evaluateTypeScript, evaluateYaml } from "./random/evaluate";

const LANGUAGES = ["typescript", "python", "yaml"] as const;
const projectRef = "abcdefghijklmnopqrst";

/** A project in which a text is each name, key and value. */
function inventoryWith(text: string): Inventory {
  const found = (
    type: string,
    label: string,
    inputs: Readonly<Record<string, unknown>>,
  ): InventoryObject => ({
    ...{ type, label, importId: `${projectRef}/${label}` },
    inputs: { projectRef, ...inputs },
  });
  return {
    projectRef,
    name: text,
    objects: [
      { ...found("Project", text, { name: text }), importId: projectRef },
      found("EdgeFunction", text, {
        slug: text,
        files: Object.fromEntries([
          [text, text],
          ["index.ts", `${text}\n${text}`],
        ]),
      }),
      found("ThirdPartyAuth", text, {
        customJwks: { keys: [Object.fromEntries([[text, { [`x${text}`]: text }]])], [`y${text}`]: [text] },
      }),
    ],
    secrets: [{ name: text, compared: "not given" }],
    leftOut: [],
    omitted: [],
    failed: [],
    choices: [],
    differences: [],
  };
}

/** What some version of YAML, JSON or a shell takes for no text. */
const WORDLIKE = [
  ...[
    "y",
    "Y",
    "n",
    "yes",
    "no",
    "On",
    "off",
    "true",
    "False",
    "null",
    "Null",
    "~",
    "123",
    "0123",
    "0o17",
    "0x1",
  ],
  ...[
    "1_000",
    "1:30",
    "1e3",
    "-1",
    "+1",
    ".5",
    "1.",
    ".inf",
    ".NaN",
    "2026-01-01",
    "=",
    "<<",
    "-",
    "---",
    "NaN",
  ],
];

const SECTIONS = ["name", "runtime", "plugins", "resources", "outputs"];

const harmless = buildProgram(inventoryWith("plain"));

/** What a program declares, in the order in which it is written. */
function inputsOf({ resources }: Program): unknown[] {
  return resources.filter(({ comment }) => comment === undefined).map(({ inputs }) => inputs);
}

function statementsOf(text: string): ts.SyntaxKind[] {
  const source = ts.createSourceFile("index.ts", text, ts.ScriptTarget.ES2022);
  return source.statements.map(({ kind }) => kind);
}

/** With references in place of what the program has otherwise. */
function plainValues(value: unknown): string {
  return JSON.stringify(value);
}

describe("a text of the service, as every name, key and value at once", () => {
  it("is in TypeScript the statements of a harmless text, and the value that it was", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const program = buildProgram(inventoryWith(text));
        const written = renderTypeScriptProgram(program);
        const faults = [
          ...(UNSEEN.test(written) ? ["has what is not seen"] : []),
          ...(plainValues(statementsOf(written)) ===
          plainValues(statementsOf(renderTypeScriptProgram(harmless)))
            ? []
            : ["has other statements"]),
          ...(plainValues([...evaluateTypeScript(written, program).values()].map(({ inputs }) => inputs)) ===
          plainValues(inputsOf(program))
            ? []
            : ["has other values"]),
        ];
        if (faults.length > 0) throw new Error(`${faults.join(", ")}:\n${written}`);
      }),
      { numRuns: 60, examples: Object.values(HOSTILE_TEXTS).map((text) => [text] as [string]) },
    );
  });

  it("is in YAML the value that it was, in either version of the language, or is not declared", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const program = buildProgram(omitUndeclarable(inventoryWith(text)));
        const written = renderYamlProgram(program);
        const faults = [
          ...(UNSEEN.test(written) ? ["has what is not seen"] : []),
          ...(plainValues([...evaluateYaml(written, program).values()].map(({ inputs }) => inputs)) ===
          plainValues(inputsOf(program))
            ? []
            : ["has other values"]),
          ...(plainValues(parse(written)) === plainValues(parse(written, { version: "1.1", merge: true }))
            ? []
            : ["has other values in version 1.1"]),
          ...(Object.keys(parse(written) as object).every((key) => SECTIONS.includes(key))
            ? []
            : ["has other sections"]),
          ...(keysIn(parse(written)).some((key) => /^fn::/i.test(key)) ? ["has a call"] : []),
        ];
        if (faults.length > 0) throw new Error(`${faults.join(", ")}:\n${written}`);
      }),
      {
        numRuns: 90,
        examples: [...Object.values(HOSTILE_TEXTS), ...WORDLIKE, "ÿ"].map((text): [string] => [text]),
      },
    );
  });

  it("is in Python the statements of a harmless text, and the value that it was", () => {
    const texts = [...Object.values(HOSTILE_TEXTS), ...fc.sample(hostileText, { numRuns: 150, seed: 41 })];
    const programs = ["plain", ...texts].map((text) => buildProgram(inventoryWith(text)));
    const written = programs.map(renderPythonProgram);
    expect(written.filter((each) => UNSEEN.test(each))).toEqual([]);
    const { stdout, stderr } = spawnSync("python3", ["-c", READ_PYTHON], {
      input: JSON.stringify(written),
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    expect(stderr).toBe("");
    const read = JSON.parse(stdout) as { statements: string[]; texts: string[] }[];
    const [first] = read;
    const faults = read.flatMap(({ statements, texts: values }, index) => {
      const wanted = textsIn(inputsOf(programs[index] ?? harmless));
      const missing = wanted.filter((text) => !values.includes(text));
      return plainValues(statements) === plainValues(first?.statements) && missing.length === 0
        ? []
        : [{ statements, missing, written: written[index] }];
    });
    expect(faults).toEqual([]);
  });
});

it.each(LANGUAGES)(
  "a project that is called as a number, a date or a word of YAML keeps its name in every file in %s",
  (language) => {
    const wrong = WORDLIKE.flatMap((word) => {
      const program = { ...buildProgram(inventoryWith(word)), name: word };
      const { "Pulumi.yaml": project = renderYamlProgram(program), "package.json": npm } = createSupportFiles(
        program,
        language,
        "1.0.0",
      );
      const names = [
        ...(["1.1", "1.2"] as const).map(
          (version) => (parse(project, { version }) as { name: unknown }).name,
        ),
        ...(npm === undefined ? [] : [(JSON.parse(npm) as { name: unknown }).name]),
      ];
      return names.every((name) => name === word) ? [] : [{ word, names }];
    });
    expect(wrong).toEqual([]);
  },
);

/** The kinds of the statements of programs, and all texts in them. */
const READ_PYTHON = `
import ast, json, sys
def read(text):
    tree = ast.parse(text)
    texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return {"statements": [ast.dump(each.value.func) if isinstance(each, ast.Expr) else type(each).__name__ for each in tree.body], "texts": texts}
print(json.dumps([read(each) for each in json.load(sys.stdin)]))
`;

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value === projectRef ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function keysIn(value: unknown): string[] {
  return typeof value === "object" && value !== null
    ? [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(keysIn)]
    : [];
}
