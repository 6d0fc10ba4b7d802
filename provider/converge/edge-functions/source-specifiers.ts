const KEYWORD = /\b(?:from|import(?:\.meta\.resolve)?|require)/g;
const LITERAL = /(["'`])([^"'`\n$]+)\1/y;
const SPACE = /\s/;

/**
 * The literal specifiers that a module imports or re-exports, in time that grows with the text alone. Text that merely
 * looks like an import, in a comment or a string, counts as one: a file too many is harmless, a file too few is not.
 */
export function importsOf(text: string): string[] {
  const gapEnds = gapEndsIn(text);
  const afterGap = (at: number): number => gapEnds[at] ?? at;
  const found = new Set<string>();
  const noLiterals = new Set<number>();
  KEYWORD.lastIndex = 0;
  while (KEYWORD.test(text)) {
    const opening = afterGap(KEYWORD.lastIndex);
    const at = text[opening] === "(" ? afterGap(opening + 1) : opening;
    // Many keywords can stand before one gap, and so before one quote that nothing closes.
    if (noLiterals.has(at)) continue;
    LITERAL.lastIndex = at;
    const specifier = LITERAL.exec(text)?.[2];
    if (specifier === undefined) {
      noLiterals.add(at);
    } else {
      found.add(specifier);
      KEYWORD.lastIndex = LITERAL.lastIndex;
    }
  }
  return [...found];
}

/** Where the white space and comments that begin at a place end: from the last place to the first, each looked at once. */
function gapEndsIn(text: string): Int32Array {
  const ends = new Int32Array(text.length + 1).fill(text.length);
  let afterComment: number | undefined;
  let afterLine: number | undefined;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const [first = "", second] = [text[at], text[at + 1]];
    if (first === "\n") afterLine = at + 1;
    // Not yet within the two characters that open a comment here.
    if (text.startsWith("*/", at + 2)) afterComment = at + 4;
    let next: number | undefined;
    if (SPACE.test(first)) next = at + 1;
    else if (first === "/" && second === "*") next = afterComment;
    else if (first === "/" && second === "/") next = afterLine;
    ends[at] = next === undefined ? at : (ends[next] ?? next);
  }
  return ends;
}
