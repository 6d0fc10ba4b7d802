import fc from "fast-check";
import { normalizeEscapes } from "../../../../provider/client/redaction/normalize-escapes";

const ESCAPES: Readonly<Record<string, (text: string) => string>> = {
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  "JSON with escaped slashes": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "JSON in ASCII": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "a URL": (text) => encodeURIComponent(text.toWellFormed()),
  "a URL with small escapes": (text) =>
    encodeURIComponent(text.toWellFormed()).replace(/%../g, (escape) => escape.toLowerCase()),
  "a form": (text) => new URLSearchParams([["", text]]).toString().slice(1),
  HTML: (text) =>
    text.replaceAll(
      /[&<>"']/g,
      (character) => `&${{ "&": "amp", "<": "lt", ">": "gt", '"': "quot" }[character] ?? "#39"};`,
    ),
  "lines with an indent": (text) => text.replaceAll("\n", "\r\n    "),
};
const names = Object.keys(ESCAPES);

/** What escapes and is escaped, beside everything else. */
const character = fc.oneof(
  fc.constantFrom(...Array.from("\\\\%+nrux&#;{}/\"' \n\t041aB")),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
);
const text = fc.array(character, { maxLength: 40 }).map((characters) => characters.join(""));

function escaped(value: string, layers: readonly string[]): string {
  return layers.reduce((inner, name) => ESCAPES[name]?.(inner) ?? inner, value);
}

it.each(names)("takes off what %s puts on, three times over", (name) => {
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 3 }), (value, times) => {
      const layers = Array.from({ length: times }, () => name);
      expect(normalizeEscapes(escaped(value, layers)).text).toBe(normalizeEscapes(value).text);
    }),
  );
});

it.each([
  [String.raw`\x73\xC3\xA9\\x63`, "s\u00e9c"],
  [String.raw`caf\xe9`, "caf\u00e9"],
  [String.raw`\x736563726574 \x73ee`, "secret see"],
  [String.raw`\u{73}\u{1F600}\u{110000}`, "s\u{1F600}u{110000}"],
  ["&#115;&#x65;&amp;#99;&AMP;amp;lt;&quot;&#1114112;&copy;", 'sec<"&#1114112;&copy;'],
])("takes off %j", (source, text) => {
  expect(normalizeEscapes(source).text).toBe(text);
});

it("takes off JSON that is inside JSON, a URL or a form", () => {
  const readable = fc.string({ unit: fc.constantFrom(...Array.from('ab=/" \n\\+ö€')), maxLength: 40 });
  const layers = fc.array(fc.constantFrom("JSON", "JSON in ASCII"), { maxLength: 2 });
  fc.assert(
    fc.property(readable, layers, fc.constantFrom(...names), (value, inner, outer) => {
      expect(normalizeEscapes(escaped(value, [...inner, outer])).text).toBe(normalizeEscapes(value).text);
    }),
  );
});

it("knows of each character where it comes from", () => {
  const source = "a\\\\nb%41%42";
  const { text: read, from, to } = normalizeEscapes(source);
  expect(read).toBe("a bAB");
  expect(Array.from(read).map((_, at) => source.slice(from[at], to[at]))).toEqual([
    "a",
    "\\\\n",
    "b",
    "%41%42",
    "%41%42",
  ]);
});
