// Checks the subjects of the commits since the rule was made: `area: imperative`, at most 72 characters.
import { execFileSync } from "node:child_process";

/** The last commit before the rule. */
const BEFORE = "c008316f2e8cc14c3d75026812a6fdb1b17af2cc";
const LONGEST = 72;
const FORM = /^[a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)*: \S/;

const git = (...args: string[]): string =>
  execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** None in a shallow clone that lacks the commit before the rule, or in sources without their history. */
function subjects(): string[] {
  try {
    git("merge-base", "--is-ancestor", BEFORE, "HEAD");
  } catch {
    return [];
  }
  return git("log", "--no-merges", "--format=%s", `${BEFORE}..HEAD`)
    .split("\n")
    .filter((line) => line !== "");
}

const wrong = subjects().filter((subject) => !FORM.test(subject) || subject.length > LONGEST);
for (const subject of wrong) {
  console.error(
    `The commit "${subject}" is not of the form "area: imperative" with at most ${LONGEST} characters. Change it with git rebase or git commit --amend.`,
  );
}
process.exitCode = wrong.length > 0 ? 1 : 0;
