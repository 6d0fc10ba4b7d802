/** Keeps the state over a restart. */
export interface StateStore {
  /** Writes what has changed, as far as it was handed out by a `TrackedMap` since the last time. */
  save(): void;
  /** Lets the next `save` compare everything: something may have been changed that was handed out before. */
  markAllDirty(): void;
}

/** Without a data folder. */
export const ephemeralStore: StateStore = { save: () => undefined, markAllDirty: () => undefined };
