import type { ObjectLedger } from "../define/context";
import {
  hasOriginal,
  isSet,
  readOriginals,
  SECRET_SET,
  type OriginalValues,
  type SettingValues,
} from "./original-values";

export interface SettingsPlan {
  /** The values to bring about, null for settings to unset; what is not named stays as it is. */
  readonly wanted: SettingValues;
  /** What is known of the managed settings once that is done, and until then. */
  readonly originals: OriginalValues;
  readonly before: OriginalValues;
  /** Settings that are managed no longer, of which it is not known what they were. */
  readonly lost: readonly string[];
  /** Settings that are managed no longer and stay as they are. */
  readonly staying: readonly string[];
  /** Settings that are managed no longer and go back. */
  readonly released: readonly string[];
  /** What Pulumi's state has of the settings; undefined where only what was managed goes. */
  readonly known?: SettingValues;
}

/** What a plan is made of. */
export interface SettingsPlanInput {
  readonly declared: SettingValues;
  /** What was there before the settings were managed, as far as it is known. */
  readonly before: OriginalValues;
  readonly current: SettingValues;
  /** What other resources share of the same configuration. */
  readonly others: ObjectLedger["otherOwners"];
  readonly isSame: (name: string, one: unknown, other: unknown) => boolean;
  /** What the service shows of a setting: its value, only whether it is set (it answers a hash), or nothing. */
  readonly shows: (name: string) => "value" | "presence" | "nothing";
  /** Whether nothing will be restored, so that nothing is kept. */
  readonly isLeftBehind: boolean;
  /** What the program declared last. */
  readonly known: SettingValues;
  /** What a setting becomes that is managed no longer; undefined where it stays as it is. */
  readonly valueWhenReleased: (name: string, original: unknown) => unknown;
}

/** Newly declared settings have their value kept; those no longer declared get theirs back, unless others declare them. */
export function planSettings(names: readonly string[], input: SettingsPlanInput): SettingsPlan {
  const { declared, before, others, shows, isLeftBehind, known, valueWhenReleased } = input;
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
      const theirs = findOtherOriginals(name, input);
      const value = theirs === undefined ? input.current[name] : theirs.values[name];
      if (theirs?.lost.includes(name) === true) lost.add(name);
      else if (!isSet(value)) unset.add(name);
      else if (shows(name) === "value") values[name] = value;
    } else if (isKept) {
      if (!isDeclaredBy(others, name)) {
        const back = lost.has(name) ? undefined : valueWhenReleased(name, values[name] ?? null);
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
  const originals = { values, unset: [...unset].sort(), lost: [...lost].sort() };
  return { wanted, originals, before, lost: left, staying, released, known };
}

/** What another resource found that may have brought about what is there now: one that was renamed. */
function findOtherOriginals(
  name: string,
  { current, others, isSame }: SettingsPlanInput,
): OriginalValues | undefined {
  return (
    others
      // Of a secret nothing is shared but that it is declared.
      .filter(
        (other) =>
          other[name] === SECRET_SET || (isSet(other[name]) && isSame(name, other[name], current[name])),
      )
      .map(readOriginals)
      .find((each) => hasOriginal(each, name))
  );
}

export function isDeclaredBy(others: ObjectLedger["otherOwners"], name: string): boolean {
  return others.some((other) => isSet(other[name]));
}
