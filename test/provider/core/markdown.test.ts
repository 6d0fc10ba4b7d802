import fc from "fast-check";
import { formatBlock, formatCode, formatProse, formatTable } from "../../../provider/core/markdown";
import { HOSTILE_TEXTS, hostileText, UNSEEN } from "../../kit/hostile-texts";

const examples = Object.values(HOSTILE_TEXTS).map((text): [string] => [text]);

/** What a renderer makes of code: the inside of a span whose fence no run within it equals, or of an element of entities alone. */
function insideOf(code: string): string | undefined {
  const element = /^<code>((?:[\w .\-\u0080-\u{10ffff}]|&#\d+;)*)<\/code>$/u.exec(code)?.[1];
  if (element !== undefined)
    return element.replaceAll(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)));
  const [, fence = "", inside = ""] = /^(`+)([^]*?)\1$/.exec(code) ?? [];
  const runs: readonly string[] = inside.match(/`+/g) ?? [];
  if (fence === "" || runs.includes(fence)) return undefined;
  return /^ .*[^ ].* $/.test(inside) ? inside.slice(1, -1) : inside;
}

it("shows any text as code that can stand in a cell", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const code = formatCode(text);
      const inside = insideOf(code);
      if (inside === undefined || /[|\n]|<!--/.test(code) || UNSEEN.test(code)) throw new Error(code);
      const plain = text.replaceAll(/[^\x20-\x7e]/g, "").trim();
      if (!UNSEEN.test(text) && /^[\x20-\x7e]*$/.test(text) && inside.trim() !== plain) throw new Error(code);
    }),
    { examples },
  );
});

it("lets a text in a sentence begin no element, link, table, comment or mention", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const prose = formatProse(`The value of ${text} differs.`);
      const outside = prose
        .replaceAll(/<code>(?:[^<>|])*<\/code>/g, "")
        .replaceAll(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, "");
      if (/[<>|[\]*\\\n`@]/.test(outside) || UNSEEN.test(prose)) throw new Error(prose);
    }),
    { examples },
  );
  expect(formatProse("add `adoptId` to the snake_case of a-b (c) 1.2, and `x|y`")).toBe(
    "add `adoptId` to the snake_case of a-b (c) 1.2, and <code>x&#124;y</code>",
  );
});

it("takes a line as one line, however many blanks are in it", () => {
  for (const blank of [" ", "\t", "\u00a0"]) {
    const blanks = blank.repeat(1_000_000);
    expect(formatProse(`a${blanks}b`)).toHaveLength(formatProse(blank).length * 1_000_000 + 2);
    expect(formatProse(`a${blanks}\n${blanks}b`)).toBe("a b");
  }
});

it("ends a block where its text ends", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const [first = "", ...rest] = formatBlock(text, "text").split("\n");
      const fence = first.replace(/text$/, "");
      const end = rest.findIndex((line) => line.trimStart().startsWith(fence));
      if (end !== rest.length - 1 || UNSEEN.test(rest.join("\n"))) throw new Error(rest.join("\n"));
    }),
    { examples },
  );
  expect(formatBlock(`${"`".repeat(3)} ${"a".repeat(1_000_000)}`, "text")).toMatch(/^`{4}text\n/);
});

it("has as many cells in each line of a table as its head", () => {
  const texts = Object.values(HOSTILE_TEXTS);
  const table = formatTable(
    ["a", "b"],
    texts.map((text) => [formatCode(text), formatProse(text)]),
  );
  const lines = table.split("\n");
  expect(lines).toHaveLength(texts.length + 2);
  expect(lines.filter((line) => line.split("|").length !== 4)).toEqual([]);
});
