import type { TextRange } from "./encoding-index";
import { toSearchable } from "./normalize-escapes";

/** What is shorter may stand in a text of others by chance. */
const SHORTEST = 24;

/** Of our sentences, what stands between the values in them: as it is searched, by how it is written. */
const fragments = new Map<string, string | undefined>();

/** Takes a part of a sentence that is the same whatever the secrets are: to hide a word of it would tell the word. */
export function addOwnWords(fragment: string): void {
  if (fragment.length < SHORTEST || fragments.has(fragment)) return;
  fragments.set(fragment, undefined);
}

/** A part of a sentence: words of ours, or a value. */
export interface SentencePart {
  readonly text: string;
  readonly isOwn: boolean;
}

/** How many sentences are known as they were made: a failure has a few. */
const MOST_SENTENCES = 200;

/** A sentence as it is searched, and where in it words of ours stand. */
interface OwnSentence {
  readonly text: string;
  readonly own: readonly TextRange[];
}

/** Sentences with the values in them, the oldest first: where one stands as a whole, its short parts are known too. */
const sentences = new Map<string, readonly SentencePart[] | OwnSentence>();

/** Takes a sentence of ours as it was made. */
export function addOwnSentence(parts: readonly SentencePart[]): void {
  for (const { text, isOwn } of parts) if (isOwn) addOwnWords(text);
  const ownLength = parts.reduce((sum, { text, isOwn }) => sum + (isOwn ? text.length : 0), 0);
  if (ownLength < SHORTEST) return;
  const whole = parts.map(({ text }) => text).join("");
  sentences.delete(whole);
  sentences.set(whole, parts);
  const [oldest] = sentences.keys();
  if (sentences.size > MOST_SENTENCES && oldest !== undefined) sentences.delete(oldest);
}

/** Of these places in a text, those that are no word of a whole fragment, or of a whole sentence, of ours. */
export function omitOwnWords(text: string, places: readonly TextRange[]): readonly TextRange[] {
  const known = new Map<string, readonly FragmentOccurrence[]>();
  const others = places.filter(({ from, to }) => {
    const secret = text.slice(from, to);
    const occurrences = known.get(secret) ?? occurrencesOf(secret);
    known.set(secret, occurrences);
    return !occurrences.some(({ fragment, at }) => from >= at && text.startsWith(fragment, from - at));
  });
  if (others.length === 0) return others;
  const own = findSentences(text);
  return others.filter(
    ({ from, to }) =>
      !own.some((range) => range.from <= from && to <= range.to && range.ownLength >= 2 * (to - from)),
  );
}

interface FragmentOccurrence {
  readonly fragment: string;
  readonly at: number;
}

function occurrencesOf(secret: string): FragmentOccurrence[] {
  const found: FragmentOccurrence[] = [];
  for (const [written, searched] of fragments) {
    const fragment = searched ?? toSearchable(written).text;
    if (searched === undefined) fragments.set(written, fragment);
    // What is most of a sentence says more than the sentence.
    if (fragment.length < 2 * secret.length) continue;
    for (let at = fragment.indexOf(secret); at !== -1; at = fragment.indexOf(secret, at + 1))
      found.push({ fragment, at });
  }
  return found;
}

/** Words of ours in a text, within a sentence that has so many of them. */
interface OwnRange extends TextRange {
  readonly ownLength: number;
}

function findSentences(text: string): OwnRange[] {
  const found: OwnRange[] = [];
  for (const [whole, made] of sentences) {
    const sentence = "own" in made ? made : searchSentence(whole, made);
    if (sentence !== made) sentences.set(whole, sentence);
    const ownLength = sentence.own.reduce((sum, { from, to }) => sum + to - from, 0);
    for (let at = text.indexOf(sentence.text); at !== -1; at = text.indexOf(sentence.text, at + 1)) {
      for (const { from, to } of sentence.own) found.push({ from: at + from, to: at + to, ownLength });
    }
  }
  return found;
}

function searchSentence(whole: string, parts: readonly SentencePart[]): OwnSentence {
  const view = toSearchable(whole);
  const own = rangesOf(parts).flatMap((range) => {
    const from = view.from.findIndex((start) => start >= range.from);
    const to = view.to.findLastIndex((end) => end <= range.to) + 1;
    return from === -1 || from >= to ? [] : [{ from, to }];
  });
  return { text: view.text, own };
}

/** Where the words of ours stand in a sentence as it was made. */
function rangesOf(parts: readonly SentencePart[]): TextRange[] {
  const ranges: TextRange[] = [];
  let from = 0;
  for (const { text, isOwn } of parts) {
    if (isOwn && text !== "") ranges.push({ from, to: from + text.length });
    from += text.length;
  }
  return ranges;
}
