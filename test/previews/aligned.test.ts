import { formatSweep, formatStatus } from "../../previews/report";
import { HOSTILE_TEXTS, UNSEEN } from "../kit/hostile-texts";

const texts = Object.values(HOSTILE_TEXTS);

it("prints each preview on one line, whatever its branch, its states and its error are called", () => {
  const shown = formatStatus(
    texts.map((text) => ({
      ...{ name: text, ref: text, branchId: text, gitBranch: text, status: text, projectStatus: text },
      ...{ pullRequest: 7, createdMs: 0, ageHours: 1 },
    })),
  );
  const swept = formatSweep(
    texts.map((text) => ({
      ...{ name: text, ref: text, reason: text, pullRequest: 7, outcome: "failed", error: text },
    })),
    { young: [], graceMinutes: 0, isRefused: false },
  );
  for (const text of [shown, swept]) {
    expect(text).not.toMatch(UNSEEN);
    expect(text.trimEnd().split("\n")).toHaveLength(texts.length + 1);
    expect(text.split("\n").filter((line) => /^(?:::|##\[|\/label)/.test(line))).toEqual([]);
  }
});

it("an error of several lines is told in one, with nothing between its words but a blank", () => {
  const said = formatSweep(
    [
      {
        ...{ name: "pr-7", pullRequest: 7, reason: "pull request 7 is closed", outcome: "failed" },
        error: "the stack is locked.\n  since 10:00\r\nAnother job uses it.",
      },
    ],
    { young: [], graceMinutes: 0, isRefused: false },
  );
  expect(said).toContain("failed: the stack is locked. since 10:00 Another job uses it.\n");
});

it("prints a table of any length", () => {
  const many = Array.from({ length: 150_000 }, () => "pr-7");
  const rows = many.map((name) => ({
    name,
    ref: name,
    reason: name,
    pullRequest: 7,
    outcome: "failed" as const,
  }));
  expect(formatSweep(rows, { young: [], graceMinutes: 0, isRefused: false }).split("\n")).toHaveLength(
    many.length + 2,
  );
});
