import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scriptProblems } from "../../provider/actions/database/shared/script-runs";
import { migrationProblems } from "../../provider/resources/database/shared/migration-problems";
import { run } from "../../previews/run";
import { useFakePulumi } from "./fake-pulumi";
import { startPreviewed, type Previewed } from "./previews";

// What is ordinary work in a pull request, and what no database that has the former files can take.

const pulumi = useFakePulumi();
let all: Previewed;
let ref: string;
beforeEach(async () => {
  all = await startPreviewed();
  process.env["MANAGEMENT_BASE_URL"] = all.emulator.url;
  process.env["MANAGEMENT_ACCESS_TOKEN"] = all.emulator.accessToken;
  ref = all.preview(7, 1);
  pulumi.has(own(), ref);
});
afterEach(() => all.close());

const own = () => ({
  ...{ projectRef: all.project, name: all.name(7), gitBranch: "feature-7", pullRequest: 7 },
});

const about = () => ["--project", all.project, "--repository", all.repository, "--number", "7"];
async function upped(
  ...more: string[]
): Promise<{ code: number; err: string; log: string; report: unknown }> {
  let err = "";
  let log = "";
  const file = join(pulumi.folder, "report.json");
  const args = [
    "run",
    ...about(),
    "--git-branch",
    "feature-7",
    "--work-dir",
    pulumi.folder,
    "--report",
    file,
  ];
  const code = await run([...args, ...more, "--", "pulumi", "up"], {
    out: (text) => void (log += text),
    err: (text) => {
      err += text;
      log += text;
    },
  });
  return { code, err, log, report: JSON.parse(readFileSync(file, "utf8")) };
}

/** What makes a log look as one of a run that failed. */
const MARKS_OF_ERRORS = /error:|\*\*\w* ?failed|the step failed|errored|\[31m/;

/** Fails with that error while the former branch is there. */
function refuses(message: string): void {
  const row = "    management:index:MigrationSet preview-migrations ";
  const lines = [
    "@ updating....",
    "    pulumi:pulumi:Stack previews-x running pulumi-management: the step failed; see the error of the resource",
    `${row}\u001b[31merror: ${message}\u001b[0m`,
    `${row}**failed** 1 error`,
    `${row}**creating failed** \u001b[31merror: \u001b[0m${message}`,
    "Diagnostics:",
    "  management:index:MigrationSet (preview-migrations):",
    `    error: ${message}`,
    "Resources:",
    "    1 errored",
    "",
  ];
  pulumi.ups(`if [ -f emptied ]; then exit 0; fi\ncat <<'SAID'\n${lines.join("\n")}SAID\nexit 255\n`);
  pulumi.destroys("touch emptied; rm -f state.json\n");
}

const up = () => `up [${all.name(7)}]`;
const destroy = () => `destroy --yes --skip-preview --stack ${all.name(7)} [${all.name(7)}]`;
const file = "20260101120000_create_orders.sql";
const { changed, renamed, removed, slippedIn, failed } = migrationProblems;

it.each([
  ["a migration is edited", () => changed.message({ file, ref, version: "1" }), "was applied to"],
  ["one is renamed", () => renamed.message({ file, ref, name: "orders", version: "1" }), "as `orders`"],
  ["one is gone after a force-push", () => removed.message({ file, ref }), "no longer exists"],
  ["a rebase brings an older one", () => slippedIn.message({ file, ref, latest: "2_b" }), "comes before 2_b"],
  [
    "the seed is rewritten",
    () => scriptProblems.otherQuery.message({ ref, name: "seed" }),
    "the seed does not run",
  ],
  [
    "the new seed finds the rows of the old one",
    () =>
      scriptProblems.failed.message({
        file: " seed.sql",
        place: ", line 1,",
        ref,
        left: "nothing is left",
        answer: ": duplicate key",
      }),
    "the seed does not run",
  ],
])("the preview is recreated by the job where %s", async (_what, message, why) => {
  refuses(message());
  const { code, err, log, report } = await upped();
  expect(code).toBe(0);
  expect(err).toContain("The preview is recreated: ");
  expect(log).not.toMatch(MARKS_OF_ERRORS);
  expect(log).toMatch(/updating[^]*is recreated: [^]*ended with this:[^]* {4}first attempt: /);
  expect(pulumi.calls()).toEqual([up(), destroy(), up()]);
  expect(all.names()).toEqual([]);
  expect(report).toMatchObject({ code: 0, recreated: expect.stringContaining(why) as unknown });
});

it("a migration that the database refuses for its SQL recreates nothing, and the report has its error", async () => {
  refuses(failed.message({ file, place: ", line 3,", ref, answer: ': syntax error at or near "tabel"' }));
  const { code, report } = await upped();
  expect(code).toBe(255);
  expect(pulumi.calls()).toEqual([up()]);
  expect(all.names()).toEqual([all.name(7)]);
  expect(report).toMatchObject({ code: 255, error: expect.stringContaining(`${file}, line 3,`) as unknown });
});

it.each([
  [
    "of another database than the preview's",
    () => changed.message({ file, ref: "z".repeat(20), version: "1" }),
  ],
  [
    "of the seed's own SQL",
    () =>
      scriptProblems.failed.message({
        ...{ file: "", place: ", line 1,", ref, left: "nothing is left" },
        answer: ': syntax error at or near "insrt"',
      }),
  ],
])("a refusal %s recreates nothing", async (_what, message) => {
  refuses(message());
  expect((await upped()).code).toBe(255);
  expect(pulumi.calls()).toEqual([up()]);
  expect(all.names()).toEqual([all.name(7)]);
});

it("what a new preview refuses as well is tried once, and both attempts are shown as failed", async () => {
  const message = slippedIn.message({ file, ref, latest: "2_b" });
  pulumi.ups(`echo 'error: ${message}'; exit 255\n`);
  pulumi.destroys("rm -f state.json\n");
  const { code, log } = await upped();
  expect(code).toBe(255);
  expect(log.split(`first attempt: ${message}`)).toHaveLength(2);
  expect(log.split(`error: ${message}`)).toHaveLength(3);
  expect(log).toContain(`The first attempt failed with this:\nerror: ${message}`);
  expect(pulumi.calls()).toEqual([up(), destroy(), up()]);
});

it("nothing is recreated where that is not wanted", async () => {
  refuses(changed.message({ file, ref, version: "1" }));
  const { code, log } = await upped("--on-history-change", "fail");
  expect(code).toBe(255);
  expect(log).toContain("    error: ");
  expect(log).not.toContain("first attempt");
  expect(pulumi.calls()).toEqual([up()]);
  expect(all.names()).toEqual([all.name(7)]);
});

it("a persistent branch is never recreated", async () => {
  const { control } = all.emulator;
  control.call("updateBranch", { branch_id_or_ref: ref, body: { persistent: true } });
  refuses(changed.message({ file, ref, version: "1" }));
  const { code, err, log } = await upped();
  expect(code).toBe(1);
  expect(err).toContain("it is persistent");
  expect(log).toMatch(/failed with this:[^]* {4}error: [^]*it is persistent/);
  expect(pulumi.calls()).toEqual([up()]);
  expect(all.names()).toEqual([all.name(7)]);
});

it("a branch that somebody deleted by hand is recreated with all that was on it", async () => {
  all.emulator.control.call("deleteBranch", { branch_id_or_ref: ref });
  pulumi.destroys("rm -f state.json\n");
  const { code, report } = await upped();
  expect(code).toBe(0);
  expect(pulumi.calls()).toEqual([destroy(), up()]);
  expect(report).toMatchObject({ recreated: `its branch ${ref} no longer exists` });
});

it("a preview whose state was lost is recreated by the first run, once its branch is known to be its own", async () => {
  const known = readFileSync(join(pulumi.folder, "state.json"), "utf8");
  rmSync(join(pulumi.folder, "state.json"));
  writeFileSync(join(pulumi.folder, "adopted.json"), known);
  const message = changed.message({ file, ref, version: "1" });
  pulumi.ups(
    `if [ -f emptied ]; then exit 0; fi; cp adopted.json state.json; echo 'error: ${message}'; exit 255\n`,
  );
  pulumi.destroys("touch emptied; rm -f state.json\n");
  const { code, log } = await upped();
  expect(code).toBe(0);
  expect(pulumi.calls().filter((call) => !call.startsWith("stack init"))).toEqual([up(), destroy(), up()]);
  expect(log).not.toMatch(MARKS_OF_ERRORS);
});

it("a branch of another pull request that the program took over is never recreated", async () => {
  const other = all.preview(9, 1);
  rmSync(join(pulumi.folder, "state.json"));
  const taken = { type: "management:index:Branch", inputs: own(), outputs: { ref: other } };
  writeFileSync(
    join(pulumi.folder, "adopted.json"),
    JSON.stringify({ version: 3, deployment: { resources: [taken] } }),
  );
  const message = changed.message({ file, ref: other, version: "1" });
  pulumi.ups(`cp adopted.json state.json; echo 'error: ${message}'; exit 255\n`);
  expect((await upped()).code).toBe(1);
  expect(pulumi.calls().some((call) => call.startsWith("destroy"))).toBe(false);
  expect(all.names()).toEqual([all.name(7), all.name(9)]);
});

it("a branch that only a listing lacks is kept", async () => {
  all.emulator.control.addFault({ operation: "listBranches", status: 200, body: [], times: 9 });
  const { code } = await upped();
  expect(code).toBe(0);
  expect(pulumi.calls()).toEqual([up()]);
});

it("a branch that a killed run had begun to create is left to the next one", async () => {
  pulumi.hasPending(own());
  const { code, report } = await upped();
  expect(code).toBe(0);
  expect(pulumi.calls()).toEqual([up()]);
  expect(all.names()).toEqual([all.name(7)]);
  expect(report).not.toHaveProperty("recreated");
});

it("a replaced branch that is gone alone recreates nothing", async () => {
  pulumi.hasEach([own(), "g".repeat(20)], [own(), ref]);
  const { code } = await upped();
  expect(code).toBe(0);
  expect(pulumi.calls()).toEqual([up()]);
});

it("a Git branch that was renamed is told with the command that goes on", async () => {
  pulumi.has({ ...own(), gitBranch: "feature-old" }, ref);
  const { code, report } = await upped();
  expect(code).toBe(1);
  expect(report).toMatchObject({
    error: expect.stringContaining(
      `management-previews remove --project ${all.project} --number 7 --git-branch feature-old --stack-pattern '{name}'`,
    ) as unknown,
  });
});

it("reset removes the preview and leaves its stack to the next run", async () => {
  pulumi.destroys("rm -f state.json\n");
  let out = "";
  const args = [
    ...about(),
    "--git-branch",
    "feature-7",
    "--stack-pattern",
    "{name}",
    "--work-dir",
    pulumi.folder,
  ];
  const code = await run(["reset", ...args], { out: (text) => void (out += text), err: () => undefined });
  expect({ code, out }).toEqual({
    code: 0,
    out: `${all.name(7)}: removed. To recreate the preview, run the job again or push.\n`,
  });
  expect(pulumi.calls()).toEqual([destroy()]);
  expect(all.names()).toEqual([]);
});

it("reset says where there was nothing to remove, as under a wrong prefix", async () => {
  let out = "";
  const options = ["--git-branch", "feature-7", "--prefix", "shop-pr-", "--work-dir", pulumi.folder];
  const code = await run(["reset", ...about(), ...options], {
    out: (text) => void (out += text),
    err: () => undefined,
  });
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^shop-pr-7-\S+: there is none, so nothing was removed\. .*--prefix/,
    ) as unknown,
  });
  expect(all.names()).toEqual([all.name(7)]);
});

it("a branch with a name that a shell would read otherwise is not put into a command", async () => {
  pulumi.has({ ...own(), gitBranch: "a`id`$(id)'" }, ref);
  const { report } = await upped();
  const { error = "" } = report as { error?: string };
  expect(error).toContain("--git-branch <its Git branch> --stack-pattern");
});

it("a label asks for a new preview by --recreate", async () => {
  pulumi.destroys("rm -f state.json\n");
  expect((await upped("--recreate")).code).toBe(0);
  expect(pulumi.calls()).toEqual([destroy(), up()]);
});

it("says where the time went", async () => {
  pulumi.ups(
    `printf ' +  management:index:Branch preview-branch created (41s) \\n +  management:index:MigrationSet preview-migrations created (3.4s) \\n ~  management:index:SqlScript preview-seed-2 updated (2s) \\n +  management:index:SqlScript preview-setup created (4s) \\n +  management:index:SqlScript orders created (5s) \\n'\n`,
  );
  expect((await upped()).err).toMatch(
    /^Time: branch 41 s, migrations 3 s, seed 2 s, setup 4 s, SQL 5 s, engine 0 s, checks 0 s\.$/m,
  );
});
