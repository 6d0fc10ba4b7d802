/**
 * A map that knows which of its values may have changed since `settle`: those that were handed out. Whoever keeps a
 * value for longer than one call must say so (`Keeper.suspectAll`).
 */
export class TrackedMap<K, V> extends Map<K, V> {
  // Private to the language, so that two maps of equal entries are equal to test runners.
  #touched = new Set<K>();
  #isAllTouched = false;

  /** A tracked copy, in which nothing has changed yet. */
  static of<K, V>(map: ReadonlyMap<K, V>): TrackedMap<K, V> {
    const tracked = new TrackedMap<K, V>();
    for (const [key, value] of map) tracked.set(key, value);
    tracked.settle();
    return tracked;
  }

  /** Keys of the values that may have changed, and of those that are gone. */
  get touched(): ReadonlySet<K> {
    return this.#isAllTouched ? new Set([...this.keys(), ...this.#touched]) : this.#touched;
  }

  settle(): void {
    this.#touched.clear();
    this.#isAllTouched = false;
  }

  /** As `entries`, for looks that change nothing. */
  peekAll(): MapIterator<[K, V]> {
    return super.entries();
  }

  override get(key: K): V | undefined {
    this.#touched.add(key);
    return super.get(key);
  }

  override set(key: K, value: V): this {
    this.#touched.add(key);
    return super.set(key, value);
  }

  override delete(key: K): boolean {
    this.#touched.add(key);
    return super.delete(key);
  }

  override clear(): void {
    for (const key of this.keys()) this.#touched.add(key);
    super.clear();
  }

  override entries(): MapIterator<[K, V]> {
    this.#isAllTouched = true;
    return super.entries();
  }

  override values(): MapIterator<V> {
    this.#isAllTouched = true;
    return super.values();
  }

  override forEach(callback: (value: V, key: K, map: Map<K, V>) => void): void {
    this.#isAllTouched = true;
    super.forEach(callback);
  }

  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }
}

/** The entries of a map for a look that changes none of the values. */
export function lookThrough<K, V>(map: ReadonlyMap<K, V>): MapIterator<[K, V]> {
  return map instanceof TrackedMap ? (map as TrackedMap<K, V>).peekAll() : map.entries();
}
