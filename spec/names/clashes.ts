import type { NamesFile } from "./names-file";
import type { Placeholders, Vocabulary } from "./vocabulary";
import type { Words } from "./words";

/** Entries of a names file that cannot all be right; `path` leads to the one that comes second. */
export interface Clash {
  readonly path: readonly string[];
  readonly reason: string;
}

const SECTIONS_OF_DISTINCT_WORDS = [
  "paths",
  "fieldPrefixes",
  "fields",
  "reservedPrefixes",
  "schemas",
  "roles",
  "publications",
  "extensions",
  "eventTriggers",
  "tool",
] as const;

/** Everything by which a name would mean two things, in the file alone or with what the operation table has. */
export function findClashes(
  file: NamesFile,
  words: Words,
  vocabulary: Vocabulary,
  placeholders: Placeholders,
): readonly Clash[] {
  const clashes = [
    ...SECTIONS_OF_DISTINCT_WORDS.flatMap((section) =>
      findSharedWords(
        Object.entries(file[section]).map(([name, word]) => ({ name, word, path: [section, name] })),
      ),
    ),
    ...findValueClashes(file, placeholders),
    ...findPathClashes(words, vocabulary),
    ...findFieldClashes(words, vocabulary),
    ...findEnumClashes(file, vocabulary),
    ...findReservedClashes(file),
  ];
  // One is told of each entry: the others follow from it.
  const first = new Map(clashes.toReversed().map((clash) => [clash.path.join("\n"), clash]));
  return clashes.filter((clash) => first.get(clash.path.join("\n")) === clash);
}

interface WordEntry {
  readonly name: string;
  readonly word: string;
  readonly path: readonly string[];
}

/** One word for two names. */
function findSharedWords(entries: readonly WordEntry[]): Clash[] {
  const names = new Map<string, string>();
  return entries.flatMap(({ name, word, path }) => {
    const other = names.get(word);
    names.set(word, other ?? name);
    return other === undefined || other === name
      ? []
      : [{ path, reason: `"${word}" stands for "${other}" already: each word stands for one name` }];
  });
}

/** A value has one word in all fields that take it: what is asked for by one is answered in another. */
function findValueClashes({ values }: NamesFile, placeholders: Placeholders): Clash[] {
  const entries = Object.entries(values).flatMap(([field, words]) =>
    Object.entries(words).map(([name, word]) => ({ field, name, word, path: ["values", field, name] })),
  );
  const perValue = new Map<string, (typeof entries)[number]>();
  const twofold = entries.flatMap((entry): Clash[] => {
    const first = perValue.get(entry.name) ?? entry;
    perValue.set(entry.name, first);
    return first.word === entry.word
      ? []
      : [
          {
            path: entry.path,
            reason: `"${entry.name}" is "${first.word}" in "${first.field}": a value has one word in all fields`,
          },
        ];
  });
  const partly = [...perValue.values()].flatMap(({ name, path }): Clash[] => {
    const missing = Object.keys(placeholders.values).filter(
      (field) => placeholders.values[field]?.includes(name) === true && values[field]?.[name] === undefined,
    );
    return missing.length === 0
      ? []
      : [
          {
            path,
            reason: `"${name}" is a value of "${missing.join('" and "')}" too: give it its word there as well`,
          },
        ];
  });
  return [...twofold, ...findSharedWords(entries), ...partly];
}

/** Two places that become one, such as a segment that has the name of its neighbour. */
function findPathClashes(words: Words, { paths }: Vocabulary): Clash[] {
  const places = new Map<string, string>();
  return paths.flatMap((path) => {
    const segments = path.replaceAll(/\{\w+\}/g, "{}").split("/");
    return segments.flatMap((segment, index): Clash[] => {
      const place = segments.slice(0, index + 1).join("/");
      const mapped = segments
        .slice(0, index + 1)
        .map((one) => words.paths.get(one) ?? one)
        .join("/");
      const other = places.get(mapped);
      places.set(mapped, other ?? place);
      if (other === undefined || other === place) return [];
      const placeholder = words.paths.has(segment) ? segment : (other.split("/").at(-1) ?? "");
      return [{ path: ["paths", placeholder], reason: `${mapped} is a path already, of something else` }];
    });
  });
}

/** Two fields of an object that become one. */
function findFieldClashes(words: Words, { objects }: Vocabulary): Clash[] {
  return objects.flatMap((fields) => {
    const names = new Map<string, string>();
    return fields.flatMap((field): Clash[] => {
      const { word } = words.field(field);
      const other = names.get(word);
      names.set(word, other ?? field);
      if (other === undefined || other === field) return [];
      const path = words.field(field).entry ?? words.field(other).entry ?? [];
      return [{ path, reason: `"${word}" would be both "${other}" and "${field}"` }];
    });
  });
}

/** Two values of a field that become one. */
function findEnumClashes({ values }: NamesFile, { enums }: Vocabulary): Clash[] {
  return enums.flatMap(({ field, values: listed }) =>
    Object.entries(values[field] ?? {}).flatMap(([placeholder, word]): Clash[] => {
      const isTaken = listed.includes(word) && word !== placeholder && values[field]?.[word] === undefined;
      return listed.includes(placeholder) && isTaken
        ? [{ path: ["values", field, placeholder], reason: `"${word}" is a value of "${field}" already` }]
        : [];
    }),
  );
}

/** Where one prefix begins with the other, nobody can tell them apart. */
function findReservedClashes({ reservedPrefixes }: NamesFile): Clash[] {
  return Object.entries(reservedPrefixes).flatMap(([placeholder, word]): Clash[] =>
    word !== placeholder && (word.startsWith(placeholder) || placeholder.startsWith(word))
      ? [
          {
            path: ["reservedPrefixes", placeholder],
            reason: `one of "${placeholder}" and "${word}" begins with the other: no name would tell which it has`,
          },
        ]
      : [],
  );
}
