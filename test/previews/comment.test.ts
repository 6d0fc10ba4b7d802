import { cut, failureComment, successComment } from "../../previews/comment";

const SUMMARY = "### Preview of pull request 7\n\n| API | https://b.example.com |\n";
const failure = { commit: "c1", runUrl: "https://forge.example.com/runs/1" };
const report = { code: 255, error: "error: 2_carts.sql, line 3, failed: syntax error" };

it("a run that fails keeps the address, and says what failed, where, and how to go on", () => {
  const good = successComment(SUMMARY, undefined);
  const failed = failureComment({ ...failure, report }, `<!-- management-previews -->\n${good}`);
  expect(failed).toContain("### The preview of c1 failed");
  expect(failed).toContain("2_carts.sql, line 3, failed");
  expect(failed).toContain("[the log of the job](https://forge.example.com/runs/1)");
  expect(failed).toContain("Push a correction, or run the job again");
  expect(failed).toContain("https://b.example.com");
  // And once more: what is kept does not grow.
  expect(failureComment({ ...failure, report }, failed)).toBe(failed);
});

it("what failed before the engine ran is told by its log", () => {
  const failed = failureComment({ ...failure, report: undefined }, undefined);
  expect(failed).toContain("A step of the job failed: see [the log of the job]");
  expect(failed).not.toContain("Before this run");
});

it("an error shows no password, and cannot end its own block", () => {
  const error = "```` postgres://states:hunter2@127.0.0.1/x <!-- preview -->";
  const failed = failureComment({ ...failure, report: { code: 1, error } }, undefined);
  expect(failed).not.toContain("hunter2");
  expect(failed).toMatch(/^`{5}text$/m);
});

it("a recreated preview is told, with why", () => {
  const why = "2_carts.sql was applied to b with other content";
  expect(successComment(SUMMARY, { code: 0, error: "", recreated: why })).toContain(
    `The last run recreated the preview: ${why}. Data that was entered by hand is lost.`,
  );
});

it("a difference that is cut closes its block of code and what is around it", () => {
  const text = `x\n<details><summary>y</summary>\n\n\`\`\`\`sql\n${"alter table t;\n".repeat(6_000)}\`\`\`\`\n\n</details>\n`;
  const shown = cut(text);
  expect(shown.length).toBeLessThan(61_000);
  expect(shown).toMatch(/alter table t;\n````\n\n\(cut here\)\n\n<\/details>$/);
  expect(cut("short")).toBe("short");
});
