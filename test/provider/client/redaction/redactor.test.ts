import fc from "fast-check";
import { addAllOwnWords } from "../../../../provider/client/redaction/own-sentences";
import { collectMessages } from "../../../../tools/messages/collect";
import { defineProblem } from "../../../../provider/client/errors/problem";
import { problems } from "../../../../provider/client/errors/problems";
import { EncodingIndex } from "../../../../provider/client/redaction/encoding-index";
import { Redactor } from "../../../../provider/client/redaction/redactor";
import { normalizeEscapes } from "../../../../provider/client/redaction/normalize-escapes";

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
  ["in hex", Buffer.from(SECRET).toString("hex")],
  ["in hex in capitals", Buffer.from(SECRET).toString("hex").toUpperCase()],
  ["as Postgres writes bytes", `\\x${Buffer.from(SECRET).toString("hex")}`],
  ["as escaped bytes", Buffer.from(SECRET).toString("hex").replaceAll(/../g, "\\x$&")],
  ["as JavaScript escapes it", 'p@ss \\"w\\xf6rd\\"/+\\n'],
  ["inside HTML", SECRET.replaceAll('"', "&quot;")],
  ["in references of HTML", Array.from(SECRET, (character) => `&#${character.charCodeAt(0)};`).join("")],
  ["in capitals", SECRET.toUpperCase()],
])("removes a secret %s", (_, text) => {
  expect(redactorOf(SECRET).redact(`before ${text} after`)).toMatch(/^before .*\[secret\].*after$/s);
  expect(redactorOf(SECRET).redact(`before ${text} after`)).not.toMatch(/w(ö|%C3%B6|%c3%b6)rd|726422|7264"/i);
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

it("looks a text up for many secrets as it does for one, and for a text twice as long twice as often", () => {
  class CountingIndex extends EncodingIndex {
    looks = 0;
    override has(form: string): boolean {
      this.looks += 1;
      return super.has(form);
    }
  }
  const looksIn = (text: string, forms: readonly string[]): number => {
    const index = new CountingIndex();
    for (const form of forms) index.add(form);
    index.findIn(text);
    return index.looks;
  };
  // The worst: each form begins as the text does everywhere, and is not there.
  const forms = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `aaaaaaaa-${at + 1_000}`);
  const text = "a".repeat(10_000);
  expect(looksIn(text, forms(1))).toBeLessThanOrEqual(text.length);
  expect(looksIn(text, forms(1_000))).toBe(looksIn(text, forms(1)));
  // At the end of a text no form fits.
  const atEnd = forms(1)[0]?.length ?? 0;
  expect(looksIn(text + text, forms(1_000))).toBeLessThanOrEqual(2 * looksIn(text, forms(1_000)) + atEnd);
  const lengths = Array.from({ length: 36 }, (_, more) => "a".repeat(4 + more));
  expect(looksIn(text, lengths)).toBeLessThanOrEqual(36 * text.length);
});

it("leaves nothing of two secrets that overlap", () => {
  expect(redactorOf("abcdef", "defghi").redact("<abcdefghi>")).toBe("<[secret]>");
});

it.each(["second-host", "the host second-host", "second-header-valuesecond-host"])(
  "removes the shorter of two secrets that begin alike at the end of a text: %s",
  (text) => {
    const redactor = redactorOf("second-header-value", "second-host");
    for (const shown of [redactor.redact(text), redactor.redactQuoted(text)]) {
      expect(shown).toMatch(/\[secret\]$/);
      expect(shown).not.toContain("second");
    }
  },
);

it("leaves no end of a text of any two secrets that begin alike", () => {
  const text = fc.string({ minLength: 4, maxLength: 30 });
  fc.assert(
    fc.property(text, text, text, (start, one, other) => {
      const secrets = [start + one, start + other];
      const shown = redactorOf(...secrets).redactQuoted(`refused: ${secrets[0] ?? ""}`);
      const [, left = ""] = /^refused: (.*)$/s.exec(shown) ?? [];
      expect(left.replaceAll("[secret]", "").trim().length).toBeLessThan(4);
    }),
  );
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
    .filter((text) => !"[secret]".includes(text) && normalizeEscapes(text).text.trim().length >= 4);
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

describe("the password of a URL", () => {
  it.each([
    [
      "unable to open bucket postgres://states:hunter2@db:5432/s?x=1: no",
      "unable to open bucket postgres://states:[secret]@db:5432/s?x=1: no",
    ],
    ["postgres://:hun%40ter%202@db", "postgres://:[secret]@db"],
    [
      "postgres://u:hunt@er/2@db/x,https://a.example.com/b",
      "postgres://u:[secret]@db/x,https://a.example.com/b",
    ],
    [
      "redis://u:1234@h:6379/0 s3://states amqp://a:b@c",
      "redis://u:[secret]@h:6379/0 s3://states amqp://a:[secret]@c",
    ],
    [
      "postgres://db/s?user=u&password=hunter2&sslmode=no",
      "postgres://db/s?user=u&password=[secret]&sslmode=no",
    ],
    [
      JSON.stringify({ a: "postgres://u:hunter2@db", b: "x@y" }),
      JSON.stringify({ a: "postgres://u:[secret]@db", b: "x@y" }),
    ],
    [String.raw`parse "postgres://u:hun\"ter2@db": invalid`, 'parse "postgres://u:[secret]@db": invalid'],
    [String.raw`postgres:\/\/u:hunter2@db`, String.raw`postgres:\/\/u:[secret]@db`],
    ["postgres%3A%2F%2Fu%3Ahunter2%40db", "postgres%3A%2F%2Fu%3A[secret]%40db"],
  ])("is hidden, known or not: %j", (text, hidden) => {
    expect([new Redactor().redact(text), new Redactor().redactQuoted(text)]).toEqual([hidden, hidden]);
  });

  it.each([
    "https://api.example.com:8443/@scope/name",
    "https://user@api.example.com/a:b@c",
    "urn:pulumi:dev::shop::management:index:Project::app to ops@example.com",
    "the port:80 is open, mail ops@example.com or see http://localhost:8080",
    "file:///C:/states/a@b",
  ])("is no other part: %j", (text) => {
    expect(new Redactor().redact(text)).toBe(text);
  });
});

describe("a secret that is a word of our own sentences", () => {
  const wrong = problems.wrongToken.message({ advice: "set wrong, not WRONG or 77726f6e67" });

  it("stays in a whole sentence, and goes from the values in it", () => {
    expect(redactorOf("wrong").redact(`x: ${wrong} Request id: wrong.`)).toBe(
      "x: The access token is wrong, expired or revoked: set [secret], not [secret] or [secret]. Request id: [secret].",
    );
  });

  it.each([
    "The access token is wrong",
    "access token is wrong, expired or revoked: x",
    "The access token is wrong, expired or revoked.",
    "The access token is wrongwrong, expired or revoked: x",
    "The access token is %77rong, outdated or revoked: x",
    "Set a valid one, or wrong",
  ])("goes from %p, which is no sentence of ours", (text) => {
    expect(redactorOf("wrong").redact(text)).not.toMatch(/wrong|%77rong/);
  });

  it("goes from a sentence in what the service says", () => {
    expect(redactorOf("wrong").redactQuoted(wrong)).not.toContain("wrong");
  });

  it("goes with the sentence where another secret reaches into it", () => {
    expect(redactorOf("wrong", "a wrong, exp").redact(wrong.replace("is wrong", "is a wrong"))).toBe(
      "The access token is [secret]ired or revoked: set [secret], not [secret] or [secret].",
    );
    expect(redactorOf("wrong", "revoked: set").redact(wrong)).toBe(
      "The access token is wrong, expired or [secret] [secret], not [secret] or [secret].",
    );
  });

  it("stays in every problem of a call, and nothing else does", () => {
    const WORD = /\p{L}{4,}/gu;
    const all = Object.values(problems).map(({ says, means, remedy }) => ({ says, means, remedy }));
    const lost = all.flatMap((text) => {
      const message = defineProblem(text).message as (values: Readonly<Record<string, string>>) => string;
      const slots = [...(text.says + text.remedy).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      const with_ = (value: string): string =>
        message(Object.fromEntries(slots.filter((name) => name !== "remedy").map((name) => [name, value])));
      const fragments = with_("\0")
        .split(/["']?\0["']?/)
        .filter((each) => each.length >= 24);
      return fragments.flatMap((each) =>
        [...each.matchAll(WORD)]
          .filter(
            ([word]) =>
              word.length * 2 <= each.length && !redactorOf(word).redact(with_(word)).includes(each),
          )
          .map(([word]) => [word, each]),
      );
    });
    expect(lost).toEqual([]);
  });

  it("stays in a sentence with its values, however short its parts are, and in nothing else", () => {
    const problem = defineProblem({
      says: "{type} of the branch {ref}: {name} was not deployed to staging. {remedy}.",
      means: "",
      remedy: "Deploy {name} to production",
    });
    const message = problem.message({ type: "A set", ref: "staging", name: "the branch staging" });
    const redacted = (secret: string, text = message): string => redactorOf(secret).redact(text);
    expect(redacted("staging")).toBe(
      "A set of the branch [secret]: the branch [secret] was not deployed to staging. Deploy the branch [secret] to production.",
    );
    expect(redacted("branch")).toBe(
      "A set of the branch staging: the [secret] staging was not deployed to staging. Deploy the [secret] staging to production.",
    );
    // Between a value and ours, as part of the sentence, and with other values, it may stand for itself.
    expect(redacted("branch staging")).not.toContain("branch staging");
    expect(redacted("branch", "A set of the branch staging")).toBe("A set of the [secret] staging");
    expect(redacted("branch", message.replace("A set", "B set"))).not.toContain("branch");
    expect(redactorOf("branch").redactQuoted(message)).not.toContain("branch");
  });

  it("stays in every sentence of the commands", () => {
    addAllOwnWords();
    const parts = collectMessages(["previews", "import"])
      .filter(({ isDescription }) => !isDescription)
      .flatMap((message) => message.parts)
      .filter((part) => part.length >= 24);
    const longest = (part: string): string =>
      (part.match(/\p{L}{4,}/gu) ?? []).reduce((a, b) => (b.length > a.length ? b : a), "");
    const lost = parts
      .map((part) => [longest(part), part] as const)
      .filter(([word, part]) => word.length * 2 <= part.length)
      .filter(([word, part]) => !redactorOf(word).redact(`${word}: ${part}${word}`).includes(part));
    expect(parts.length).toBeGreaterThan(300);
    expect(lost).toEqual([]);
  });

  it("goes from what the commands print of others, whatever they know of ours", () => {
    addAllOwnWords();
    const redactor = redactorOf("branch");
    for (const text of ['{"token":"branch"}', "the branch", "https://x.example.com/branch", "a branch b"])
      expect(redactor.redact(text)).not.toContain("branch");
  });

  it("is as it was where a sentence of ours has hardly a word", () => {
    const { message } = defineProblem({ says: "{a} branch {b}", means: "", remedy: "" });
    expect(redactorOf("branch").redact(message({ a: "x".repeat(30), b: "y" }))).not.toContain("branch");
  });

  it("costs time that grows with the text", () => {
    const found = jest.spyOn(String.prototype, "startsWith");
    const text = "the access token is wrong, ".repeat(1_000);
    const redacted = redactorOf("wrong").redact(text);
    const asked = found.mock.calls.length;
    found.mockRestore();
    expect(redacted).not.toContain("wrong");
    expect(asked).toBeLessThan(10_000);
  });
});
