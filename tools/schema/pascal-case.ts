/** The words of a name or value: `regionSelection`, `us-east-1` and `24xlarge_high_memory` alike. */
function wordsOf(text: string): string[] {
  return text.match(/[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+/g) ?? [];
}

/** `ProjectRegion` of `projectRegion`, `UsEast1` of `us-east-1`, `ActiveHealthy` of `ACTIVE_HEALTHY`. */
export function pascalCase(text: string): string {
  return wordsOf(text).map(capitalized).join("");
}

/** Whole words in capitals are shouted ones; with a digit, as in `ES256`, or of two letters they are acronyms. */
function capitalized(word: string): string {
  const isShouted = /^[A-Z]{3,}$/.test(word);
  return word.slice(0, 1).toUpperCase() + (isShouted ? word.slice(1).toLowerCase() : word.slice(1));
}

/** The name of one element of what is named in the plural: `services`, `statuses`, `policies`. */
export function singular(plural: string): string {
  if (plural.endsWith("ies")) return `${plural.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|us|x)es$/.test(plural)) return plural.slice(0, -2);
  return plural.endsWith("s") && !plural.endsWith("ss") ? plural.slice(0, -1) : plural;
}
