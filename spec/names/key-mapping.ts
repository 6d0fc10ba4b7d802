import { toPermutation, invertPairs, type Pairs } from "./permutation";

export type Direction = "toWire" | "fromWire";

/** The names of fields of one object, or of all: whole names first, then the longest prefix. */
export class KeyMapping {
  readonly #whole: Pairs;
  readonly #prefixes: readonly (readonly [string, string])[];
  readonly #back: readonly (readonly [string, string])[];
  readonly #known: ReadonlySet<string>;

  /** `whole` and `prefixes` are placeholders with their words, `known` the fields that there are. */
  constructor(whole: Pairs, prefixes: Pairs, known: Iterable<string>, direction: Direction) {
    const exchange = toPermutation(whole);
    const prefixExchange = toPermutation(prefixes);
    const isToWire = direction === "toWire";
    this.#whole = isToWire ? exchange : invertPairs(exchange);
    this.#prefixes = sortLongestFirst(isToWire ? prefixExchange : invertPairs(prefixExchange));
    this.#back = sortLongestFirst(isToWire ? invertPairs(prefixExchange) : prefixExchange);
    this.#known = new Set([...known, ...exchange.keys()]);
  }

  get changesNothing(): boolean {
    return this.#whole.size === 0 && this.#prefixes.length === 0;
  }

  mapKey(key: string): string {
    const whole = this.#whole.get(key);
    if (whole !== undefined) return whole;
    if (this.#known.has(key)) return key;
    // A field that only a newer service knows; never one that is taken for another.
    const mapped = replacePrefix(this.#prefixes, key);
    return this.#known.has(mapped) || replacePrefix(this.#back, mapped) !== key ? key : mapped;
  }
}

function sortLongestFirst(prefixes: Pairs): (readonly [string, string])[] {
  return [...prefixes].toSorted(([a], [b]) => b.length - a.length);
}

function replacePrefix(prefixes: readonly (readonly [string, string])[], name: string): string {
  const [from, to] = prefixes.find(([prefix]) => name.startsWith(prefix)) ?? ["", ""];
  return to + name.slice(from.length);
}
