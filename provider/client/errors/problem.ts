import { addOwnSentence, type SentencePart } from "../redaction/own-words";
import { escapeHidden, quoteForShell, quoteInSentence, quoteText } from "../../../spec/shown-text";

/** What the reference says of something that can go wrong. */
export interface ProblemText {
  /** The message with its values as `{name}`; `{remedy}` stands for the remedy. */
  readonly says: string;
  readonly means: string;
  /** What to do, as sentences without the last full stop. */
  readonly remedy: string;
}

/** Something that can go wrong: its message is thrown, and the reference shows the same text. */
export interface Problem<Name extends string> extends ProblemText {
  /** The message with these values. */
  readonly message: (
    ...values: [Name] extends [never] ? [] : [Readonly<Record<Name, string | number>>]
  ) => string;
}

/** Problems by name, as a definition lists them. */
export type Problems = Readonly<Record<string, ProblemText>>;

type PlaceholderNames<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderNames<Rest>
  : never;

const SLOT = /(["'](?=\{\w+\}["'])|)\{(\w+)\}((?<=["']\{\w+\})["']|)/g;

/** The names of a message's values are checked where it is made, so they must be literal: no `+` between strings. */
export function defineProblem<const Says extends string, const Remedy extends string>(text: {
  says: Says;
  means: string;
  remedy: Remedy;
}): Problem<Exclude<PlaceholderNames<Says> | PlaceholderNames<Remedy>, "remedy">> {
  const { says, remedy } = text;
  // After a colon a remedy goes on with the sentence.
  const template = says.replace(/(: )?\{remedy\}/, (_, colon?: string) =>
    colon === undefined ? remedy : `${colon}${remedy.slice(0, 1).toLowerCase()}${remedy.slice(1)}`,
  );
  return {
    ...text,
    message: (values?: Readonly<Record<string, string | number>>) => {
      const parts: SentencePart[] = [];
      let next = 0;
      for (const { 0: slot, 1: quote = "", 2: name = "", index } of template.matchAll(SLOT)) {
        const value = values?.[name];
        if (value === undefined) continue;
        const written = writeValue(template.slice(0, index), quote, String(value));
        parts.push({ text: template.slice(next, index), isOwn: true }, { text: written, isOwn: false });
        next = index + slot.length;
      }
      parts.push({ text: template.slice(next), isOwn: true });
      addOwnSentence(parts);
      return parts.map((part) => part.text).join("");
    },
  };
}

/** A value as it stands in a message, after what is before it. */
function writeValue(before: string, quote: string, value: string): string {
  if (quote === "") return value;
  const isCode = before.split("`").length % 2 === 0;
  if (quote === '"' && !isCode) return quoteInSentence(escapeHidden(value));
  // What stands in quotes in code may be copied: into a program, a shell or SQL.
  if (quote === '"') return quoteText(value);
  const isCommand = /`pulumi [^`]*$/.test(before);
  return isCommand ? quoteForShell(value) : `'${value.replaceAll("'", "''")}'`;
}
