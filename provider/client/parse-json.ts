import { isTooDeep } from "../../spec/json-depth";

/** What a text says as JSON; undefined where it is none, or is nested too deeply to be read. */
export function parseJson(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}
