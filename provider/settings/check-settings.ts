import type { CheckResult } from "../define/resource";
import { UNKNOWN } from "../define/unknown";
import { isSet, type SettingValues } from "./mapping/original-values";
import { inputNameOf } from "./mapping/setting-fields";
import { checkFiles, FILE_HASHES } from "./mapping/setting-files";
import type { AnySettings } from "./settings-definition";
import type { SettingsMapping } from "./mapping/settings-mapping";

/** Rules that every configuration has, and the hashes of the files that it names. */
export function checkSettings(
  definition: Pick<AnySettings, "check">,
  mapping: SettingsMapping,
  inputs: SettingValues,
  isUnknown: (name: string) => boolean,
  before?: SettingValues,
): CheckResult<Record<string, unknown>> {
  const { failures, computed } = checkFiles(mapping.files, inputs);
  // While something beside a file is not known, neither is which files there are.
  const isOpen =
    isSet(before?.[FILE_HASHES]) && [...mapping.files.values()].some((file) => isUnknown(inputNameOf(file)));
  return {
    failures: [
      ...failures,
      ...mapping.extra.listFailures(inputs["extraSettings"]),
      ...(definition.check?.(inputs, isUnknown, before) ?? []),
    ],
    computed: isOpen ? { [FILE_HASHES]: UNKNOWN } : computed,
  };
}
