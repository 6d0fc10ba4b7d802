import { hostname } from "node:os";
import { parseRunRecords, addRunRecords, type RunRecord } from "../../previews/run-records";
import { run } from "../../previews/run";
import { startForge, type ForgeStub, type StubbedRun } from "../engine/workflows/forge-stub";
import { useFakePulumi } from "./fake-pulumi";

// A lock whose age says nothing, and a run that the comment names.

const MINUTE_MS = 60_000;
const NOW = Date.now();
const ago = (minutes: number): number => Math.floor((NOW - minutes * MINUTE_MS) / 1000) * 1000;
const at = (minutes: number): string => new Date(ago(minutes)).toISOString().replace(/\.\d+Z$/, "Z");

const pulumi = useFakePulumi();
let forge: ForgeStub;
beforeEach(async () => {
  forge = await startForge("acme/shop");
  forge.pulls.set(7, { number: 7, branch: "feature/search", from: "acme/shop", state: "open", commit: "c1" });
});
afterEach(() => forge.close());

interface Case {
  readonly variables: () => Readonly<Record<string, string>>;
  readonly over: string;
}
const FORGES: Readonly<Record<string, Case>> = {
  GitHub: {
    over: "completed",
    variables: () => ({
      ...{
        GITHUB_API_URL: forge.url,
        GITHUB_REPOSITORY: "acme/shop",
        GITHUB_SERVER_URL: "https://forge.example.com",
      },
      ...{ GITHUB_RUN_ID: "900", GITHUB_RUN_ATTEMPT: "2" },
      GITHUB_TOKEN: forge.mint({ "pull-requests": "write", actions: "read" }),
    }),
  },
  GitLab: {
    over: "failed",
    variables: () => ({
      ...{
        CI_API_V4_URL: forge.url,
        CI_PROJECT_ID: "5",
        CI_PROJECT_URL: "https://forge.example.com/acme/shop",
      },
      CI_JOB_ID: "900",
      GITLAB_TOKEN: forge.mint({ "pull-requests": "write" }),
    }),
  },
};

const about = ["--project", "a".repeat(20), "--number", "7", "--git-branch", "feature/search"];
const unlocking = ["--unlock-ended-runs", "--unlock-after-minutes", "90"];

async function inJob(forgeName: string, ...args: string[]): Promise<{ code: number; said: string }> {
  const others = Object.entries(process.env).filter(([name]) => !/^(?:GITHUB|CI|GITLAB)_/.test(name));
  process.env = { ...Object.fromEntries(others), ...FORGES[forgeName]?.variables() };
  process.env["MANAGEMENT_BASE_URL"] = "http://127.0.0.1:1";
  process.env["MANAGEMENT_ACCESS_TOKEN"] = "token-of-nobody";
  let said = "";
  const take = (text: string): void => void (said += text);
  const code = await run(args, { out: take, err: take });
  return { code, said };
}
const up = (forgeName: string) => inJob(forgeName, "run", ...about, ...unlocking, "--", "pulumi", "up");

const RECORD: RunRecord = { id: "800", attempt: 1, host: "vm-41", sinceMs: ago(30) };
function comment(...records: readonly RunRecord[]): void {
  const body = `<!-- management-previews -->\n${addRunRecords("### Preview of pull request 7", records)}\n`;
  const bot = { user: { login: "github-actions[bot]" }, author: { id: 40 } };
  forge.comments.push({ id: 1, pull: 7, ...bot, body });
}
/** The CLI refuses until the lock is taken away. */
function lock(host: string, since: string, command: "ups" | "destroys" = "ups"): void {
  pulumi[command](
    `if grep -q ^cancel calls.txt; then exit 0; fi
echo "error: the stack is currently locked by 1 lock(s). Either wait or delete the lock file with \\\`pulumi cancel\\\`." >&2
echo "  file:///states/.pulumi/locks/organization/previews/x/1.json: created by runner@${host} (pid 41) at ${since}" >&2
exit 255\n`,
  );
}
const wasUnlocked = (): boolean => pulumi.calls().some((call) => call.startsWith("cancel"));
const kept = (): readonly RunRecord[] =>
  parseRunRecords(forge.comments[0]?.body.replace("<!-- management-previews -->\n", ""));

describe.each(Object.keys(FORGES))("on %s", (name) => {
  const ended: StubbedRun = {
    status: FORGES[name]?.over ?? "",
    startedMs: ago(35),
    endedMs: ago(15),
  };

  it("removes a young lock of a run that is over, on whose machine and in whose time it was made", async () => {
    comment(RECORD);
    forge.runs.set("800", ended);
    lock("vm-41", at(28));
    const { code, said } = await up(name);
    expect(said).toContain(
      `locked by runner@vm-41 since ${at(28)}, by a run that is over, as the forge says.`,
    );
    expect([code, wasUnlocked()]).toEqual([0, true]);
    // What ended has nothing to answer for.
    expect(kept()).toEqual([]);
    expect(forge.comments[0]?.body).toContain("### Preview of pull request 7");
  });

  it.each<[string, StubbedRun | undefined, RunRecord | undefined, string, string]>([
    ["no run is recorded", ended, undefined, "vm-41", at(28)],
    [
      "the run is under way",
      { ...ended, status: name === "GitHub" ? "in_progress" : "running" },
      RECORD,
      "vm-41",
      at(28),
    ],
    ["the run is being cancelled", { ...ended, status: "canceling" }, RECORD, "vm-41", at(28)],
    ["the run has a state that is not known", { ...ended, status: "paused" }, RECORD, "vm-41", at(28)],
    ["the run is over for less than ten minutes", { ...ended, endedMs: ago(9) }, RECORD, "vm-41", at(28)],
    ["the forge does not know the run", undefined, RECORD, "vm-41", at(28)],
    ["the lock is of another machine", ended, RECORD, "vm-42", at(28)],
    ["the lock was made before the run began", ended, RECORD, "vm-41", at(31)],
    [
      "the lock was made before the run, as the forge has it",
      { ...ended, startedMs: ago(20) },
      RECORD,
      "vm-41",
      at(28),
    ],
    ["the lock was made after the run ended", ended, RECORD, "vm-41", at(14)],
    ["the lock's time cannot be read", ended, RECORD, "vm-41", "2026-99-99T10:00:00Z"],
  ])("leaves the lock where %s", async (_, state, record, host, since) => {
    comment(...(record === undefined ? [] : [record]));
    if (state !== undefined) forge.runs.set("800", state);
    lock(host, since);
    const { code } = await up(name);
    expect([code, wasUnlocked()]).toEqual([255, false]);
    // The next run may know more.
    expect(kept()).toEqual(record === undefined ? [] : [record]);
  });

  it("falls back to the lock's age where the forge does not answer", async () => {
    comment(RECORD);
    lock("vm-41", at(91));
    await forge.close();
    forge = await startForge("acme/none");
    const { code, said } = await up(name);
    expect(said).toContain("the stack's locks are judged by their age alone");
    expect([code, wasUnlocked()]).toEqual([0, true]);
  });

  it("records this run while its command runs, in a comment that is made for it, and no longer", async () => {
    pulumi.ups(`exit 0\n`);
    let during: readonly RunRecord[] = [];
    const watch = setInterval(() => {
      if (kept().length > 0) during = kept();
    }, 1);
    const { code } = await up(name);
    clearInterval(watch);
    expect(code).toBe(0);
    expect(during).toEqual([
      {
        id: "900",
        attempt: name === "GitHub" ? 2 : 1,
        host: hostname(),
        sinceMs: expect.any(Number) as number,
      },
    ]);
    expect(kept()).toEqual([]);
    expect(forge.comments[0]?.body).toContain("### The preview is being created");
  });

  it("a comment that is written while a run is recorded keeps the record", async () => {
    comment(RECORD);
    await inJob(name, "comment", "--number", "7", "--failed");
    expect(kept()).toEqual([RECORD]);
    expect(forge.comments[0]?.body).toContain("### The preview failed");
  });
});

it("a run that was tried again is another one", async () => {
  comment(RECORD);
  forge.runs.set("800", { status: "completed", attempt: 2, startedMs: ago(35), endedMs: ago(15) });
  lock("vm-41", at(28));
  expect(await up("GitHub")).toMatchObject({ code: 255 });
  expect(wasUnlocked()).toBe(false);
});

it("a record further down in the comment, as from a program's own text, does not count", async () => {
  comment();
  const [own] = forge.comments;
  if (own !== undefined) own.body += addRunRecords("", [RECORD]);
  forge.runs.set("800", { status: "completed", startedMs: ago(35), endedMs: ago(15) });
  lock("vm-41", at(28));
  expect(await up("GitHub")).toMatchObject({ code: 255 });
});
