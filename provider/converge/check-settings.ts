import type { CheckFailure, CheckResult } from "../define/resource";
import { UNKNOWN } from "../define/unknown";
import type { AnySettings } from "./configuration";
import { isSet, type SettingValues } from "./found-settings";
import { inputOf, valueAt } from "./setting-fields";
import { checkFiles, FILE_HASHES } from "./setting-files";
import { extraIn, type SettingsForm } from "./settings-form";

/** Rules that every configuration has, and the hashes of the files that it names. */
export function checkSettings(
  definition: AnySettings,
  form: SettingsForm,
  inputs: SettingValues,
  isUnknown: (name: string) => boolean,
  before: SettingValues = {},
): CheckResult<Record<string, unknown>> {
  const { body, emptiedBy = [] } = definition;
  const { failures, computed } = checkFiles(form.files, inputs);
  // While something beside a file is not known, neither is which files there are.
  const isOpen =
    isSet(before[FILE_HASHES]) && [...form.files.values()].some((file) => isUnknown(inputOf(file)));
  return {
    failures: [
      ...failures,
      ...emptiedBy.flatMap((name) => besideEmptied(form, inputs, name)),
      ...Object.keys(extraIn(inputs)).flatMap((wireName) => extraFailures(form, body.shape, wireName)),
      ...(definition.check?.(inputs, isUnknown) ?? []),
    ],
    computed: isOpen ? { [FILE_HASHES]: UNKNOWN } : computed,
  };
}

/** What is emptied cannot be set at the same time. */
function besideEmptied(form: SettingsForm, inputs: SettingValues, name: string): CheckFailure[] {
  if (valueAt(inputs, name) !== "") return [];
  const group = name.slice(0, name.lastIndexOf(".") + 1);
  return form.names
    .filter((other) => other.startsWith(group) && other !== name && isSet(valueAt(inputs, other)))
    .map((path) => ({ path, reason: `take it out: an empty \`${name}\` empties it on the service` }));
}

/** A setting that this version has is declared by its own name. */
function extraFailures(form: SettingsForm, known: object, wireName: string): CheckFailure[] {
  const path = `extraSettings.${wireName}`;
  const name = form.settingOf(wireName);
  if (name !== undefined) return [{ path, reason: `declare \`${name}\` instead, which this version has` }];
  return Object.hasOwn(known, wireName)
    ? [{ path, reason: "it is no setting, but part of how a change is made" }]
    : [];
}
