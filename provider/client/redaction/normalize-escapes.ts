/** A text as it was before others escaped it, and where each of its characters stands in what they made of it. */
export interface NormalizedText {
  readonly text: string;
  /** For each character of `text`: where its source begins and ends. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Percent escapes of bytes in a row, themselves escaped or not. */
const PERCENT = /(?:%(?:25)*[0-9a-f]{2})+/gi;
/** Bytes in a row as programming languages write them, and as Postgres writes a text of bytes; looked for once in a run of backslashes. */
const BYTES = /(?:(?<!\\)\\+x(?:(?:[0-9a-f]{2}){4,}|[0-9a-f]{2}))+/gi;
/** Escapes of JSON, escaped any number of times; every other backslash goes, as it is not known what it belongs to. */
const BACKSLASHES = /\\+(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|([nrtbfv]))?/gi;
/** References of HTML, escaped any number of times. */
const REFERENCES = /&(?:amp;)*(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};
const CAPITALS = /\p{Lu}/gu;
/** A form has `+` in place of a blank, and whoever quotes several lines breaks and indents them anew. */
const BLANKS = /[\s\p{Cc}+]{2,}|[^\S ]|[\p{Cc}+]/gu;

/**
 * Takes off what URLs, forms, JSON and HTML put around a text, at any depth: a text and whatever was made of it give the same.
 * What cannot be distinguished becomes the same, so that more may look alike than is.
 */
export function normalizeEscapes(source: string): NormalizedText {
  const withoutPercent = rewriteMatches(toUnchanged(source), PERCENT, ([escapes]) =>
    decodePercents(escapes).toString("utf8"),
  );
  const withoutBytes = rewriteMatches(withoutPercent, BYTES, ([escapes]) => charactersOf(escapes));
  const withoutBackslashes = rewriteMatches(withoutBytes, BACKSLASHES, ([escape, unit, code, letter]) => {
    if (unit !== undefined) return String.fromCharCode(parseInt(unit, 16));
    if (code !== undefined) return characterAt(parseInt(code, 16)) ?? escape.replace(/^\\+/, "");
    return letter === undefined ? "" : " ";
  });
  const withoutReferences = rewriteMatches(
    withoutBackslashes,
    REFERENCES,
    ([reference, decimal, hex, name]) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? reference;
      const code = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
      return characterAt(code) ?? reference;
    },
  );
  const even = rewriteMatches(withoutReferences, BLANKS, () => " ");
  // A half character cannot be percent-encoded; as long as the whole one, so all places stay right.
  return { ...even, text: even.text.toWellFormed() };
}

/** A text as it is searched: without escapes and in lower case. */
export function toSearchable(text: string): NormalizedText {
  const view = normalizeEscapes(text);
  return { ...view, text: view.text.replace(CAPITALS, lowerCapital) };
}

export function toUnchanged(source: string): NormalizedText {
  const places = Array.from({ length: source.length }, (_, at) => at);
  return { text: source, from: places, to: places.map((at) => at + 1) };
}

function decodePercents(escapes: string): Buffer {
  return Buffer.from(escapes.replace(/%(?:25)*(?=[0-9a-f]{2})/gi, ""), "hex");
}

/** As UTF-8, and where that cannot be, as code points. */
function charactersOf(escapes: string): string {
  const bytes = Buffer.from(escapes.replace(/\\+x/gi, ""), "hex");
  const text = bytes.toString("utf8");
  return text.includes("\uFFFD") ? bytes.toString("latin1") : text;
}

function characterAt(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function rewriteMatches(
  before: NormalizedText,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => string,
): NormalizedText {
  const matches = [...before.text.matchAll(pattern)];
  if (matches.length === 0) return before;
  const texts: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  let next = 0;
  const keepUntil = (end: number): void => {
    texts.push(before.text.slice(next, end));
    for (; next < end; next += 1) {
      from.push(before.from[next] ?? 0);
      to.push(before.to[next] ?? 0);
    }
  };
  for (const match of matches) {
    keepUntil(match.index);
    const text = replacement(match);
    next += match[0].length;
    texts.push(text);
    for (let index = 0; index < text.length; index += 1) {
      from.push(before.from[match.index] ?? 0);
      to.push(before.to[next - 1] ?? 0);
    }
  }
  keepUntil(before.text.length);
  return { text: texts.join(""), from, to };
}

/** A letter in lower case, unless that is longer: each character must stay at its place. */
function lowerCapital(capital: string): string {
  const small = capital.toLowerCase();
  return small.length === capital.length ? small : capital;
}
