/**
 * A map that knows which of its values may have changed since `markClean`: those that were handed out. Who keeps a
 * value for longer than one call calls `StateStore.markAllDirty`.
 */
export class TrackedMap<K, V> extends Map<K, V> {
  // Private to the language, so that two maps of equal entries are equal to test runners.
  #dirty = new Set<K>();
  #isAllDirty = false;

  /** A tracked copy, in which nothing has changed yet. */
  static of<K, V>(map: ReadonlyMap<K, V>): TrackedMap<K, V> {
    const tracked = new TrackedMap<K, V>();
    for (const [key, value] of map) tracked.set(key, value);
    tracked.markClean();
    return tracked;
  }

  /** Keys of the values that may have changed, and of those that are gone. */
  get dirtyKeys(): ReadonlySet<K> {
    return this.#isAllDirty ? new Set([...this.keys(), ...this.#dirty]) : this.#dirty;
  }

  markClean(): void {
    this.#dirty.clear();
    this.#isAllDirty = false;
  }

  /** As `entries`, for readers that change nothing. */
  peekEntries(): MapIterator<[K, V]> {
    return super.entries();
  }

  override get(key: K): V | undefined {
    this.#dirty.add(key);
    return super.get(key);
  }

  override set(key: K, value: V): this {
    this.#dirty.add(key);
    return super.set(key, value);
  }

  override delete(key: K): boolean {
    this.#dirty.add(key);
    return super.delete(key);
  }

  override clear(): void {
    for (const key of this.keys()) this.#dirty.add(key);
    super.clear();
  }

  override entries(): MapIterator<[K, V]> {
    this.#isAllDirty = true;
    return super.entries();
  }

  override values(): MapIterator<V> {
    this.#isAllDirty = true;
    return super.values();
  }

  override forEach(callback: (value: V, key: K, map: Map<K, V>) => void): void {
    this.#isAllDirty = true;
    super.forEach(callback);
  }

  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }
}

/** The entries of a map for a reader that changes none of the values. */
export function peekEntries<K, V>(map: ReadonlyMap<K, V>): MapIterator<[K, V]> {
  return map instanceof TrackedMap ? (map as TrackedMap<K, V>).peekEntries() : map.entries();
}
