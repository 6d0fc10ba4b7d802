import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { addRunRecords } from "../../previews/run-records";
import { findPackageRoot } from "../../tools/engine/package-root";
import { migrateByTool } from "../../tools/engine/migrate-by-tool";
import { previewNamed } from "../../tools/engine/preview-repository";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectDone, onGitHub, onGitLab, type Driver, type Place } from "./workflows/drivers";
import { startForge, type ForgeStub, type StubbedPull } from "./workflows/forge-stub";
import { readPipeline } from "./workflows/gitlab-pipeline";
import { createRepository, type Repository } from "./workflows/repository";
import { BROKEN_INSTALL, runnerEnvironment } from "./workflows/runner-environment";
import { startService, type Service } from "./workflows/service";
import { readWorkflow } from "./workflows/workflow-file";

// What happens to a pull request in ordinary work, by the workflows of both forges.

const example = join(findPackageRoot(), "examples/preview-environments");
const workflow = (name: string) => readWorkflow(join(example, ".github/workflows", name));
const FORGES: readonly (readonly [string, (place: Place) => Driver])[] = [
  ["GitHub", (place) => onGitHub([workflow("preview.yml")], place)],
  ["GitLab", (place) => onGitLab([readPipeline(join(example, ".gitlab-ci.yml"))], place)],
];

const CARTS = "database/migrations/20260201120000_carts.sql";
const MINUTE_MS = 60_000;

describe.each(FORGES)("on %s", (forgeName, drive) => {
  const folder = mkdtempSync(join(tmpdir(), "management-work-"));
  const states = join(folder, "states");
  const logs: string[] = [];
  let service: Service;
  let forge: ForgeStub;
  let repository: Repository;
  let jobs: Driver;

  beforeAll(async () => {
    const engine = await engineForTests();
    service = await startService();
    forge = await startForge("acme/shop");
    repository = createRepository();
    mkdirSync(states);
    jobs = drive({
      ...{ forge, repository, logs, env: runnerEnvironment(engine, folder) },
      vars: { MANAGEMENT_BASE_URL: service.emulator.url, PARENT_PROJECT_REF: service.project },
      secrets: {
        ...{ MANAGEMENT_ACCESS_TOKEN: service.token, PULUMI_BACKEND_URL: pathToFileURL(states).href },
        PULUMI_CONFIG_PASSPHRASE: "passphrase-of-the-states",
      },
    });
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(async () => {
    await forge.close();
    await service.emulator.close();
    repository.dispose();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const nameOf = (number: number): string => previewNamed(service.project, number);
  const commentOf = ({ number }: StubbedPull): string => {
    const [one, ...others] = forge.comments.filter(({ pull }) => pull === number);
    expect(others).toEqual([]);
    return one?.body ?? "";
  };

  function open(number: number, branch: string, files: Readonly<Record<string, string>> = {}): StubbedPull {
    const commit = repository.push(branch, files);
    const pull: StubbedPull = { number, branch, from: "acme/shop", state: "open", commit };
    forge.pulls.set(number, pull);
    return pull;
  }

  type Options = Parameters<Repository["push"]>[2];
  async function push(pull: StubbedPull, files: Readonly<Record<string, string>>, options?: Options) {
    pull.commit = repository.push(pull.branch, files, options);
    return jobs.up(pull);
  }

  async function close(pull: StubbedPull): Promise<void> {
    pull.state = "closed";
    await expectDone(jobs.remove(pull));
  }

  /** Fails, and says so in the comment. */
  async function expectFailed(pull: StubbedPull, ending: ReturnType<Driver["up"]>): Promise<string> {
    for (const { isDone, log } of await ending) if (isDone) throw new Error(log);
    expect(commentOf(pull)).toContain(`### The preview of ${pull.commit} failed`);
    return commentOf(pull);
  }

  it("a migration that is edited, renamed or comes before others, and another seed, recreate the preview", async () => {
    const pull = open(7, "feature/carts", { [CARTS]: "create table carts (id int);\n" });
    await expectDone(jobs.up(pull));
    const changes: readonly (readonly [string, Readonly<Record<string, string>>, Options])[] = [
      ["was applied to", { [CARTS]: "create table carts (id bigint);\n" }, { amend: true }],
      [
        "as `carts`",
        { [CARTS.replace("_carts", "_baskets")]: "create table carts (id bigint);\n" },
        { amend: true, remove: [CARTS] },
      ],
      ["comes before", { "database/migrations/20260115120000_early.sql": "create table early ();\n" }, {}],
      [
        "the seed does not run on the rows of the former one",
        { "database/seed.sql": "insert into orders (id) overriding system value values (1);\n" },
        {},
      ],
    ];
    for (const [why, files, options] of changes) {
      const [{ log } = { log: "" }] = await expectDone(push(pull, files, options));
      expect(log).toMatch(new RegExp(`The preview is recreated: .*${why}`));
      expect(commentOf(pull)).toContain("The last run recreated the preview: ");
      expect(commentOf(pull)).toContain("### Preview of ");
      expect(service.branches()).toEqual([nameOf(7)]);
    }
  });

  it("the label recreates the preview", async () => {
    const pull = forge.pulls.get(7) ?? open(7, "none");
    await expectDone(jobs.up(pull, { isRecreated: true }));
    expect(commentOf(pull)).toContain("The last run recreated the preview: that was asked for.");
  });

  it("a branch that somebody deleted is there again after the next push", async () => {
    const pull = forge.pulls.get(7) ?? open(7, "none");
    const { control } = service.emulator;
    const [branch] = control
      .call("listBranches", { ref: service.project })
      .filter(({ name }) => name === nameOf(7));
    control.call("deleteBranch", { branch_id_or_ref: branch?.project_ref ?? "" });
    expect(service.branches()).toEqual([]);
    await expectDone(push(pull, {}));
    expect(commentOf(pull)).toMatch(
      /The last run recreated the preview: its branch [a-z]{20} no longer exists/,
    );
    expect(service.branches()).toEqual([nameOf(7)]);
  });

  it("a Git branch that was renamed is told, with the command that removes the former preview", async () => {
    const former = forge.pulls.get(7) ?? open(7, "none");
    const pull = open(7, "feature/baskets");
    const comment = await expectFailed(pull, jobs.up(pull));
    expect(comment).toMatch(/run `management-previews remove --project \S+ --number 7 --git-branch /);
    pull.state = "closed";
    await expectDone(jobs.remove(former));
    pull.state = "open";
    await expectDone(jobs.up(pull));
    expect(commentOf(pull)).toContain("feature/baskets");
    expect(service.branches()).toEqual([nameOf(7)]);
  });

  it("what is opened again after it was closed has its preview again", async () => {
    const pull = forge.pulls.get(7) ?? open(7, "none");
    await close(pull);
    expect(commentOf(pull)).toContain("The preview was removed.");
    expect(service.branches()).toEqual([]);
    pull.state = "open";
    await expectDone(jobs.up(pull));
    expect(commentOf(pull)).toContain("### Preview of ");
    expect(service.branches()).toEqual([nameOf(7)]);
  });

  it("a forge that limits its calls, or has no answer for a while, does not turn a good run red", async () => {
    const pull = forge.pulls.get(7) ?? open(7, "none");
    forge.refuse(1, 429, { "retry-after": "1" });
    forge.refuse(1, 403, { "retry-after": "1" });
    forge.refuse(1, 502);
    await expectDone(jobs.up(pull));
    expect(commentOf(pull)).toContain("### Preview of ");
  });

  it("a lock of a run that is over, by the forge's word, is taken away; that of one that is not stays", async () => {
    const pull = forge.pulls.get(7) ?? open(7, "none");
    const now = Date.now();
    const locks = join(states, ".pulumi/locks/organization/previews", nameOf(7));
    mkdirSync(locks, { recursive: true });
    const timestamp = new Date(now - 20 * MINUTE_MS).toISOString();
    const lock = { pid: 41, username: "runner", hostname: "vm-1", timestamp };
    writeFileSync(join(locks, "dead.json"), JSON.stringify(lock));
    const comment = forge.comments.find((each) => each.pull === 7);
    const record = { id: "800", attempt: 1, host: "vm-1", sinceMs: now - 21 * MINUTE_MS };
    const [, mark = "", text = ""] = /^(<!--.*?-->\n)([^]*)$/.exec(comment?.body ?? "") ?? [];
    if (comment !== undefined) comment.body = mark + addRunRecords(text, [record]);
    const startedMs = now - 22 * MINUTE_MS;
    forge.runs.set("800", { status: "running", startedMs });
    expect(await expectFailed(pull, jobs.up(pull))).toContain("the stack is currently locked by 1 lock(s)");
    const status = forgeName === "GitHub" ? "completed" : "failed";
    forge.runs.set("800", { status, startedMs, endedMs: now - 11 * MINUTE_MS });
    const [{ log } = { log: "" }] = await expectDone(jobs.up(pull));
    expect(log).toContain("The lock was removed, and the command runs again.");
    await close(pull);
  });

  it("a project that is paused is told in the comment, and the preview is made once it is back", async () => {
    const pull = open(8, "feature/paused");
    const become = (status: "INACTIVE" | null): void =>
      service.emulator.control.edit(({ projects }) => {
        const project = projects.get(service.project);
        if (project !== undefined) project.forcedStatus = status;
      });
    become("INACTIVE");
    const comment = await expectFailed(pull, jobs.up(pull));
    expect(comment).toMatch(/paused[^]*in the service's console/);
    become(null);
    await expectDone(push(pull, {}));
    expect(commentOf(pull)).toContain("### Preview of ");
    await close(pull);
  });

  it("where the install fails, the comment says so without it", async () => {
    const pull = open(9, "feature/install", { [`preview/${BROKEN_INSTALL}`]: "" });
    const comment = await expectFailed(pull, jobs.up(pull));
    expect(comment).toMatch(
      /A step of the job failed: see \[the log of the job\]\(https:\/\/forge\.example\.com/,
    );
    expect(service.branches()).toEqual([]);
  });

  it("a pull request that had no preview has no comment when it is closed", async () => {
    const pull = open(10, "never");
    await close(pull);
    expect(commentOf(pull)).toBe("");
  });

  it("of a history that the project has from others, only what is new is applied, in a comment that a long change does not break", async () => {
    const { control } = service.emulator;
    const query = "create table from_others (id int)";
    const theirs = "20250101000000_from_others.sql";
    await migrateByTool(service, service.project, { [theirs]: query });
    const columns = Array.from({ length: 60 }, (_, index) => `column_with_a_long_name_${index} text`).join(
      ", ",
    );
    const tables = Array.from(
      { length: 30 },
      (_, index) => `create table long_${index} (${columns});\n`,
    ).join("");
    const version = "29990101000000";
    const pull = open(11, "feature/long", {
      [`database/migrations/${theirs}`]: query,
      [`database/migrations/${version}_long.sql`]: tables,
    });
    await expectDone(jobs.up(pull));
    const [branch] = control
      .call("listBranches", { ref: service.project })
      .filter(({ name }) => name === nameOf(11));
    const history = await control.call("listMigrations", { ref: branch?.project_ref ?? "" });
    expect(history.map(({ name }) => name)).toEqual(expect.arrayContaining(["from_others", "long"]));
    const comment = commentOf(pull);
    expect(comment.length).toBeLessThan(65_000);
    expect(comment).toMatch(/````\n\n\(cut here\)\n\n<\/details>/);
    await close(pull);
  });

  it("no log and no comment shows a secret", () => {
    const shown = [...logs, ...forge.comments.map(({ body }) => body)].join("\n");
    expect(shown).toContain(nameOf(7));
    expect(shown).not.toMatch(/pat_[0-9a-f]{10}|ghs_[0-9a-f]{10}|postgres(?:ql)?:\/\/\S+:\S+@|passphrase-of/);
  });
});
