/** What texts for users do not say, and what they say instead. */
export const unplainPhrases: ReadonlyMap<string, string> = new Map([
  ["is there", "exists"],
  ["are there", "exist"],
  ["what is there", "what exists"],
  ["any more", "no longer"],
  ["anew", "recreated, again"],
  ["is called as", "is named after"],
  ["taken to be", "treated as"],
  ["gave up", "timed out"],
  ["goes on", "continues"],
  ["going on with", "resuming"],
  ["behind everybody's back", "outside Pulumi"],
  ["as it should be", "failed, is correct"],
  ["goes over to", "moves to"],
  ["take out", "remove"],
  ["taken out", "removed"],
  ["brought about", "processed, created"],
  ["that does not fit", "must be …"],
  ["in order to", "to"],
  ["is to last", "lasts"],
  ["told apart", "distinguished"],
  ["has gone", "no longer exists"],
  ["lets go of", "releases"],
  ["stands in", "is in"],
  ["made of", "created from"],
  ["journal", "ledger"],
]);

/** The phrases of these that the text has. */
export function unplainIn(text: string): string[] {
  return [...unplainPhrases.keys()].filter((phrase) => new RegExp(`\\b${phrase}\\b`, "i").test(text));
}
