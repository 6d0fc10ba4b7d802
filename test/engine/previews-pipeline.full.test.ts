import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findPackageRoot } from "../../tools/engine/package-root";
import { previewNamed, REPOSITORY } from "../../tools/engine/preview-repository";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { startForge, type ForgeStub, type StubbedPull } from "./workflows/forge-stub";
import { jobsOf, readPipeline, runScript, type Variables } from "./workflows/gitlab-pipeline";
import { createRepository, type Repository } from "./workflows/repository";
import { runnerEnvironment } from "./workflows/runner-environment";
import { startService, type Service } from "./workflows/service";

const jobs = readPipeline(join(findPackageRoot(), "examples/preview-environments/.gitlab-ci.yml"));
const folder = mkdtempSync(join(tmpdir(), "management-pipeline-"));
const logs: string[] = [];

let service: Service;
let forge: ForgeStub;
let repository: Repository;
let run: (job: string, variables: Variables) => Promise<void>;
beforeAll(async () => {
  const engine = await engineForTests();
  service = await startService();
  forge = await startForge("none");
  repository = createRepository();
  mkdirSync(join(folder, "states"));
  const env = {
    ...runnerEnvironment(engine, folder),
    ...{ GITLAB_CI: "true", CI_API_V4_URL: forge.url, CI_PROJECT_ID: "5", CI_PROJECT_URL: REPOSITORY },
    ...{ CI_JOB_ID: "1", CI_DEFAULT_BRANCH: "main", CI_REPOSITORY_URL: repository.remote },
    GITLAB_TOKEN: forge.mint({ "pull-requests": "write" }),
    ...{ MANAGEMENT_BASE_URL: service.emulator.url, MANAGEMENT_ACCESS_TOKEN: service.token },
    ...{ PARENT_PROJECT_REF: service.project, PULUMI_CONFIG_PASSPHRASE: "passphrase-of-the-states" },
    PULUMI_BACKEND_URL: pathToFileURL(join(folder, "states")).href,
  };
  run = async (name, variables) => {
    const job = jobs[name];
    if (job === undefined) throw new Error(`there is no job ${name}`);
    const { code, log } = await runScript(job, { env, remote: repository.remote, variables });
    logs.push(log);
    if (code !== 0) throw new Error(`${name} ended with ${code}:\n${log}`);
  };
}, PROVISIONING_TIMEOUT_MS);
afterAll(async () => {
  await forge.close();
  await service.emulator.close();
  repository.dispose();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const nameOf = (number: number): string => previewNamed(service.project, number);

function open(number: number, branch: string): StubbedPull {
  const pull: StubbedPull = { number, branch, from: "5", state: "open", commit: repository.push(branch, {}) };
  forge.pulls.set(number, pull);
  return pull;
}

/** What the forge sets in a pipeline of a merge request. */
const variablesOf = ({ number, branch, from, commit }: StubbedPull): Variables => ({
  ...{ CI_PIPELINE_SOURCE: "merge_request_event", CI_PROJECT_ID: "5", CI_COMMIT_SHA: commit },
  ...{ CI_MERGE_REQUEST_IID: String(number), CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: branch },
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: from,
  CI_JOB_URL: `https://forge.example.com/jobs/${number}`,
});

it("a merge request has a preview from when it is opened until it is closed, and one comment", async () => {
  const pull = open(7, "feature/orders");
  const superseded = variablesOf(pull);
  expect(jobsOf(jobs, superseded)).toEqual(["preview", "remove preview"]);
  pull.commit = repository.push(pull.branch, { "notes.md": "second\n" });
  await run("preview", superseded);
  expect(service.branches()).toEqual([]);
  await run("preview", variablesOf(pull));
  expect(service.branches()).toEqual([nameOf(7)]);
  expect(forge.comments).toMatchObject([
    { pull: 7, body: expect.stringContaining("create table") as unknown },
  ]);

  pull.state = "closed";
  await run("preview", variablesOf(pull));
  await run("remove preview", variablesOf(pull));
  expect(service.branches()).toEqual([]);
  expect(forge.comments).toMatchObject([
    { pull: 7, body: expect.stringContaining("The preview was removed.") as unknown },
  ]);
});

it("a run that fails replaces the comment, keeps the preview in it, and says file and line", async () => {
  const pull = open(17, "feature/broken");
  await run("preview", variablesOf(pull));
  pull.commit = repository.push(pull.branch, {
    "database/migrations/20260103120000_x.sql": "select 1;\ncreate tabel x;\n",
  });
  await expect(run("preview", variablesOf(pull))).rejects.toThrow("preview ended with");
  const comment = forge.comments.find((each) => each.pull === 17)?.body ?? "";
  expect(comment).toContain(`### The preview of ${pull.commit} failed`);
  expect(comment).toMatch(/20260103120000_x\.sql.* failed.*tabel/);
  expect(comment).toContain("[the log of the job](https://forge.example.com/jobs/17)");
  expect(comment).toMatch(/Before this run:[^]*### Preview of merge request !17/);
  pull.state = "closed";
  await run("remove preview", variablesOf(pull));
});

it("a preview with the schema of its project shows no change of it", async () => {
  const pull = open(20, "feature/same");
  const remove = ["database/migrations/20260101120000_create_orders.sql", "database/seed.sql"];
  pull.commit = repository.push(pull.branch, {}, { remove });
  await run("preview", variablesOf(pull));
  const comment = forge.comments.find((each) => each.pull === 20)?.body ?? "";
  expect(comment).toContain("### Preview of merge request !20");
  expect(comment).not.toContain("Changes of the schema");
  pull.state = "closed";
  await run("remove preview", variablesOf(pull));
});

it("a merge request that had no preview has no comment when it is closed", async () => {
  const pull = open(18, "never");
  pull.state = "closed";
  await run("remove preview", variablesOf(pull));
  expect(forge.comments.filter((each) => each.pull === 18)).toEqual([]);
});

it("a merge train has no job", () => {
  const train = { ...variablesOf(open(19, "train")), CI_MERGE_REQUEST_EVENT_TYPE: "merge_train" };
  expect(jobsOf(jobs, train)).toEqual([]);
});

it("a merge request of a fork has no job", () => {
  expect(jobsOf(jobs, { ...variablesOf(open(8, "patch")), CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "6" })).toEqual(
    [],
  );
});

it("the schedule removes what no open merge request needs", async () => {
  const scheduled = { CI_PIPELINE_SOURCE: "schedule", CI_PROJECT_ID: "5", CI_COMMIT_SHA: "main" };
  expect(jobsOf(jobs, scheduled)).toEqual(["sweep previews"]);
  const { control } = service.emulator;
  open(9, "gone").state = "closed";
  for (const [number, branch] of [
    [8, "patch"],
    [9, "gone"],
  ] as const) {
    const body = { branch_name: nameOf(number), git_branch: branch };
    control.call("createBranch", { ref: service.project, body });
  }
  control.edit(({ branches }) => {
    for (const branch of branches.values()) branch.createdAt -= 2 * 3_600_000;
  });
  await run("sweep previews", scheduled);
  expect(service.branches()).toEqual([nameOf(8)]);
});

it("no log shows a secret", () => {
  const shown = [...logs, ...forge.comments.map(({ body }) => body)].join("\n");
  expect(shown).not.toMatch(
    /pat_[0-9a-f]{10}|ghs_[0-9a-f]{10}|postgres(?:ql)?:\/\/|passphrase-of|db-password-of/,
  );
});
