import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../../spec/is-object";
import { readOriginals, hasOriginal, isSet, type SettingValues } from "./original-values";
import { inputNameOf, isInGroup, putAt, valueAt, readBelow, omitBelow } from "./setting-fields";
import { FILE_HASHES } from "./setting-files";
import { sha256 } from "../../core/sha256";
import type { SettingsMapping, WireValues } from "./settings-mapping";

/** What the configuration of one project is read for. */
export interface SettingsReadRequest {
  readonly ref: string;
  /** What is declared, as it is remembered. */
  readonly state: SettingValues;
  /** Whether a read shows only what is set: otherwise, what is absent is not known. */
  readonly showsOnlySet: boolean;
  /** The settings that this service does not know, of which a read says nothing. */
  readonly unknown: readonly string[];
}

/**
 * The inputs as the service has them: null for what is not set there, absent for what it does not show. Of a group that is
 * managed only what is managed in it: also what is missing in the state as it was unset outside.
 */
export function pickObservedInputs(
  mapping: SettingsMapping,
  answer: WireValues,
  reading: SettingsReadRequest,
): Record<string, unknown> {
  const { state } = reading;
  const wire = mapping.spellAsDeclared(answer, state);
  const inputs: Record<string, unknown> = {};
  const hashes: Record<string, string> = {};
  const originals = mapping.upgradeOriginals(readOriginals(state));
  const managed = new Set(
    mapping.names.filter((name) => isSet(valueAt(state, name)) || hasOriginal(originals, name)),
  );
  const managedInputs = new Set([...managed].map(inputNameOf));
  for (const name of mapping.names) {
    const input = inputNameOf(name);
    const seen = readObservedValue(mapping, name, wire, reading);
    if (!isInGroup(name)) inputs[name] = seen;
    else if (!isSet(state[input]) && !managedInputs.has(input)) {
      inputs[input] ??= null;
      if (isSet(seen)) putAt(inputs, name, seen);
    } else {
      inputs[input] ??= {};
      const file = mapping.files.get(name);
      const isOfFile = file !== undefined && isSet(valueAt(state, file));
      if (isOfFile) {
        putAt(inputs, file, valueAt(state, file));
        if (typeof seen === "string") hashes[file] = sha256(seen);
      } else if (managed.has(name) && isSet(seen)) putAt(inputs, name, seen);
    }
  }
  if (isSet(state[FILE_HASHES])) inputs[FILE_HASHES] = hashes;
  if (isSet(state["extraSettings"])) {
    // An answer without any setting is not one without these.
    const isAnswered = reading.showsOnlySet || mapping.names.some((name) => isShown(mapping, name, wire));
    inputs["extraSettings"] = isAnswered ? mapping.extra.pickObserved(wire, state) : state["extraSettings"];
  }
  return inputs;
}

/** The inputs without the settings that are as in a new project. */
export function omitDefaults(
  mapping: SettingsMapping,
  observed: SettingValues,
  newProject: readonly WireValues[],
): Record<string, unknown> {
  const inputs: Record<string, unknown> = {};
  for (const name of mapping.names) {
    const value = valueAt(observed, name);
    if (!isSet(value)) continue;
    const defaults = newProject
      .map((each) => readBelow(each, mapping.wirePathOf(name)))
      .filter(isSet)
      .map((each) => mapping.fromWire(name, each));
    const isDefault =
      defaults.length === 0
        ? value === false || value === "" || isDeepStrictEqual(value, [])
        : defaults.some((each) => isDeepStrictEqual(each, value));
    if (!isDefault) putAt(inputs, name, value);
  }
  return inputs;
}

/** The settings of which the service shows the value, also one that a program could not declare. */
export function pickShownValues(mapping: SettingsMapping, wire: WireValues): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const name of mapping.names) {
    const value =
      mapping.visibilityOf(name) === "value" ? readBelow(wire, mapping.wirePathOf(name)) : undefined;
    if (isSet(value)) putAt(shown, name, mapping.fromWire(name, value));
  }
  return shown;
}

function isShown(mapping: SettingsMapping, name: string, wire: WireValues): boolean {
  return readBelow(wire, mapping.wirePathOf(name)) !== undefined;
}

function readObservedValue(
  mapping: SettingsMapping,
  name: string,
  wire: WireValues,
  { ref, state, showsOnlySet, unknown }: SettingsReadRequest,
): unknown {
  const known = valueAt(state, name);
  // What is absent in a group would be taken for unset.
  const unread = isInGroup(name) ? known : undefined;
  if (mapping.visibilityOf(name) === "nothing") return unread;
  const value = readBelow(wire, mapping.wirePathOf(name));
  if (value === undefined && (!showsOnlySet || unknown.includes(name))) return unread;
  if (!isSet(value)) return null;
  if (mapping.visibilityOf(name) === "value") return mapping.fromWire(name, value);
  // A hash that is not the known value's is drift; of what was never declared it says nothing.
  if (!isSet(known)) return undefined;
  return mapping.isSame(ref, name, known, value) ? known : value;
}

/** A state that declares settings among `extraSettings` which this version has by a name of their own. */
export function moveKnownExtras(
  mapping: SettingsMapping,
  state: Record<string, unknown>,
): Record<string, unknown> {
  const moved = [...mapping.extra.readDeclared(state)].flatMap(([extra, value]) =>
    mapping.extra
      .findKnown(extra)
      .map(({ name, below }) => ({ extra, name, value: readBelow(value, below) })),
  );
  if (moved.length === 0) return state;
  const whole: Record<string, unknown> = structuredClone(state);
  let left = isObject(state["extraSettings"]) ? state["extraSettings"] : {};
  for (const { extra, name, value } of moved) {
    if (isSet(value)) putAt(whole, name, mapping.fromWire(name, value));
    left = omitBelow(left, mapping.wirePathOf(extra));
  }
  const inputs = moved.map(({ name }) => inputNameOf(name));
  const { __declared: declared } = state;
  const names = Array.isArray(declared)
    ? [...new Set([...declared.map(String), ...inputs])].sort()
    : undefined;
  const isEmpty = Object.keys(left).length === 0;
  if (isEmpty) Reflect.deleteProperty(whole, "extraSettings");
  else whole["extraSettings"] = left;
  if (names !== undefined)
    whole["__declared"] = names.filter((name) => !(isEmpty && name === "extraSettings"));
  return whole;
}
