import { addOwnWords } from "../redaction/own-words";
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
  const fragments = template.split(SLOT).filter((_, at) => at % 4 === 0);
  return {
    ...text,
    message: (values?: Readonly<Record<string, string | number>>) => {
      for (const fragment of fragments) addOwnWords(fragment);
      return template.replace(SLOT, (slot, before: string, name: string, _after: string, offset: number) => {
        const value = values?.[name];
        if (value === undefined) return slot;
        const text = String(value);
        if (before === "") return text;
        const isCode = template.slice(0, offset).split("`").length % 2 === 0;
        if (before === '"' && !isCode) return quoteInSentence(escapeHidden(text));
        // What stands in quotes in code may be copied: into a program, a shell or SQL.
        if (before === '"') return quoteText(text);
        const isCommand = /`pulumi [^`]*$/.test(template.slice(0, offset));
        return isCommand ? quoteForShell(text) : `'${text.replaceAll("'", "''")}'`;
      });
    },
  };
}
