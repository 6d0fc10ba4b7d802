import { EncodingIndex, type TextRange } from "./encoding-index";
import { toUnchanged, toSearchable, type NormalizedText } from "./normalize-escapes";
import { omitOwnWords } from "./own-words";
import { findUrlPasswords } from "./url-passwords";

const REPLACEMENT = "[secret]";
/** What the service quotes is hidden where it has so many characters in a row in common with a secret. */
const SHORTEST_PIECE = 8;
/** A piece of a secret in our own texts is hidden from this length on: names and identifiers, which may be part of a connection string, are shorter. */
const BLOCK_LENGTH = 40;
const BLOCKS_APART = 10;

const MINIMUM_LENGTH = 4;
const MINIMUM_ENCODED_LENGTH = 6;

/** Removes known secrets and passwords of URLs from texts that leave the process: messages, progress and log lines. */
export class Redactor {
  readonly #encodings = new Set<string>();
  /** Encodings that are shorter than a block. */
  readonly #shortEncodings = new EncodingIndex();
  /** Samples of the long encodings, each of `BLOCK_LENGTH` characters: a text that has one quotes a piece of a secret. */
  readonly #blocks = new Set<string>();

  /** Very short values are not taken: removing them would make every message unreadable and say what they are. */
  add(value: string): void {
    for (const encoding of encodingsOf(value)) this.#take(encoding);
  }

  /** A redactor that removes these values as well. */
  with(values: readonly string[]): Redactor {
    const more = new Redactor();
    for (const encoding of this.#encodings) more.#take(encoding);
    for (const value of values) more.add(value);
    return more;
  }

  /**
   * Removes secrets, however they are escaped or encoded, in capitals or not. A long piece of one shows that the text quotes
   * what was cut elsewhere: then every piece goes. The words of our own sentences stay.
   */
  redact(text: string): string {
    const view = toSearchable(text);
    return this.#quotesPiece(view)
      ? this.#withoutPieces(text, view)
      : redactRanges(text, view, omitOwnWords(view.text, this.#shortEncodings.findIn(view.text)));
  }

  /** For what a service says: it may have cut what it repeats, so that pieces of secrets go as well. */
  redactQuoted(text: string): string {
    return this.#withoutPieces(text, toSearchable(text));
  }

  #take(encoding: string): void {
    if (this.#encodings.has(encoding)) return;
    this.#encodings.add(encoding);
    // What quotes a text often leaves its last line break out.
    if (encoding.length < BLOCK_LENGTH) this.#shortEncodings.add(encoding.trim());
    else for (const block of splitIntoBlocks(encoding)) this.#blocks.add(block);
  }

  #withoutPieces(text: string, view: NormalizedText): string {
    const matches = [...this.#shortEncodings.findIn(view.text), ...findPieces(view.text, this.#encodings)];
    return redactRanges(text, view, matches);
  }

  #quotesPiece({ text }: NormalizedText): boolean {
    if (this.#blocks.size === 0) return false;
    for (let from = 0; from + BLOCK_LENGTH <= text.length; from += 1) {
      if (this.#blocks.has(text.slice(from, from + BLOCK_LENGTH))) return true;
    }
    return false;
  }
}

/**
 * How a secret looks in such a text: as it is, with the blanks around it, in hex and in base64. Shorter ones have no
 * encoding: removing them would make every message unreadable and say what they are.
 */
function encodingsOf(secret: string): string[] {
  if (secret.length < MINIMUM_LENGTH) return [];
  const plain = toSearchable(secret).text;
  const encoded = listBase64Encodings(secret).map((encoding) => encoding.replace(/\++/g, " ").toLowerCase());
  return [
    ...(plain.trim().length < MINIMUM_LENGTH ? [] : [plain, Buffer.from(secret, "utf8").toString("hex")]),
    ...encoded.filter((encoding) => encoding.trim().length >= MINIMUM_ENCODED_LENGTH),
  ];
}

/** Base64 depends on where in the encoded text the value begins; only the characters that it alone decides are kept. */
function listBase64Encodings(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const start = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    const certain = encoded.slice(start, end);
    return [certain, certain.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function splitIntoBlocks(encoding: string): string[] {
  const last = encoding.length - BLOCK_LENGTH;
  const blocks = [encoding.slice(last)];
  for (let from = 0; from < last; from += BLOCKS_APART)
    blocks.push(encoding.slice(from, from + BLOCK_LENGTH));
  return blocks;
}

/** Every run of `SHORTEST_PIECE` characters that some secret has too, in time that grows with the text and the secrets only. */
function findPieces(text: string, encodings: ReadonlySet<string>): TextRange[] {
  const places = new Map<string, number[]>();
  for (let from = 0; from + SHORTEST_PIECE <= text.length; from += 1) {
    const run = text.slice(from, from + SHORTEST_PIECE);
    const known = places.get(run);
    if (known === undefined) places.set(run, [from]);
    else known.push(from);
  }
  const found: TextRange[] = [];
  for (const encoding of encodings) {
    for (let from = 0; from + SHORTEST_PIECE <= encoding.length; from += 1) {
      const run = encoding.slice(from, from + SHORTEST_PIECE);
      for (const place of places.get(run) ?? []) found.push({ from: place, to: place + SHORTEST_PIECE });
      places.delete(run);
    }
  }
  return found;
}

/** A URL is looked for as it is as well: unescaped, its password may have blanks. */
function redactRanges(text: string, view: NormalizedText, matches: readonly TextRange[]): string {
  const rest = replaceRanges(text, view, [...matches, ...findUrlPasswords(view.text)]);
  const passwords = findUrlPasswords(rest);
  return passwords.length === 0 ? rest : replaceRanges(rest, toUnchanged(rest), passwords);
}

/** Replaces ranges of the searchable view in the text that it was made of. */
function replaceRanges(text: string, view: NormalizedText, ranges: readonly TextRange[]): string {
  const { from, to } = view;
  let kept = "";
  let restFrom = 0;
  for (const range of mergeRanges(ranges).map((range) => trimRange(view.text, range))) {
    kept += text.slice(restFrom, from[range.from]) + REPLACEMENT;
    restFrom = to[range.to - 1] ?? text.length;
  }
  return kept + text.slice(restFrom);
}

/** Without the blanks at its ends, which belong to the text around a secret as much as to the secret. */
function trimRange(text: string, { from, to }: TextRange): TextRange {
  const run = text.slice(from, to);
  return { from: to - run.trimStart().length, to: from + run.trimEnd().length };
}

/** Ranges in order; those that overlap or touch become one. */
function mergeRanges(ranges: readonly TextRange[]): TextRange[] {
  const disjoint: TextRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = disjoint.at(-1);
    if (last === undefined || range.from > last.to) disjoint.push(range);
    else disjoint.splice(-1, 1, { from: last.from, to: Math.max(last.to, range.to) });
  }
  return disjoint;
}
