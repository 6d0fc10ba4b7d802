/** What nobody sees, or what changes how other characters are shown: controls, line ends, formats, halves, blanks but the space. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|[^\P{Zs} ]/gu;

/** Hidden characters as `\u202e`, in the form in which JSON and JavaScript read them. */
export function escapeHidden(text: string, escape: (character: string) => string = escapeCodeUnits): string {
  return text.replaceAll(HIDDEN, escape);
}

/** A text as JSON shows it, on one line of every language, with nothing in it that is not seen. */
export function quoteText(text: string): string {
  return escapeHidden(JSON.stringify(text));
}

/** A text of others in a sentence of ours, to be read and not copied: in quotes that it does not have itself. */
export function quoteInSentence(text: string): string {
  if (!text.includes('"')) return `"${text}"`;
  return /[“”]/.test(text) ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : `“${text}”`;
}

/** A text as JSON shows it, without quotes where it is an ordinary word. */
export function showName(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : quoteText(text);
}

/** A path as JSON shows it, without quotes where nothing in it could be more than a path: it is one thing of one line. */
export function showPath(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : quoteText(path);
}

/** Whether a text of several lines has more in it than is seen. */
export function hasHidden(text: string): boolean {
  return text.replaceAll(/[\n\t]/g, "").search(HIDDEN) !== -1;
}

function escapeCodeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** A character as Python and YAML read it. */
export function escapeCodePoint(character: string): string {
  const point = (character.codePointAt(0) ?? 0).toString(16);
  return point.length > 4 ? `\\U${point.padStart(8, "0")}` : `\\u${point.padStart(4, "0")}`;
}

/** A text as one word of a shell, which takes everything between these quotes as it is. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A text as a part of a pattern, where it stands for itself. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Names one after the other, as `a, b and c`. */
export function joinNames(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
}
