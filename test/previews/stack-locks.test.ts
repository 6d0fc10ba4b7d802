import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrationProblems } from "../../provider/resources/database/shared/migration-problems";
import { findHistoryRefusal } from "../../previews/recreation";
import { findDeadLocks, adviseOnLock, parseLocks, shortenLocks } from "../../previews/unlocking";
import { run } from "../../previews/run";
import { useFakePulumi } from "./fake-pulumi";

const MINUTE_MS = 60_000;
const NOW = Date.parse("2026-03-01T12:00:00Z");

const lock = (since: string, pid = 41): string =>
  `  s3://states/.pulumi/locks/organization/preview/pr-7/${pid}.json: created by runner@vm-${pid} (pid ${pid}) at ${since}`;
const refused = (count: number, ...locks: readonly string[]): string =>
  [
    `error: the stack is currently locked by ${count} lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.`,
    ...locks,
    "",
  ].join("\n");
const dead = (said: string): Promise<string | undefined> =>
  findDeadLocks(said, { unlockAfterMs: 90 * MINUTE_MS }, NOW);

it.each([
  ["a lock that is older than any job lasts", refused(1, lock("2026-03-01T10:29:59Z"))],
  ["one in another zone's time", refused(1, lock("2026-03-01T12:29:00+02:00"))],
  ["several", refused(2, lock("2026-03-01T10:00:00Z"), lock("2026-02-28T10:00:00Z", 42))],
  ["one that is told twice", refused(1, lock("2026-03-01T10:00:00Z")).repeat(2)],
])("takes for a dead runner's: %s", async (_what, said) => {
  expect(await dead(said)).toMatch(/^runner@vm-41 since 2026-/);
});

it.each([
  ["a younger one", refused(1, lock("2026-03-01T10:31:00Z"))],
  [
    "a younger one beside an old one",
    refused(2, lock("2026-03-01T10:00:00Z"), lock("2026-03-01T11:59:00Z", 42)),
  ],
  ["one that is not named", refused(2, lock("2026-03-01T10:00:00Z"))],
  ["one of the future", refused(1, lock("2026-03-02T10:00:00Z"))],
  ["one whose time cannot be read", refused(1, lock("2026-99-99T10:00:00Z"))],
  [
    "one of Pulumi Cloud, which ends locks itself",
    "[409] Conflict: Another update is currently in progress.",
  ],
  ["no lock", `error: the program failed\n${lock("2026-03-01T10:00:00Z")}`],
])("leaves alone: %s", async (_what, said) => {
  expect(await dead(said)).toBeUndefined();
});

it.each([
  ["the youngest of them", { unlockAfterMs: 90 * MINUTE_MS }, "continues after 2026-03-01 13:01 UTC."],
  [
    "the forge's word, too",
    { unlockAfterMs: 90 * MINUTE_MS, isOfEndedRun: () => Promise.resolve(false) },
    "continues after 2026-03-01 13:01 UTC, or once the forge says that the run that left it has been over for ten minutes.",
  ],
  ["nothing", {}, "No run removes the lock."],
])("the advice for several locks goes by %s", (_what, unlocking, says) => {
  const said = refused(2, lock("2026-03-01T10:00:00Z"), lock("2026-03-01T11:30:20Z", 42));
  const stack = { stackName: "pr-7", folder: "web/preview" };
  const advice = adviseOnLock(said, { ...stack, ...unlocking });
  expect(advice).toContain(says);
  expect(advice).toContain("`pulumi cancel --yes --stack pr-7` in `web/preview/`");
  expect(adviseOnLock("error: the program failed", { ...stack, ...unlocking })).toBeUndefined();
});

const quiet = { out: () => undefined, err: () => undefined };
const about = [
  "--project",
  "a".repeat(20),
  "--repository",
  "https://forge.example.com/acme/shop",
  "--number",
  "7",
];
const options = [...about, "--git-branch", "feature/search", "--unlock-after-minutes", "90"];

const pulumi = useFakePulumi();

it("run hands on the command's own exit code", async () => {
  const shown: string[] = [];
  const streams = {
    out: (text: string) => void shown.push(text),
    err: (text: string) => void shown.push(text),
  };
  const script = "console.log('said'); process.exitCode = 3";
  expect(await run(["run", ...options, "--", process.execPath, "-e", script], streams)).toBe(3);
  expect(shown.join("")).toBe("said\n");
  expect(await run(["run", ...options, "--", process.execPath, "-e", ""], quiet)).toBe(0);
  expect(await run(["run", ...options, "--", "no-such-program"], quiet)).toBe(1);
});

describe("the password of the state backend", () => {
  async function shown(...args: string[]): Promise<string> {
    let all = "";
    const take = (text: string): void => void (all += text);
    await run(args, { out: take, err: take });
    return all;
  }

  it("stays out of what run passes on, however the engine cuts its output", async () => {
    process.env["PULUMI_BACKEND_URL"] = "postgres://states:hun%20ter2@127.0.0.1:1/states";
    const script = `
      const pieces = ["unable to open bucket postgr", "es://states:hun%20", "ter2@127.0.0.1: refused\\n", "password hun ter2"];
      const next = () => { const piece = pieces.shift(); if (piece !== undefined) process.stderr.write(piece, () => setImmediate(next)); };
      next();
    `;
    expect(await shown("run", ...options, "--", process.execPath, "-e", script)).toBe(
      "unable to open bucket postgres://states:[secret]@127.0.0.1: refused\npassword [secret]",
    );
  });

  it("stays out of what removing says of a stack that cannot be read", async () => {
    const executable = join(pulumi.folder, "pulumi");
    const says =
      "error: unable to open bucket postgres://states:hunter2@127.0.0.1:1/states: connection refused";
    writeFileSync(
      executable,
      `#!/bin/sh\nif [ "$1" = version ]; then echo v3.250.0; else echo "${says}" >&2; exit 255; fi\n`,
    );
    chmodSync(executable, 0o755);
    process.env["PATH"] = `${pulumi.folder}:${process.env["PATH"]}`;
    process.env["MANAGEMENT_BASE_URL"] = "http://127.0.0.1:1";
    process.env["MANAGEMENT_ACCESS_TOKEN"] = "token-of-nobody";
    const args = [
      ...about,
      "--git-branch",
      "feature/search",
      "--stack-pattern",
      "{name}",
      "--work-dir",
      pulumi.folder,
    ];
    const said = await shown("remove", ...args);
    expect(said).toContain("postgres://states:[secret]@127.0.0.1:1/states: connection refused");
    expect(said).not.toContain("hunter2");
  });
});

it.each([
  [["run", ...options], "Usage: management-previews run [options] -- <command...>"],
  [["run", ...about, "--", "true"], "required option '--git-branch <name>' not specified"],
  [["run", ...about, "--git-branch", "x", "--unlock-after-minutes", "30", "--", "true"], "takes at least 60"],
  [["remove", ...about, "--unlock-after-minutes", "5"], "takes at least 60"],
])("%j is refused with 2", async (args, why) => {
  let said = "";
  const err = (text: string): void => void (said += text);
  expect(await run(args, { out: () => undefined, err })).toBe(2);
  expect(said).toContain(why);
});

it("reads what a program prints in time that grows with its length", () => {
  const line = (text: string): string => text.repeat(Math.ceil(1_000_000 / text.length));
  const locked = "the stack is currently locked by 1 lock(s)\n";
  for (const text of [
    ": created by a",
    ": created by a@b",
    "@",
    ": ",
    "created by a@b (pid 1) at ",
    "a@b (pid ",
  ]) {
    const said = `${locked}${line(text)}\nDiagnostics:\nerror: ${line(text)}`;
    expect(parseLocks(said)).toBeUndefined();
    expect(shortenLocks(said).length).toBeGreaterThan(0);
    expect(adviseOnLock(said, { stackName: "x", folder: undefined })).toContain("pulumi cancel");
  }
  for (const { says } of Object.values(migrationProblems)) {
    const [word = "x"] = says.split(/\{\w+\}/).filter((part) => part.trim() !== "");
    expect(findHistoryRefusal(line(word), ["b".repeat(20)])).toBeUndefined();
    expect(
      findHistoryRefusal(line(says.replaceAll(/\{\w+\}/g, "x").slice(0, 200)), ["b".repeat(20)]),
    ).toBeUndefined();
  }
});
