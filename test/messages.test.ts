import { allResources } from "../provider/catalog/catalog";
import { collectMessages } from "../tools/messages/collect";
import { collectProblems, everyCall } from "../tools/schema/reference/error-table";
import { unplainIn, unplainPhrases } from "./plain-english";

describe("the texts that users read", () => {
  const messages = collectMessages(["provider", "previews", "import", "trace"]);

  it("are found in errors, warnings, descriptions and help", () => {
    const texts = messages.map(({ text }) => text);
    expect(texts).toContain("the database is not in read-only mode. Nothing was done.");
    expect(texts).toContain(
      "the service `realtime` of {ref} is suspended, so the provider did not wait for it. {remedy}.",
    );
    expect(texts).toContain("waiting for {polling.what}: {verdict.reason}");
    expect(texts).toContain("The state has no `projectRef`.");
  });

  it("say nothing that has to be read twice", () => {
    const wrong = messages.flatMap(({ file, line, text }) =>
      unplainIn(text).map(
        (phrase) => `${file}:${line}: “${phrase}” (better: ${unplainPhrases.get(phrase) ?? ""}) in: ${text}`,
      ),
    );
    expect(wrong).toEqual([]);
  });

  it("quote the service behind what it refused, not behind what stays as it was", () => {
    const wrong = messages.filter(({ text }) =>
      text
        .split(/(?<=\.) /)
        .some(
          (sentence) =>
            sentence.includes("{answer}") &&
            /^(?:Nothing|Earlier|Its earlier)\b|^No .*\bwas\b|\b(?:stays?|still present|nothing was)\b/.test(
              sentence,
            ),
        ),
    );
    expect(wrong).toEqual([]);
  });

  it("begin each sentence with a capital", () => {
    const wrong = messages.filter(({ text }) => {
      const words = text.replaceAll(/`[^`]*`/g, "`X`").replaceAll(/\{[^{}]*\}/g, "{x}");
      return /[^.\s][.!?] [a-z]/.test(words.replaceAll(/\b(?:e\.g|i\.e)\./g, ""));
    });
    expect(wrong).toEqual([]);
  });

  it("begin each remedy with a capital where it is a sentence of its own", () => {
    const problems = [
      ...Object.values(everyCall),
      ...allResources().flatMap((each) => Object.values(collectProblems(each))),
    ];
    const wrong = problems.filter(
      ({ says, remedy }) => /[.!?)”] \{remedy\}/.test(says) && !/^[\p{Lu}`"]/u.test(remedy),
    );
    expect(wrong).toEqual([]);
  });
});
