/** Pairs of a name and what it becomes, each name and each result once. */
export type Pairs = ReadonlyMap<string, string>;

/**
 * The pairs as an exchange that loses nothing: a word that is taken by a placeholder gives its place to what that has left
 * free, so that going there and back gives every name again, known or not.
 */
export function toPermutation(pairs: Pairs): Pairs {
  const exchange = new Map(pairs);
  const taken = new Set(pairs.values());
  for (const first of pairs.keys()) {
    if (taken.has(first)) continue;
    let last = first;
    for (let next = pairs.get(last); next !== undefined; next = pairs.get(last)) last = next;
    exchange.set(last, first);
  }
  return exchange;
}

export function invertPairs(pairs: Pairs): Pairs {
  return new Map([...pairs].map(([name, word]) => [word, name]));
}
