import type { TextRange } from "./encoding-index";
import { toSearchable } from "./normalize-escapes";

/** What is shorter may stand in a text of others by chance. */
const SHORTEST = 24;

/** Of our sentences, what stands between the values in them: as it is searched, by how it is written. */
const fragments = new Map<string, string>();

/** Takes a part of a sentence that is the same whatever the secrets are: to hide a word of it would tell the word. */
export function addOwnWords(fragment: string): void {
  if (fragment.length < SHORTEST || fragments.has(fragment)) return;
  fragments.set(fragment, toSearchable(fragment).text);
}

/** Of these places in a text, those that are no word of a whole fragment of ours. */
export function omitOwnWords(text: string, places: readonly TextRange[]): readonly TextRange[] {
  const known = new Map<string, readonly FragmentOccurrence[]>();
  return places.filter(({ from, to }) => {
    const secret = text.slice(from, to);
    const occurrences = known.get(secret) ?? occurrencesOf(secret);
    known.set(secret, occurrences);
    return !occurrences.some(({ fragment, at }) => from >= at && text.startsWith(fragment, from - at));
  });
}

interface FragmentOccurrence {
  readonly fragment: string;
  readonly at: number;
}

function occurrencesOf(secret: string): FragmentOccurrence[] {
  const found: FragmentOccurrence[] = [];
  for (const fragment of fragments.values()) {
    // What is most of a sentence says more than the sentence.
    if (fragment.length < 2 * secret.length) continue;
    for (let at = fragment.indexOf(secret); at !== -1; at = fragment.indexOf(secret, at + 1))
      found.push({ fragment, at });
  }
  return found;
}
