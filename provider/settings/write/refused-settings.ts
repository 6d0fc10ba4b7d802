import { ApiError, ForbiddenError, isNotFound, isRefusal } from "../../client/errors/errors";
import { namesPlan } from "../../client/errors/api-error";
import { quoteServiceMessage, replaceMessage } from "../../client/errors/with-message";
import { formatCodeList } from "../../define/format-code-list";
import { settingsProblems } from "../../define/problems";
import { inputNameOf } from "../mapping/setting-fields";
import type { SettingsMapping } from "../mapping/settings-mapping";

/** A place in a body or an API name as words of a message, `body.` before it or not; not part of a path of a URL. */
const PLACE = /(?<![\w./-])(?:body\.)?([A-Za-z]\w*(?:\.\w+)*)/g;

/** What was to be written, for the message. */
export interface RefusedWrite {
  readonly type: string;
  readonly ref: string;
  /** The settings that a write was to change. */
  readonly names: readonly string[];
}

/** The same error by the program's names where the service refuses a write; any other error as it is. */
export function renameInError(
  mapping: SettingsMapping,
  error: unknown,
  { type, ref, names }: RefusedWrite,
): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error instanceof ForbiddenError) {
    if (names.length === 0) return error;
    const settings = formatCodeList([...new Set(names.map(inputNameOf))]);
    const cause = error.message;
    return replaceMessage(error, settingsProblems.notAllowed.message({ type, ref, settings, cause }));
  }
  if (!isRefusal(error)) return error;
  const { paths } = translate(mapping, error.serviceMessage);
  if (paths.length === 0) return error;
  const settings = formatCodeList(paths);
  const cause = translate(mapping, error.message).text;
  return replaceMessage(error, settingsProblems.refused.message({ type, ref, settings, cause }));
}

/** The same of a delete: what restores nothing needs another advice than what the program declares. */
export function explainRefusedRestore(
  mapping: SettingsMapping,
  error: unknown,
  { type, ref, names, urn }: RefusedWrite & { readonly urn: string },
): unknown {
  // A project that is gone has nothing to restore.
  if (isNotFound(error)) return error;
  if (!(error instanceof ApiError)) return error;
  const isOfPlan =
    error.status === 402 || (error instanceof ForbiddenError && namesPlan(error.serviceMessage));
  if (!isRefusal(error) && !isOfPlan) return renameInError(mapping, error, { type, ref, names });
  const { text, paths } = translate(mapping, quoteServiceMessage(error));
  const changed = names.length === 0 ? mapping.names : names;
  const settings = formatCodeList(paths.length === 0 ? [...new Set(changed.map(inputNameOf))] : paths);
  return replaceMessage(
    error,
    settingsProblems.restoreRefused.message({ type, ref, settings, answer: text, urn }),
  );
}

/** A text of the service with the program's paths in place of its own names. */
function translate(
  mapping: SettingsMapping,
  text: string,
): { readonly text: string; readonly paths: readonly string[] } {
  const paths = new Set<string>();
  const translated = text.replace(PLACE, (place: string, dotted: string) => {
    const path = mapping.findProgramPath(dotted);
    if (path === undefined) return place;
    paths.add(path);
    return path;
  });
  return { text: translated, paths: [...paths] };
}
