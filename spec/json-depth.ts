/** Deeper than any answer of the service or document of a user, and shallow enough for every walk over it. */
const DEEPEST_JSON = 500;

/** Whether a text nests arrays and objects beyond what is read. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (isInString) {
      if (mark === "\\") at += 1;
      else if (mark === '"') isInString = false;
    } else if (mark === '"') isInString = true;
    else if (mark === "[" || mark === "{") {
      depth += 1;
      if (depth > DEEPEST_JSON) return true;
    } else if (mark === "]" || mark === "}") depth -= 1;
  }
  return false;
}
