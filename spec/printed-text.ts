/* oxlint-disable no-control-regex -- the escape of a terminal is what is looked for */

/** What a terminal acts on or nobody sees: controls, formats such as bidi and zero width, halves of characters, blank letters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u3164\uffa0]/gu;

/** The same, but for the colours of the engine. */
const COLOUR_OR_UNSEEN =
  /\u001b\[[0-9;:]{0,40}m|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u3164\uffa0]/gu;

/** A line that GitHub takes for a command: it does not mind what blanks come first. */
const COMMAND_LINE = /^((?:[^\S\n]|\u001b\[[0-9;:]{0,40}m)*)::/gm;

/** What it, Azure and TeamCity take for one anywhere in a line, and the marks of GitLab's sections. */
const COMMAND = /##(?=\[|vso\[|teamcity\[)|section_(?=start:|end:)/g;

/** A text of ours or of others as a person or a log gets it: nothing in it is acted on. It escapes as JSON and JavaScript do. */
export function toPrintable(text: string): string {
  return breakCommands(
    text
      .replaceAll("\r\n", "\n")
      .replace(UNSEEN, (character) => (isLayout(character) ? character : escapeUnits(character))),
  );
}

/** The same for what the engine and its programs print, whose colours stay. */
export function toPrintableOutput(text: string): string {
  return breakCommands(
    text
      .replaceAll("\r\n", "\n")
      .replace(COLOUR_OR_UNSEEN, (match) =>
        match.endsWith("m") || isLayout(match) ? match : escapeUnits(match),
      ),
  );
}

function breakCommands(text: string): string {
  return text
    .replace(COMMAND_LINE, (_, blanks: string) => `${blanks}${escapeUnits(":")}:`)
    .replace(COMMAND, (mark) => `${escapeUnits(mark.slice(0, 1))}${mark.slice(1)}`);
}

function isLayout(character: string): boolean {
  return character === "\n" || character === "\t";
}

/** In code units, as JSON has no other escapes. */
function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}
