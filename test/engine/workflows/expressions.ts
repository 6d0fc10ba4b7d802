import type * as expressions from "@actions/expressions" with { "resolution-mode": "import" };
import { runInThisContext } from "node:vm";
import { buildSync } from "esbuild";

type Library = typeof expressions;

type Bundle = (module: { exports: unknown }, exports: unknown) => void;

/** GitHub's own evaluator of `${{ }}`, an ES module, bundled as the tests load CommonJS alone. */
function load(): Library {
  const { outputFiles } = buildSync({
    entryPoints: [require.resolve("../../../node_modules/@actions/expressions/dist/index.js")],
    ...{ bundle: true, format: "cjs", platform: "node", write: false, logLevel: "silent" },
  });
  const module: { exports: unknown } = { exports: {} };
  const run = runInThisContext(`(module, exports) => {${outputFiles[0]?.text ?? ""}\n}`) as Bundle;
  run(module, module.exports);
  return module.exports as Library;
}

const { Lexer, Parser, Evaluator, data } = load();

/** What the expressions of a step may speak of; anything else is an error. */
export type Contexts = Readonly<Record<string, unknown>>;

export type JobStatus = "success" | "failure";

/** The value of an expression, without its `${{ }}`. */
export function evaluate(expression: string, contexts: Contexts, status: JobStatus): unknown {
  const { tokens } = new Lexer(expression).lex();
  const functions = Object.entries({
    success: status === "success",
    failure: status === "failure",
    always: true,
  }).map(([name, holds]) => ({
    ...{ name, minArgs: 0, maxArgs: 0 },
    call: () => new data.BooleanData(holds),
  }));
  const parsed = new Parser(tokens, Object.keys(contexts), functions).parse();
  const known = JSON.parse(JSON.stringify(contexts), data.reviver) as InstanceType<typeof data.Dictionary>;
  const byName = new Map(functions.map((each) => [each.name, each]));
  const result = new Evaluator(parsed, known, byName).evaluate();
  return JSON.parse(JSON.stringify(result, data.replacer)) as unknown;
}

/** A text with the values of the expressions in it. */
export function interpolate(text: string, contexts: Contexts, status: JobStatus = "success"): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => {
    const value = evaluate(expression.trim(), contexts, status);
    if (value === null || value === undefined) return "";
    if (typeof value === "object") throw new Error(`${expression} is no text`);
    return `${value as string | number | boolean}`;
  });
}

/** Whether something with this `if` runs; without a status function it needs success. */
export function holds(condition: string | undefined, contexts: Contexts, status: JobStatus): boolean {
  if (condition === undefined) return status === "success";
  const asks = /\b(?:success|failure|always)\(\)/.test(condition);
  if (!asks && status !== "success") return false;
  return Boolean(evaluate(condition, contexts, status));
}
