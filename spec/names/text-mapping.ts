import { type Direction, KeyMapping } from "./key-mapping";
import { isPlaceholder } from "./neutral-words";
import { toPermutation, invertPairs, type Pairs } from "./permutation";
import type { Words } from "./words";

/** What names are made of; whatever else is around them bounds a word. */
const WORD = /(\/?)([A-Za-z0-9_-]+)/g;

/** Maps the words of a message, of which nobody can say which field they stand for. */
export class TextMapping {
  readonly #words: Words;
  readonly #keys: KeyMapping;
  readonly #paths: Pairs;
  readonly #values: Pairs;
  readonly #reserved: readonly (readonly [string, string])[];

  constructor(words: Words, direction: Direction) {
    const directPairs = (pairs: Pairs): Pairs =>
      direction === "toWire" ? toPermutation(pairs) : invertPairs(toPermutation(pairs));
    const { whole, prefixes } = words.pickFields(words.fieldNames);
    this.#words = words;
    this.#keys = new KeyMapping(whole, prefixes, words.fieldNames, direction);
    this.#paths = directPairs(words.paths);
    this.#values = directPairs(words.values);
    this.#reserved = [...directPairs(words.reserved)];
  }

  mapText(text: string): string {
    return text.replaceAll(
      WORD,
      (_all, slash: string, word: string) => slash + this.#word(word, slash !== ""),
    );
  }

  #word(word: string, isSegment: boolean): string {
    // What the table itself writes means that, even where an installation has the same word for something else.
    if (this.#words.isOrdinary(word) && !isPlaceholder(word)) return word;
    const segment = this.#paths.get(word);
    if (isSegment && segment !== undefined) return segment;
    const key = this.#keys.mapKey(word);
    return key === word ? (this.#values.get(word) ?? segment ?? this.#reservedName(word)) : key;
  }

  #reservedName(word: string): string {
    const [from, to] = this.#reserved.find(([prefix]) => word.startsWith(prefix)) ?? ["", ""];
    return to + word.slice(from.length);
  }
}
