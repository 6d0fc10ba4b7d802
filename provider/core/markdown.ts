import { escapeHidden } from "../../spec/shown-text";

/** A text as code, whatever is in it, also in a cell of a table. */
export function formatCode(text: string): string {
  const shown = showLine(text);
  // In a table, a bar ends even what stands as code; comments are how a later run finds what an earlier one wrote.
  if (/\||<!--|^ | $|^$/.test(shown)) return `<code>${toEntities(shown)}</code>`;
  const fence = "`".repeat(measureLongestRun(shown) + 1);
  const space = /^`|`$/.test(shown) ? " " : "";
  return `${fence}${space}${shown}${space}${fence}`;
}

/** Sentences of ours with texts of others in them: what stands in backticks is code, and nothing else has a meaning. */
export function formatProse(text: string): string {
  return text
    .replaceAll(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? " " : blanks))
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? formatCode(part.slice(1, -1)) : escapePlain(part)))
    .join("");
}

/** A text of several lines as a block that nothing in it ends. */
export function formatBlock(text: string, language: string): string {
  const shown = text
    .split("\n")
    .map((line) => escapeHidden(line.replaceAll("\t", "    ").replaceAll("<!--", "<! --")))
    .join("\n");
  const fence = "`".repeat(Math.max(3, measureLongestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** A table; each cell is Markdown already. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function showLine(text: string): string {
  return escapeHidden(text.replaceAll("\r", String.raw`\r`).replaceAll("\n", String.raw`\n`));
}

/** Of an address of mail or a mention only the sign itself is code: a forge then tells nobody. */
function escapePlain(text: string): string {
  return escapeHidden(text)
    .replaceAll(/[&<>|*~`[\]\\]|(?<!\w)_|_(?!\w)|^[#+=-]/g, entityOf)
    .replaceAll("@", "`@`");
}

function toEntities(text: string): string {
  return text.replaceAll(/[!-,/:-@[-`{-~]/g, entityOf);
}

function entityOf(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

function measureLongestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
