import {
  hasOriginal,
  isSet,
  mergeOriginals,
  readOriginals,
  SECRET_SET,
  type OriginalValues,
  type SettingValues,
} from "../mapping/original-values";
import { isInGroup } from "../mapping/setting-fields";
import type { SettingsMapping, WireValues } from "../mapping/settings-mapping";

/** What a step is for. */
export interface SettingsStep {
  readonly ref: string;
  /** What the program declares, with the texts of its files; where the resource goes, what it declared. */
  readonly inputs: SettingValues;
  /** What Pulumi's state has; empty where the settings are not managed yet. */
  readonly state: SettingValues;
  /** The settings that it concerns. */
  readonly names: readonly string[];
  /** The resource goes: nothing is declared, and everything that it manages is concerned. */
  readonly isDelete?: true;
}

/** What a step finds. */
export interface SettingsFindings {
  /** The configuration as the service answers it, and by setting. */
  readonly wire: WireValues;
  readonly current: SettingValues;
  /** What an earlier write of this step, or a run that died, had found. */
  readonly kept: SettingValues;
  /** What other resources share of the same configuration. */
  readonly others: readonly SettingValues[];
}

export type SettingsPlanRequest = SettingsStep & SettingsFindings;

/** What becomes of the settings that a step concerns. */
export interface SettingsPlan {
  /** The values to bring about, null for settings to unset; what is not named stays as it is. */
  readonly wanted: SettingValues;
  /** What is known of the managed settings once that is done; undefined where nothing will be restored. */
  readonly originals: OriginalValues | undefined;
  /** The same until then. */
  readonly before: OriginalValues;
  /** Settings that are managed no longer and go back. */
  readonly released: readonly string[];
  /** Settings that are managed no longer and stay as they are. */
  readonly staying: readonly string[];
  /** Secrets that are managed no longer, of which it is not known what they were. */
  readonly lost: readonly string[];
  /** What the user is warned of once it is done. */
  readonly warnings: readonly string[];
}

/** The usual plan with what a configuration does otherwise; may throw. No network. */
export type PlanAdjustment = (
  plan: SettingsPlan,
  request: SettingsPlanRequest,
  mapping: SettingsMapping,
) => SettingsPlan;

/** The settings that an update concerns: what a run that died had begun to manage may be declared no longer. */
export function listConcerned(
  mapping: SettingsMapping,
  {
    ref,
    inputs,
    state,
    kept,
    changed,
  }: Omit<SettingsStep, "names"> & Pick<SettingsFindings, "kept"> & { readonly changed: ReadonlySet<string> },
): string[] {
  const found = mapping.upgradeOriginals(readOriginals(kept));
  const before = mapping.upgradeOriginals(mergeOriginals(kept, state));
  const [was, is] = [mapping.convertDeclared(state), mapping.convertDeclared(inputs)];
  const isAsBefore = (name: string): boolean =>
    hasOriginal(before, name) && Object.hasOwn(is, name) && mapping.isSame(ref, name, was[name], is[name]);
  const names = new Set([...Object.keys(is), ...Object.keys(was), ...mapping.names]);
  return [...names].filter(
    (name) =>
      mapping.isConcerned(changed, name, isAsBefore) ||
      hasOriginal(found, name) ||
      (isInGroup(name) && hasOriginal(before, name) && !Object.hasOwn(is, name)),
  );
}

/** Newly declared settings have their value kept; those no longer declared get theirs back, unless others declare them. */
export function planDeclared(
  mapping: SettingsMapping,
  shows: (name: string) => "value" | "presence" | "nothing",
  request: SettingsPlanRequest,
): SettingsPlan {
  const { inputs, state, names, current, kept, others } = request;
  const declared = mapping.convertDeclared(inputs, current);
  const before = mapping.upgradeOriginals(mergeOriginals(kept, state));
  const wanted: Record<string, unknown> = {};
  const values: Record<string, unknown> = { ...before.values };
  const unset = new Set(before.unset);
  const lost = new Set(before.lost);
  const left: string[] = [];
  const released: string[] = [];
  for (const name of names) {
    const isKept = Object.hasOwn(values, name) || unset.has(name) || lost.has(name);
    // Null is declared where another setting empties this one.
    if (Object.hasOwn(declared, name)) {
      wanted[name] = declared[name];
      if (isKept || shows(name) === "nothing") continue;
      const theirs = findOtherOriginals(mapping, name, request);
      const value = theirs === undefined ? current[name] : theirs.values[name];
      if (theirs?.lost.includes(name) === true) lost.add(name);
      else if (!isSet(value)) unset.add(name);
      else if (shows(name) === "value") values[name] = value;
    } else if (isKept) {
      if (!isDeclaredBy(others, name)) {
        if (lost.has(name)) left.push(name);
        else {
          wanted[name] = values[name] ?? null;
          released.push(name);
        }
      }
      Reflect.deleteProperty(values, name);
      lost.delete(name);
      unset.delete(name);
    }
  }
  const originals = { values, unset: [...unset].sort(), lost: [...lost].sort() };
  return { wanted, originals, before, released, staying: [], lost: left, warnings: [] };
}

/** Everything that no other resource declares gets its original value back, as far as that is known. */
export function planRelease(mapping: SettingsMapping, request: SettingsPlanRequest): SettingsPlan {
  const { state, names, kept, others } = request;
  const before = mapping.upgradeOriginals(mergeOriginals(kept, state));
  const isOwn = (name: string): boolean => !isDeclaredBy(others, name);
  const found = { ...before.values, ...Object.fromEntries(before.unset.map((name) => [name, null])) };
  const wanted = Object.fromEntries(Object.entries(found).filter(([name]) => isOwn(name)));
  return {
    wanted,
    originals: undefined,
    before,
    released: Object.keys(wanted),
    staying: names.filter((name) => isOwn(name) && !hasOriginal(before, name)),
    lost: before.lost.filter(isOwn),
    warnings: [],
  };
}

/** What another resource found that may have brought about what is there now: one that was renamed. */
function findOtherOriginals(
  mapping: SettingsMapping,
  name: string,
  { ref, current, others }: SettingsPlanRequest,
): OriginalValues | undefined {
  return (
    others
      // Of a secret nothing is shared but that it is declared.
      .filter(
        (other) =>
          other[name] === SECRET_SET ||
          (isSet(other[name]) && mapping.isSame(ref, name, other[name], current[name])),
      )
      .map(readOriginals)
      .find((each) => hasOriginal(each, name))
  );
}

function isDeclaredBy(others: readonly SettingValues[], name: string): boolean {
  return others.some((other) => isSet(other[name]));
}
