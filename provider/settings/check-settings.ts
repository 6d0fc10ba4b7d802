import type { CheckFailure, CheckResult } from "../define/resource";
import { UNKNOWN } from "../define/unknown";
import { isSet, type SettingValues } from "./found-settings";
import { inputOf, valueAt } from "./setting-fields";
import { checkFiles, FILE_HASHES } from "./setting-files";
import type { AnySettings } from "./settings-definition";
import type { SettingsForm } from "./settings-form";

/** Rules that every configuration has, and the hashes of the files that it names. */
export function checkSettings(
  definition: AnySettings,
  form: SettingsForm,
  inputs: SettingValues,
  isUnknown: (name: string) => boolean,
  before?: SettingValues,
): CheckResult<Record<string, unknown>> {
  const { emptiedBy = [] } = definition;
  const { failures, computed } = checkFiles(form.files, inputs);
  // While something beside a file is not known, neither is which files there are.
  const isOpen =
    isSet(before?.[FILE_HASHES]) && [...form.files.values()].some((file) => isUnknown(inputOf(file)));
  return {
    failures: [
      ...failures,
      ...emptiedBy.flatMap((name) => besideEmptied(form, inputs, name)),
      ...form.extra.failures(inputs["extraSettings"]),
      ...(definition.check?.(inputs, isUnknown, before) ?? []),
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
