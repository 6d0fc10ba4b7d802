import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TTL_SECRET } from "../../previews";
import { run } from "../../previews/run";
import { startPreviewed, type Previewed } from "./previews";

let all: Previewed;
let folder: string;
const environment = { ...process.env };
beforeEach(async () => {
  all = await startPreviewed();
  folder = mkdtempSync(join(tmpdir(), "management-previews-"));
  process.env["MANAGEMENT_BASE_URL"] = all.emulator.url;
  process.env["MANAGEMENT_ACCESS_TOKEN"] = all.emulator.accessToken;
});
afterEach(async () => {
  process.env = { ...environment };
  rmSync(folder, { recursive: true, force: true });
  await all.close();
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function command(...args: string[]): Promise<Ran> {
  const ran = { out: "", err: "" };
  const code = await run(args, {
    out: (text) => void (ran.out += text),
    err: (text) => void (ran.err += text),
  });
  return { code, ...ran };
}

function openPrs(text: string): string {
  const file = join(folder, "open.txt");
  writeFileSync(file, text);
  return file;
}

it("sweep lists first, removes with --yes, and then has nothing to do", async () => {
  const ref = all.branch("pr-12", 30);
  const args = ["sweep", "--project", all.project, "--open-prs", openPrs("[7]")];
  const listed = await command(...args);
  expect(listed.code).toBe(0);
  expect(listed.out).toBe(
    [
      "branch  ref                   reason                       outcome",
      `pr-12   ${ref}  pull request 12 is not open  would be removed`,
      "Nothing was removed: give --yes to remove them.\n",
    ].join("\n"),
  );
  expect(all.names()).toEqual(["pr-12"]);
  const removed = await command(...args, "--yes", "--json");
  expect(JSON.parse(removed.out)).toMatchObject([{ branch: { name: "pr-12", ref }, outcome: "removed" }]);
  expect(all.names()).toEqual([]);
  expect(await command(...args, "--yes")).toEqual({ code: 0, out: "No preview is stale.\n", err: "" });
});

it("sweep ends with 1 and removes nothing on a list that it cannot rely on", async () => {
  all.branch("pr-12", 30);
  const sweeping = (file: string) => command("sweep", "--project", all.project, "--yes", "--open-prs", file);
  for (const [text, why] of [
    ["", "the list of open pull requests is empty"],
    ["<html>", "is no number"],
    ['{"message": "rate limit"}', "is no number"],
  ] as const) {
    const { code, out, err } = await sweeping(openPrs(text));
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err.toLowerCase()).toContain(why);
  }
  const missing = await sweeping(join(folder, "none"));
  expect(missing.code).toBe(1);
  expect(missing.err).toContain("ENOENT");
  expect(all.names()).toEqual(["pr-12"]);
  expect(
    (await command("sweep", "--project", all.project, "--yes", "--allow-empty", "--open-prs", openPrs("")))
      .code,
  ).toBe(0);
  expect(all.names()).toEqual([]);
});

it("sweep ends with 1 where a removal failed", async () => {
  all.branch("pr-12", 30);
  all.emulator.control.addFault({ operation: "deleteBranch", status: 403 });
  const { code, out } = await command("sweep", "--project", all.project, "--yes", "--open-prs", openPrs("7"));
  expect(code).toBe(1);
  expect(out).toContain("failed: ");
});

it("remove removes the branch of a pull request, and no other", async () => {
  all.branch("pr-12", 30);
  all.branch("pr-120", 30);
  const args = ["remove", "--project", all.project, "--number", "12"];
  expect(await command(...args)).toEqual({ code: 0, out: "pr-12: removed\n", err: "" });
  expect(all.names()).toEqual(["pr-120"]);
  expect(await command(...args)).toEqual({ code: 0, out: "pr-12: gone already\n", err: "" });
  all.branch("pr-12", 0, { persistent: true });
  expect((await command(...args)).out).toBe("pr-12: gone already\n");
  expect(all.names().sort()).toEqual(["pr-12", "pr-120"]);
});

it("status shows every preview, with --json for programs", async () => {
  all.branch("pr-12", 30, { git_branch: "feature", secrets: { [TTL_SECRET]: "48" } });
  all.branch("pr-7", 2);
  all.branch("staging", 2);
  const args = ["status", "--project", all.project, "--open-prs", openPrs("12")];
  const { code, out } = await command(...args);
  expect(code).toBe(0);
  const [head = "", first = "", second = "", ...rest] = out.split("\n");
  expect(head).toMatch(/^branch +ref +pull request +git branch +state +age +lasts +cost$/);
  expect(first).toMatch(/^pr-12 +[a-z]{20} +12 open +feature +.* 30 h +48 h +compute for 30 h$/);
  expect(second).toMatch(/^pr-7 +[a-z]{20} +7 not open +– +.* 2 h +– +compute for 2 h$/);
  expect(rest).toEqual([""]);
  expect(JSON.parse((await command(...args, "--json")).out)).toMatchObject([
    { name: "pr-12", pullRequest: 12, gitBranch: "feature", ageHours: 30, ttlHours: 48, isOpen: true },
    { name: "pr-7", pullRequest: 7, ageHours: 2, isOpen: false },
  ]);
});

it.each([
  [[], "give one command of init, sweep, status, remove, run, look, comment; got none"],
  [["tidy"], "give one command of init, sweep, status, remove, run, look, comment; got tidy"],
  [["sweep", "--project", "x", "--open-prs", "f"], "--project takes the project's reference"],
  [["sweep", "--project", "a".repeat(20)], "sweep needs --open-prs"],
  [["sweep", "--project", "a".repeat(20), "--open-prs", "f", "--max", "many"], "--max takes a whole number"],
  [["sweep", "--project", "a".repeat(20), "--open-prs", "f", "--prefix", ""], "--prefix takes a text"],
  [["sweep", "--project", "a".repeat(20), "--open-prs", "f", "--stack-pattern", "prod"], "with {number}"],
  [["status", "--project", "a".repeat(20), "--yes"], "--yes does not belong to status"],
  [["remove", "--project", "a".repeat(20)], "--number takes the number of a pull request; got none"],
  [["look", "--number", "0"], "--number takes the number of a pull request; got 0"],
  [["comment", "--number", "7", "--json"], "--json does not belong to comment"],
  [["init", "--forge", "other"], "--forge takes github or gitlab; got other"],
  [["status", "--project", "a".repeat(20), "--all"], "Unknown option '--all'"],
])("%j is refused with 2", async (args, why) => {
  const { code, out, err } = await command(...args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(why);
});

it("says how it is used", async () => {
  const { code, out } = await command("--help");
  expect(code).toBe(0);
  expect(out).toContain("Exit codes:");
});
