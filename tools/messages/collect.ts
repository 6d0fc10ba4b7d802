import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { findPackageRoot } from "../engine/package-root";

/** A text of the sources that a user can read: of an error, a warning, a help page or a description. */
export interface Message {
  /** Relative to the package's root. */
  file: string;
  line: number;
  /** Values in it are shown as `{expression}`. */
  text: string;
  /** What stands before, between and after the values. */
  parts: readonly string[];
  /** Whether it describes a field, an option or a problem: no error has it. */
  isDescription: boolean;
}

/** What prints or describes: `ctx.warn(…)`, `z.string().describe(…)`, `.option("--json", …)`. */
const SPEAKING_CALLS =
  /^(?:warn|info|progress|say|err|out|describe|description|option|argument|addHelpText)$/;
const SPEAKING_PROPERTIES = /^(?:says|means|remedy|description|reason|why|message|advice)$/;
const DESCRIBING_CALLS = /^(?:describe|description|option|argument|addHelpText|meta)$/;
const DESCRIBING_PROPERTIES = /^(?:means|description)$/;
/** Texts of that many words are read by users wherever they stand, as in a constant that an error takes in. */
const SENTENCE_WORDS = 4;
const SQL = /^\s*(?:--|select|insert|update|delete|create|alter|drop|with|do|begin|set|grant|revoke)\b/i;

const root = findPackageRoot();

/** The texts in the TypeScript files of these folders, by file and line. */
export function collectMessages(folders: readonly string[]): Message[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
      .filter((path) => /\.m?ts$/.test(path) && !path.endsWith(".generated.ts"))
      .toSorted()
      .flatMap(messagesOf),
  );
}

function messagesOf(file: string): Message[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Message[] = [];
  const visit = (node: ts.Node, isRead: boolean, isDescription: boolean): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    const text = ts.isExpression(node) ? textOf(node) : undefined;
    if (text === undefined) {
      ts.forEachChild(node, (child) =>
        visit(child, isReadIn(node, child, isRead), isDescription || isDescribedIn(node, child)),
      );
      return;
    }
    const words = text.match(/\p{L}[\p{L}'’-]*/gu)?.length ?? 0;
    if (words >= (isRead ? 2 : SENTENCE_WORDS) && /\s/.test(text.trim()) && !SQL.test(text)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push({ file, line, text, parts: partsOf(node), isDescription });
    }
    for (const part of valuesIn(node)) visit(part, isRead, isDescription);
  };
  visit(source, false, false);
  return found;
}

/** Of a literal, a template or several joined with `+`; none of any other expression. */
function textOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    const rest = node.templateSpans.map(({ expression, literal }) => shown(expression) + literal.text);
    return node.head.text + rest.join("");
  }
  if (!isSum(node)) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined
    ? undefined
    : (left ?? shown(node.left)) + (right ?? shown(node.right));
}

/** The parts of a text that are the same whatever its values are; a slot of a problem is a value. */
function partsOf(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return node.text.split(/\{\w+\}/);
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  if (!isSum(node)) return [];
  const [left, right] = [partsOf(node.left), partsOf(node.right)];
  if (left.length === 0 || right.length === 0) return [...left, ...right];
  return [...left.slice(0, -1), `${left.at(-1) ?? ""}${right[0] ?? ""}`, ...right.slice(1)];
}

/** The values that a text takes in, which may hold texts of their own. */
function valuesIn(node: ts.Node): ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (!isSum(node)) return [];
  return [node.left, node.right].flatMap((part) => (textOf(part) === undefined ? [part] : valuesIn(part)));
}

function isSum(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
}

function shown(value: ts.Expression): string {
  const text = value.getText().replaceAll(/\s+/g, " ");
  return text.length <= 40 ? `{${text}}` : "{…}";
}

/** Whether a user reads the short texts below this child too. */
function isReadIn(node: ts.Node, child: ts.Node, isRead: boolean): boolean {
  if (ts.isNewExpression(node)) return /(?:Error|Failure|Fault|File)$/.test(node.expression.getText());
  if (ts.isCallExpression(node))
    return child !== node.expression && SPEAKING_CALLS.test(lastName(node.expression));
  if (ts.isPropertyAssignment(node)) return SPEAKING_PROPERTIES.test(node.name.getText());
  return isRead;
}

/** Whether what is in this child describes. */
function isDescribedIn(node: ts.Node, child: ts.Node): boolean {
  if (ts.isCallExpression(node))
    return child !== node.expression && DESCRIBING_CALLS.test(lastName(node.expression));
  return ts.isPropertyAssignment(node) && DESCRIBING_PROPERTIES.test(node.name.getText());
}

function lastName(callee: ts.Expression): string {
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
}
