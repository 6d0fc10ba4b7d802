import { ApiError, ForbiddenError, isRefusal } from "../client/errors/errors";
import { restated } from "../client/errors/restated";
import { settingsProblems } from "../define/problems";
import { inputOf } from "./setting-fields";
import type { SettingsForm } from "./settings-form";
import { listed } from "../define/listed";

/** A place in a body or a wire's name as words of a message, `body.` before it or not; not part of a path of a URL. */
const PLACE = /(?<![\w./-])(?:body\.)?([A-Za-z]\w*(?:\.\w+)*)/g;

/** What was to be written, for the message. */
interface Attempt {
  readonly type: string;
  readonly ref: string;
  /** The settings that a write was to change. */
  readonly names: readonly string[];
}

/** The same error by the program's names where the service refuses a write; any other error as it is. */
export function inProgramNames(form: SettingsForm, error: unknown, attempt: Attempt): unknown {
  if (!(error instanceof ApiError)) return error;
  const { type, ref, names } = attempt;
  if (error instanceof ForbiddenError) {
    if (names.length === 0) return error;
    const settings = listed([...new Set(names.map(inputOf))]);
    return restated(
      error,
      settingsProblems.notAllowed.message({ type, ref, settings, cause: error.message }),
    );
  }
  if (!isRefusal(error)) return error;
  const paths = new Set<string>();
  const translate = (text: string): string =>
    text.replace(PLACE, (place: string, dotted: string) => {
      const path = form.programPath(dotted);
      if (path === undefined) return place;
      paths.add(path);
      return path;
    });
  translate(error.serviceMessage);
  if (paths.size === 0) return error;
  const settings = listed([...paths]);
  const cause = translate(error.message);
  return restated(error, settingsProblems.refused.message({ type, ref, settings, cause }));
}
