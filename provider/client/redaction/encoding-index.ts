/** Encodings are looked up by their first characters; a shorter one is never found. */
const PREFIX_LENGTH = 4;

/** Encodings of secrets, found in a text in time that grows with the text and with the length of one, not with their number. */
export class EncodingIndex {
  readonly #encodings = new Set<string>();
  /** The lengths of the encodings, by the characters that they begin with. */
  readonly #lengths = new Map<string, Set<number>>();

  add(encoding: string): void {
    this.#encodings.add(encoding);
    const start = encoding.slice(0, PREFIX_LENGTH);
    this.#lengths.set(start, (this.#lengths.get(start) ?? new Set()).add(encoding.length));
  }

  has(encoding: string): boolean {
    return this.#encodings.has(encoding);
  }

  /** Every occurrence of an encoding. */
  findIn(text: string): TextRange[] {
    const found: TextRange[] = [];
    for (let from = 0; from + PREFIX_LENGTH <= text.length; from += 1) {
      for (const length of this.#lengths.get(text.slice(from, from + PREFIX_LENGTH)) ?? []) {
        const to = from + length;
        // At the end of a text a slice is shorter, and may be another encoding.
        if (to <= text.length && this.has(text.slice(from, to))) found.push({ from, to });
      }
    }
    return found;
  }
}

export interface TextRange {
  readonly from: number;
  readonly to: number;
}
