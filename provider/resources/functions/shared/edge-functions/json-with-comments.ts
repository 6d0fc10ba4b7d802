import { evaluate, parse } from "@humanwhocodes/momoa";

/** What a text says as JSON that may have comments and trailing commas; undefined where it is none. */
export function jsonWithComments(text: string): unknown {
  try {
    return evaluate(parse(text, { mode: "jsonc", allowTrailingCommas: true }));
  } catch {
    return undefined;
  }
}
