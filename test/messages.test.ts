import { collectMessages } from "../tools/messages/collect";
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
});
