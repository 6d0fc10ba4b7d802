import { z } from "zod";
import type { Context } from "../define/context";
import { secret } from "../define/markers";
import { isObject } from "../../spec/is-object";

/** Settings by name, in the wire's form; null or absent means that the setting is not set. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** What deleting a configuration restores: the lifecycle's own, as its names begin with `__`. */
export const settingsBookkeeping = {
  __found: z.object({ values: z.record(z.string(), z.unknown()), unset: z.array(z.string()) }),
  /** Apart from the others, since they stand nowhere but in Pulumi's state. */
  __foundSecrets: secret(z.record(z.string(), z.unknown())).optional(),
};

/** The values that managed settings had before they were managed. */
export interface Found {
  readonly values: SettingValues;
  readonly unset: readonly string[];
}

/** Stands for a secret that is set, where only that it is set matters. */
export const SECRET_SET = "[secret]";

export const NOTHING_FOUND: Found = { values: {}, unset: [] };

export interface Plan {
  /** The values to bring about, null for settings to unset; what is not named stays as it is. */
  readonly wanted: SettingValues;
  readonly found: Found;
}

/** What a plan is made of. */
export interface Planning {
  readonly declared: SettingValues;
  /** What was there before the settings were managed, as far as it is known. */
  readonly before: Found;
  readonly current: SettingValues;
  /** What other resources share of the same configuration. */
  readonly others: Context["others"];
  readonly isSame: (name: string, one: unknown, other: unknown) => boolean;
  /** What the service shows of a setting: its value, only whether it is set (it answers a hash), or nothing. */
  readonly shows: (name: string) => "value" | "presence" | "nothing";
  /** Whether nothing will be restored, so that nothing is kept. */
  readonly isLeftBehind: boolean;
}

/** Newly declared settings have their value kept; those no longer declared get theirs back, unless others declare them. */
export function planFor(names: readonly string[], planning: Planning): Plan {
  const { declared, before, others, shows, isLeftBehind } = planning;
  const wanted: Record<string, unknown> = {};
  const values: Record<string, unknown> = { ...before.values };
  const unset = new Set(before.unset);
  for (const name of names) {
    const isKept = Object.hasOwn(values, name) || unset.has(name);
    // Null is declared where another setting empties this one.
    if (Object.hasOwn(declared, name)) {
      wanted[name] = declared[name];
      if (isKept || isLeftBehind || shows(name) === "nothing") continue;
      const value = valueBefore(name, planning);
      if (!isSet(value)) unset.add(name);
      else if (shows(name) === "value") values[name] = value;
    } else if (isKept) {
      if (!isDeclaredBy(others, name)) wanted[name] = values[name] ?? null;
      Reflect.deleteProperty(values, name);
      unset.delete(name);
    }
  }
  return { wanted, found: { values, unset: [...unset].sort() } };
}

/** Another resource may have brought about what is there now, and know what was there before: one that was renamed. */
function valueBefore(name: string, { current, others, isSame }: Planning): unknown {
  const found = others
    // Of a secret nothing is shared but that it is declared.
    .filter(
      (other) =>
        other[name] === SECRET_SET || (isSet(other[name]) && isSame(name, other[name], current[name])),
    )
    .map(foundIn)
    .find((each) => isFound(each, name));
  return found === undefined ? current[name] : found.values[name];
}

export function isDeclaredBy(others: Context["others"], name: string): boolean {
  return others.some((other) => isSet(other[name]));
}

export function foundIn(state: SettingValues): Found {
  const { __found: found, __foundSecrets: secrets } = fromOlderState(state);
  const { values, unset } = isObject(found) ? found : {};
  return {
    values: { ...(isObject(values) ? values : {}), ...(isObject(secrets) ? secrets : {}) },
    unset: Array.isArray(unset) ? unset.map(String) : [],
  };
}

/** Version 0.1.0 kept what it found in two outputs. */
export function fromOlderState(state: SettingValues): Record<string, unknown> {
  const { previousValues, previouslyUnset, ...others } = state;
  if (previousValues === undefined && previouslyUnset === undefined) return others;
  return { __found: { values: previousValues ?? {}, unset: previouslyUnset ?? [] }, ...others };
}

/** What state remembers, and what a run that died had found since. */
export function foundBy(ctx: Context, state: SettingValues): Found {
  const [remembered, kept] = [foundIn(state), foundIn(ctx.kept)];
  const isNew = (name: string): boolean => !isFound(remembered, name);
  const added = Object.entries(kept.values).filter(([name]) => isNew(name));
  return {
    values: { ...remembered.values, ...Object.fromEntries(added) },
    unset: [...remembered.unset, ...kept.unset.filter(isNew)],
  };
}

export function isFound({ values, unset }: Found, name: string): boolean {
  return Object.hasOwn(values, name) || unset.includes(name);
}

export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
