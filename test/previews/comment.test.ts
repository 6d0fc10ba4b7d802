import {
  cutComment,
  formatFailureComment,
  formatFailureText,
  formatSuccessComment,
  formatSuccessText,
} from "../../previews/comment";
import { formatComment } from "../../previews/forge/forge";
import { HOSTILE_TEXTS } from "../kit/hostile-texts";

const SUMMARY = "### Preview of pull request 7\n\n| API | https://b.example.com |\n";
const failure = { commit: "c1", runUrl: "https://forge.example.com/runs/1", howToRecreate: "ask" };
const report = { code: 255, error: "error: 2_carts.sql, line 3, failed: syntax error" };

it("a run that fails keeps the address, and says what failed, where, and how to go on", () => {
  const good = formatSuccessComment(SUMMARY, undefined);
  const failed = formatFailureComment({ ...failure, report }, `<!-- management-previews -->\n${good}`);
  expect(failed).toContain("### The preview of c1 failed");
  expect(failed).toContain("2_carts.sql, line 3, failed");
  expect(failed).toContain("[the log of the job](https://forge.example.com/runs/1)");
  expect(failed).toContain("Push a correction, or run the job again");
  expect(failed).toContain("https://b.example.com");
  // And once more: what is kept does not grow.
  expect(formatFailureComment({ ...failure, report }, failed)).toBe(failed);
});

it("what failed before the engine ran is told by its log", () => {
  const failed = formatFailureComment({ ...failure, report: undefined }, undefined);
  expect(failed).toContain("A step of the job failed: see [the log of the job]");
  expect(failed).not.toContain("Before this run");
});

it("an error shows no password, and cannot end its own block", () => {
  const error = "```` postgres://states:hunter2@127.0.0.1/x <!-- preview -->";
  const failed = formatFailureComment({ ...failure, report: { code: 1, error } }, undefined);
  expect(failed).not.toContain("hunter2");
  expect(failed).toMatch(/^`{5}text$/m);
});

it("a report of any length is cut, and the rest of the comment stays", () => {
  const good = formatSuccessComment(SUMMARY, undefined);
  const long = { code: 1, error: `error: ${"x".repeat(600_000)}` };
  const failed = formatFailureComment({ ...failure, report: long }, good);
  expect(failed.length).toBeLessThan(10_000);
  expect(failed).toContain("(cut here)");
  expect(failed).toContain("https://b.example.com");
});

it("a recreated preview is told, with why", () => {
  const why = "2_carts.sql was applied to b with other content";
  expect(formatSuccessComment(SUMMARY, { code: 0, error: "", recreated: why })).toContain(
    `The last run recreated the preview: ${why}. Data that was entered by hand is lost.`,
  );
});

it("a difference that is cut closes its block of code and what is around it", () => {
  const text = `x\n<details><summary>y</summary>\n\n\`\`\`\`sql\n${"alter table t;\n".repeat(6_000)}\`\`\`\`\n\n</details>\n`;
  const shown = cutComment(text);
  expect(shown.length).toBeLessThan(61_000);
  expect(shown).toMatch(/alter table t;\n````\n\n\(cut here\)\n\n<\/details>$/);
  expect(cutComment("short")).toBe("short");
});

/** What GitLab runs with the rights of the comment's author: it drops carriage returns before. */
const QUICK_ACTION = /^\/[a-z]/im;

describe("texts of others", () => {
  const texts = [
    ...Object.values(HOSTILE_TEXTS),
    "/merge",
    "x\n/approve\ny",
    "x\n\r/close",
    "x\r/close",
    "```\n```` \n/merge\n",
    "x\n\u0000\u200b /merge",
  ];
  const asForgeReads = (text: string): string => text.replaceAll(/[\r\0\u200b]|^ +/gm, "");

  it.each(texts.map((text) => [JSON.stringify(text), text]))(
    "begin no line that a forge acts on: %s",
    (_, text) => {
      const made = { code: 1, error: `error: ${text}\n${text}`, recreated: text, times: text, advice: text };
      const failure = { report: made, commit: text, runUrl: text, howToRecreate: "ask" };
      const comments = [
        formatComment(formatSuccessComment(text, { ...made, code: 0 })),
        formatComment(formatFailureComment(failure, formatSuccessComment(text, undefined))),
        formatComment(text),
        formatSuccessText(text, { ...made, code: 0 }),
        formatFailureText(made, text),
      ];
      expect(comments.filter((comment) => QUICK_ACTION.test(asForgeReads(comment)))).toEqual([]);
    },
  );

  it("write no mark of what a later comment keeps, however they are put together", () => {
    const parts = [
      "<!-- pre<!-- preview -->view -->",
      "<!-- <!-- /preview -->preview -->",
      "<!-- /preview -->",
    ];
    const good = formatSuccessComment(`### It is up ${parts.join(" ")}`, undefined);
    expect(good.match(/<!-- \/?preview -->/g)).toEqual(["<!-- preview -->", "<!-- /preview -->"]);
    expect(formatFailureComment({ ...failure, report }, good)).toContain("### It is up");
  });
});

it("what has been redacted already is redacted once more, whatever wrote the report", () => {
  const address = "postgres://states:hunter2@127.0.0.1/x";
  const told = { code: 1, error: address, advice: address, recreated: address, times: address };
  const texts = [
    formatFailureComment({ ...failure, report: told }, formatSuccessComment(address, told)),
    formatFailureText(told, address),
    formatSuccessText(address, told),
  ];
  expect(texts.filter((text) => text.includes("hunter2"))).toEqual([]);
});
