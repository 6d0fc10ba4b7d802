import { ownSentences } from "./own-sentences.generated";
import { addOwnWords } from "./own-words";

/** Takes the sentences of this package, for a command that prints what others of its processes say too. */
export function addAllOwnWords(): void {
  for (const sentence of ownSentences) addOwnWords(sentence);
}
