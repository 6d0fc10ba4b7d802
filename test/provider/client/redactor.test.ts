import fc from "fast-check";
import { Redactor } from "../../../provider/client/redactor";
import { unescaped } from "../../../provider/client/unescaped";

function redactorOf(...secrets: string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

const SECRET = 'p@ss "wörd"/+\n';

it.each([
  ["as it is", SECRET],
  ["inside JSON", JSON.stringify({ value: SECRET })],
  ["inside JSON inside JSON", JSON.stringify(JSON.stringify({ value: SECRET }))],
  ["in a URL", encodeURIComponent(SECRET)],
  [
    "in a URL with small escapes",
    encodeURIComponent(SECRET).replace(/%../g, (escape) => escape.toLowerCase()),
  ],
  ["in a form", new URLSearchParams({ value: SECRET }).toString()],
  ["in base64", Buffer.from(SECRET).toString("base64")],
  ["in base64url", Buffer.from(SECRET).toString("base64url")],
])("removes a secret %s", (_, text) => {
  expect(redactorOf(SECRET).redact(`before ${text} after`)).toMatch(/^before .*\[secret\].*after$/s);
  expect(redactorOf(SECRET).redact(`before ${text} after`)).not.toMatch(/w(ö|%C3%B6|%c3%b6)rd/);
});

it("removes a secret that is in the middle of a base64 text", () => {
  const text = Buffer.from(`user:swordfish-9:more`).toString("base64");
  expect(redactorOf("swordfish-9").redact(text)).toContain("[secret]");
});

it("removes the longer of two secrets whole", () => {
  expect(redactorOf("abcdef", "abcdef-ghijkl").redact("abcdef-ghijkl")).toBe("[secret]");
});

it("removes the largest secrets that the service takes, and hundreds of them", () => {
  const largest = "x7-".repeat(8_192);
  const many = Array.from({ length: 1_000 }, (_, index) => `secret/number "${index}" of many`);
  const redactor = redactorOf(largest, ...many);
  expect(redactor.redact(`before ${largest} after`)).toBe("before [secret] after");
  expect(redactor.redact(many.join(" | "))).toBe(many.map(() => "[secret]").join(" | "));
});

it("leaves nothing of two secrets that overlap", () => {
  expect(redactorOf("abcdef", "defghi").redact("<abcdefghi>")).toBe("<[secret]>");
});

it("leaves texts alone without secrets, and very short secrets too", () => {
  expect(redactorOf().redact("text")).toBe("text");
  expect(redactorOf("", "a").redact("a banana")).toBe("a banana");
});

it.each([
  ["begins", "   ! ! , !! and more", "   ! ! , ! …"],
  ["ends", "more and !! , ! !\n\n", "… ! , ! !\n\n"],
])("leaves no eight characters of a secret that %s with blanks, where the text cuts it", (_, secret, cut) => {
  expect(redactorOf(secret).redactQuoted(`<${cut}>`)).toContain("[secret]");
});

it("leaves the blanks around a whole secret that has some itself", () => {
  const redactor = redactorOf(" swordfish\n");
  const said = "the swordfish is no key";
  expect([redactor.redact(said), redactor.redactQuoted(said)]).toEqual(
    Array(2).fill("the [secret] is no key"),
  );
});

it("leaves no occurrence of any secret in any text", () => {
  const secret = fc
    .string({ minLength: 4, maxLength: 30, unit: "grapheme" })
    .filter((text) => !"[secret]".includes(text) && unescaped(text).text.trim().length >= 4);
  fc.assert(
    fc.property(secret, fc.array(fc.constantFrom("x ", "y-", "\n")), (value, parts) => {
      const text = parts.join(value) + value;
      const kept = redactorOf(value).redact(text).split("[secret]");
      for (const piece of kept) expect(piece).not.toContain(value);
    }),
  );
});

it("leaves alone what has fewer than four characters but for blanks and escapes", () => {
  for (const value of ["    ", " \n\t ", "a  +", "\\\\ab", "%41%42%43"]) {
    expect(redactorOf(value).redact(`<${value}>`)).toBe(`<${value}>`);
  }
});
