import type { WorldState } from "../../service/world/state";
import { peekEntries } from "../../service/world/tracked-map";
import { requireShape } from "./state-shape";

/** Changes the state past every rule but its shape: what fails, or leaves another shape, has changed nothing. */
export function editState(state: WorldState, change: (state: WorldState) => void): void {
  const undo = remembering(state);
  try {
    change(state);
    requireShape(state);
  } catch (error) {
    undo();
    throw error;
  }
}

/** Puts everything back as it is now, in the very objects that hold it now: others may hold these as well. */
function remembering(root: object): () => void {
  const restores = new Map<object, () => void>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || restores.has(value)) return;
    // Bytes are replaced, never changed.
    if (ArrayBuffer.isView(value)) return;
    const children = restorable(value, restores);
    for (const child of children) visit(child);
  };
  visit(root);
  return () => {
    for (const restore of restores.values()) restore();
  };
}

/** Notes how to restore one container, and returns what it holds. */
function restorable(value: object, restores: Map<object, () => void>): readonly unknown[] {
  if (value instanceof Map) {
    const entries = [...peekEntries<unknown, unknown>(value)];
    restores.set(value, () => {
      value.clear();
      for (const [key, child] of entries) value.set(key, child);
    });
    return entries.map(([, child]) => child);
  }
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = [...(value as unknown[])];
    restores.set(value, () => void value.splice(0, value.length, ...elements));
    return elements;
  }
  const fields = { ...value };
  restores.set(value, () => {
    for (const key of Object.keys(value)) Reflect.deleteProperty(value, key);
    Object.assign(value, fields);
  });
  return Object.values(fields);
}
