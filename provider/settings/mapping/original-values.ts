import { z } from "zod";
import { secret } from "../../define/markers";
import { isObject } from "../../../spec/is-object";

/** Settings by name, in the API's form; null or absent means that the setting is not set. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** The original values in Pulumi's state: no program's, as their names begin with `__`. */
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
export interface OriginalValues {
  readonly values: SettingValues;
  readonly unset: readonly string[];
  /** Secrets that had a value, which is known nowhere: the run that found it died, or another resource did. */
  readonly lost: readonly string[];
}

/** Stands for a secret that is set, where only that it is set matters. */
export const SECRET_SET = "[secret]";

export const NO_ORIGINALS: OriginalValues = { values: {}, unset: [], lost: [] };

export function readOriginals(state: SettingValues): OriginalValues {
  const { __found: stored, __foundSecrets: secrets } = state;
  const { values, unset, secrets: names } = isObject(stored) ? stored : {};
  const known = { ...(isObject(values) ? values : {}), ...(isObject(secrets) ? secrets : {}) };
  return {
    values: known,
    unset: toNames(unset),
    lost: toNames(names).filter((name) => !Object.hasOwn(known, name)),
  };
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** What state remembers, and what was found since and `found` has. */
export function mergeOriginals(found: SettingValues, state: SettingValues): OriginalValues {
  const [remembered, kept] = [readOriginals(state), readOriginals(found)];
  const isNew = (name: string): boolean => !hasOriginal(remembered, name);
  const added = Object.entries(kept.values).filter(([name]) => isNew(name));
  return {
    values: { ...remembered.values, ...Object.fromEntries(added) },
    unset: [...remembered.unset, ...kept.unset.filter(isNew)],
    lost: [...remembered.lost, ...kept.lost.filter(isNew)],
  };
}

export function hasOriginal({ values, unset, lost }: OriginalValues, name: string): boolean {
  return Object.hasOwn(values, name) || unset.includes(name) || lost.includes(name);
}

export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether an answer says something of a setting: what it leaves out is not known, unless it shows only what is set. */
export function isTold(
  { showsOnlySet }: { readonly showsOnlySet?: true },
  shown: SettingValues,
  name: string,
): boolean {
  return showsOnlySet === true || shown[name] !== undefined;
}
