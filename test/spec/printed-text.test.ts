import fc from "fast-check";
import { toPrintable, toPrintableOutput } from "../../spec/printed-text";
import { Redactor } from "../../provider/client/redaction/redactor";

it.each([
  ["a clipboard's sequence", "\u001b]52;c;cHduZWQ=\u0007", String.raw`\u001b]52;c;cHduZWQ=\u0007`],
  ["a line that is wiped", "safe\r\u001b[2Kevil", String.raw`safe\u000d\u001b[2Kevil`],
  ["C1 controls", "\u0085\u009b31m", String.raw`\u0085\u009b31m`],
  ["directions of writing", "\u202egnp.exe\u2066", String.raw`\u202egnp.exe\u2066`],
  ["what has no width", "a\u200bb\ufeff\u00ad", String.raw`a\u200bb\ufeff\u00ad`],
  ["letters of tags", "\u{e0041}", String.raw`\udb40\udc41`],
  ["half a character", "a\ud800b", String.raw`a\ud800b`],
  ["line ends of other languages", "a\u2028b\u2029c", String.raw`a\u2028b\u2029c`],
])("shows %s", (_name, text, shown) => {
  expect(toPrintable(text)).toBe(shown);
});

it("leaves lines, tabs and all that is seen as they are", () => {
  const text = "Zürich → 東京 🎉\n\tsecond line, `::/0` and a::text\r\n";
  expect(toPrintable(text)).toBe(text.replace("\r", ""));
});

it("keeps the colours of the engine, and nothing else that a terminal acts on", () => {
  const colours = "\u001b[1m\u001b[38;5;13merror:\u001b[0m no";
  expect(toPrintableOutput(colours)).toBe(colours);
  expect(toPrintable(colours)).not.toContain("\u001b");
  expect(toPrintableOutput("\u001b[2J\u001b]0;title\u0007\u001b[1;31mx")).toBe(
    `${String.raw`\u001b[2J\u001b]0;title\u0007`}\u001b[1;31mx`,
  );
});

it.each([
  ["::add-mask::x", String.raw`\u003a:add-mask::x`],
  ["  ::set-output name=a::b", `  ${String.raw`\u003a`}:set-output name=a::b`],
  ["\u00a0\t::stop-commands::x", `\u00a0\t${String.raw`\u003a`}:stop-commands::x`],
  ["a ##[add-mask]x", String.raw`a \u0023#[add-mask]x`],
  ["##vso[task.setvariable]x", String.raw`\u0023#vso[task.setvariable]x`],
  ["##teamcity[a]", String.raw`\u0023#teamcity[a]`],
  ["section_start:1:a", String.raw`\u0073ection_start:1:a`],
])("breaks up the command of a forge: %j", (text, shown) => {
  expect(toPrintable(`first\n${text}\n`)).toBe(`first\n${shown}\n`);
  expect(toPrintableOutput(`first\n${text}\n`)).toBe(`first\n${shown}\n`);
});

it("breaks up a command behind a colour", () => {
  expect(toPrintableOutput("\u001b[31m::debug::x")).toBe(`\u001b[31m${String.raw`\u003a`}:debug::x`);
});

it("prints the same text once and again, and JSON as the same JSON", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      expect(toPrintable(toPrintable(text))).toBe(toPrintable(text));
      const json = JSON.stringify({ text: `::a##[b]${text}` });
      expect(JSON.parse(toPrintable(json))).toEqual(JSON.parse(json));
    }),
  );
});

// A second pass over what was passed already would take hours here.
it.each([
  ["backslashes", "\\"],
  ["quotes", `"'\``],
  ["escapes of a terminal", "\u001b["],
])("goes through a megabyte of %s once", (_name, part) => {
  const text = part.repeat(Math.ceil(1_000_000 / part.length));
  const redacted = new Redactor().redact(text);
  expect(redacted).toBe(text);
  expect(toPrintable(redacted).length).toBeGreaterThanOrEqual(text.length);
});

it.each([
  ["escaped backslashes of bytes", "\\\\x"],
  ["percent escapes", "%25"],
  ["references", "&amp;"],
  ["colours", "\u001b[0m"],
  ["colons", ":"],
  ["blanks", " "],
  ["marks of parameters", "?pass"],
  ["addresses", "a://b:"],
  ["hashes", "##"],
  ["line feeds", "\n"],
])("goes through many %s once", (_name, part) => {
  const text = part.repeat(20_000);
  expect(new Redactor().redact(text)).toBe(text);
  expect(toPrintable(text).length).toBeGreaterThanOrEqual(text.length);
  expect(toPrintableOutput(text).length).toBeGreaterThanOrEqual(text.length);
});
