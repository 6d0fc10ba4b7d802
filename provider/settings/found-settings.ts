import { z } from "zod";
import type { Context } from "../define/context";
import { secret } from "../define/markers";
import { isObject } from "../../spec/is-object";

/** Settings by name, in the wire's form; null or absent means that the setting is not set. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** What deleting a configuration restores: the lifecycle's own, as its names begin with `__`. */
export const settingsBookkeeping = {
  __found: z.object({
    values: z.record(z.string(), z.unknown()),
    unset: z.array(z.string()),
    /** The names of the secrets. */
    secrets: z.array(z.string()).optional(),
  }),
  /** Apart from the others, since they stand nowhere but in Pulumi's state. */
  __foundSecrets: secret(z.record(z.string(), z.unknown())).optional(),
};

/** The values that managed settings had before they were managed. */
export interface Found {
  readonly values: SettingValues;
  readonly unset: readonly string[];
  /** Secrets that had a value, which is known nowhere: the run that found it died, or another resource did. */
  readonly lost: readonly string[];
}

/** Stands for a secret that is set, where only that it is set matters. */
export const SECRET_SET = "[secret]";

export const NOTHING_FOUND: Found = { values: {}, unset: [], lost: [] };

export interface Plan {
  /** The values to bring about, null for settings to unset; what is not named stays as it is. */
  readonly wanted: SettingValues;
  /** What is known of the managed settings once that is done, and until then. */
  readonly found: Found;
  readonly before: Found;
  /** Settings that are managed no longer, of which nobody knows what they were. */
  readonly lost: readonly string[];
  /** Settings that are managed no longer and stay as they are. */
  readonly staying: readonly string[];
  /** Settings that are managed no longer and go back. */
  readonly released: readonly string[];
  /** What Pulumi's state has of the settings; undefined where only what was managed goes. */
  readonly known?: SettingValues;
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
  /** What the program declared last. */
  readonly known: SettingValues;
  /** What a setting becomes that is managed no longer; undefined where it stays as it is. */
  readonly comesBack: (name: string, found: unknown) => unknown;
}

/** Newly declared settings have their value kept; those no longer declared get theirs back, unless others declare them. */
export function planFor(names: readonly string[], planning: Planning): Plan {
  const { declared, before, others, shows, isLeftBehind, known, comesBack } = planning;
  const wanted: Record<string, unknown> = {};
  const values: Record<string, unknown> = { ...before.values };
  const unset = new Set(before.unset);
  const lost = new Set(before.lost);
  const left: string[] = [];
  const staying: string[] = [];
  const released: string[] = [];
  for (const name of names) {
    const isKept = Object.hasOwn(values, name) || unset.has(name) || lost.has(name);
    // Null is declared where another setting empties this one.
    if (Object.hasOwn(declared, name)) {
      wanted[name] = declared[name];
      if (isKept || isLeftBehind || shows(name) === "nothing") continue;
      const theirs = foundByOther(name, planning);
      const value = theirs === undefined ? planning.current[name] : theirs.values[name];
      if (theirs?.lost.includes(name) === true) lost.add(name);
      else if (!isSet(value)) unset.add(name);
      else if (shows(name) === "value") values[name] = value;
    } else if (isKept) {
      if (!isDeclaredBy(others, name)) {
        const back = lost.has(name) ? undefined : comesBack(name, values[name] ?? null);
        if (lost.has(name)) left.push(name);
        else if (back === undefined) staying.push(name);
        else {
          wanted[name] = back;
          released.push(name);
        }
      }
      Reflect.deleteProperty(values, name);
      lost.delete(name);
      unset.delete(name);
    }
  }
  const found = { values, unset: [...unset].sort(), lost: [...lost].sort() };
  return { wanted, found, before, lost: left, staying, released, known };
}

/** What another resource found that may have brought about what is there now: one that was renamed. */
function foundByOther(name: string, { current, others, isSame }: Planning): Found | undefined {
  return (
    others
      // Of a secret nothing is shared but that it is declared.
      .filter(
        (other) =>
          other[name] === SECRET_SET || (isSet(other[name]) && isSame(name, other[name], current[name])),
      )
      .map(foundIn)
      .find((each) => isFound(each, name))
  );
}

export function isDeclaredBy(others: Context["others"], name: string): boolean {
  return others.some((other) => isSet(other[name]));
}

export function foundIn(state: SettingValues): Found {
  const { __found: found, __foundSecrets: secrets } = state;
  const { values, unset, secrets: names } = isObject(found) ? found : {};
  const known = { ...(isObject(values) ? values : {}), ...(isObject(secrets) ? secrets : {}) };
  return {
    values: known,
    unset: namesIn(unset),
    lost: namesIn(names).filter((name) => !Object.hasOwn(known, name)),
  };
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** What state remembers, and what a run that died had found since. */
export function foundBy(ctx: Context, state: SettingValues): Found {
  const [remembered, kept] = [foundIn(state), foundIn(ctx.kept)];
  const isNew = (name: string): boolean => !isFound(remembered, name);
  const added = Object.entries(kept.values).filter(([name]) => isNew(name));
  return {
    values: { ...remembered.values, ...Object.fromEntries(added) },
    unset: [...remembered.unset, ...kept.unset.filter(isNew)],
    lost: [...remembered.lost, ...kept.lost.filter(isNew)],
  };
}

export function isFound({ values, unset, lost }: Found, name: string): boolean {
  return Object.hasOwn(values, name) || unset.includes(name) || lost.includes(name);
}

export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
