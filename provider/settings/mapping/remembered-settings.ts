import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { readMarks } from "../../define/state-marks";
import { omitNestedUndefined } from "../../define/values";
import { EXTRA } from "./extra-settings";
import { hasOriginal, isSet, readOriginals, type SettingValues } from "./original-values";
import type { SettingsMapping, WireValues } from "./settings-mapping";

/**
 * Whether an answer that has a default in place of null can show what a state declares: each setting has a value, and is one that this
 * version knows.
 */
export function isComparable(mapping: SettingsMapping, state: SettingValues): boolean {
  const declared = mapping.listDeclared(state);
  if (declared.length === 0 || declared.some((name) => name.startsWith(EXTRA))) return false;
  const originals = mapping.upgradeOriginals(readOriginals(state));
  const isUnset = (name: string): boolean => hasOriginal(originals, name) && !declared.includes(name);
  if (mapping.names.some(isUnset)) return false;
  const inputs = readMarks(state).declared ?? [];
  return (
    inputs.every((name) => isSet(state[name])) && Object.values(mapping.convertDeclared(state)).every(isSet)
  );
}

/** A configuration as it is remembered. */
interface RememberedSettings {
  readonly ref: string;
  readonly state: SettingValues;
  /** The outputs that the configuration has. */
  readonly outputs: Readonly<Record<string, z.ZodType>>;
  /** Those of them that the answer never shows. */
  readonly keptOutputs: readonly string[];
}

/**
 * The outputs of a state that an answer shows with all that is managed; undefined where the answer lacks something, hides it or has
 * it otherwise.
 */
export function findRemembered(
  mapping: SettingsMapping,
  answer: WireValues,
  { ref, state, outputs, keptOutputs }: RememberedSettings,
): Record<string, unknown> | undefined {
  const shown = mapping.pickSettings(answer, state);
  const wanted = mapping.convertDeclared(state);
  const isShown = (name: string): boolean =>
    mapping.visibilityOf(name) === "nothing" ||
    (isSet(shown[name]) && mapping.isSame(ref, name, shown[name], wanted[name]));
  if (!Object.keys(wanted).every(isShown)) return undefined;
  const seen = mapping.pickOutputs(answer);
  const isKept = ([name, schema]: readonly [string, z.ZodType]): boolean => {
    // One that may be absent says nothing where the state lacks it.
    if (!isSet(state[name])) return schema.safeParse(undefined).success;
    return keptOutputs.includes(name) || isDeepStrictEqual(omitNestedUndefined(seen[name]), state[name]);
  };
  if (!Object.entries(outputs).every(isKept)) return undefined;
  return Object.fromEntries(
    Object.keys(outputs).flatMap((name) => (name in state ? [[name, state[name]]] : [])),
  );
}
