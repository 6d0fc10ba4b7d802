import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { writeFiles } from "../../previews/init/init";
import { findPackageRoot } from "../../tools/engine/package-root";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { startForge, type ForgeStub } from "./workflows/forge-stub";
import { jobsOf, readPipeline, runScript, type Variables } from "./workflows/gitlab-pipeline";
import { createRepository, type Repository } from "./workflows/repository";
import { runWorkflow, type WorkflowRun } from "./workflows/run-workflow";
import { runnerEnvironment } from "./workflows/runner-environment";
import { startService, type Service } from "./workflows/service";
import { readWorkflow } from "./workflows/workflow-file";

// What `init --production` writes, beside the program of the example of drift.

const REPOSITORY = "acme/shop";
const folder = mkdtempSync(join(tmpdir(), "management-production-"));
const example = join(findPackageRoot(), "examples/drift/infrastructure");
const logs: string[] = [];

let service: Service;
let forge: ForgeStub;
let repository: Repository;
let staging: string;
let readToken: string;
let runOnGitHub: (commit: string, approved: readonly string[]) => Promise<WorkflowRun>;
let runOnGitLab: (job: string, commit: string, planned?: Variables) => ReturnType<typeof runScript>;
let refreshProduction: () => Promise<void>;
/** What happens between the plan and the approval. */
let whileWaiting: () => Promise<void> = () => Promise.resolve();

/** The statement timeout of a project, in seconds. */
const timeoutOf = (ref: string): string | undefined =>
  service.emulator.control.call("getPostgresConfig", { ref }).statement_timeout ?? undefined;
const index = (seconds: number): string =>
  readFileSync(join(example, "index.ts"), "utf8").replace('"30s"', `"${seconds}s"`);

/** Merges a change of the statement timeout into the main branch, by a pull request. */
function merge(seconds: number, number: number): string {
  const commit = repository.push("main", { "infrastructure/index.ts": index(seconds) });
  forge.heads.set("main", commit);
  forge.pulls.set(number, {
    ...{
      number,
      branch: `change-${number}`,
      from: REPOSITORY,
      state: "closed",
      commit: "c",
      mergedAs: commit,
    },
  });
  return commit;
}

beforeAll(async () => {
  const engine = await engineForTests();
  service = await startService();
  forge = await startForge(REPOSITORY);
  repository = createRepository("drift");
  const { control } = service.emulator;
  const body = { name: "staging", organization_slug: "acme", db_pass: "db-password-of-staging" };
  staging = control.call("createProject", { body }).ref;
  control.advance(600_000);
  const written = join(folder, "written");
  for (const name of ["states", "github", "gitlab"]) mkdirSync(join(folder, name), { recursive: true });
  writeFiles({ dir: join(folder, "github"), kind: "production", forge: "github" });
  writeFiles({ dir: join(folder, "gitlab"), kind: "production", forge: "gitlab" });
  for (const name of ["plan.sh", "drift.sh"]) {
    // As the repository keeps its mode.
    expect(statSync(join(folder, "github/infrastructure", name)).mode & 0o111).toBe(0o111);
  }
  const backend = {
    PULUMI_BACKEND_URL: pathToFileURL(join(folder, "states")).href,
    PULUMI_CONFIG_PASSPHRASE: "passphrase-of-the-states",
  };
  const vars = { MANAGEMENT_BASE_URL: service.emulator.url };
  const runner = runnerEnvironment(engine, folder);
  cpSync(example, written, { recursive: true });
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(program, args, {
      cwd: written,
      env: {
        ...{ ...runner, ...vars, ...backend, HOME: folder },
        MANAGEMENT_ACCESS_TOKEN: service.emulator.accessToken,
      },
    });
  await run("npm", "ci");
  refreshProduction = async () => {
    await run("pulumi", "refresh", "--yes", "--non-interactive", "--stack", "production");
  };
  const files: Record<string, string> = {};
  for (const [stack, ref] of Object.entries({ staging, production: service.project })) {
    await run("pulumi", "stack", "init", stack);
    await run("pulumi", "config", "set", "--stack", stack, "projectRef", ref);
    await run(
      "pulumi",
      "config",
      "set",
      "--stack",
      stack,
      "--secret",
      "paymentsKey",
      `payments-key-of-${stack}`,
    );
    files[`infrastructure/Pulumi.${stack}.yaml`] = readFileSync(
      join(written, `Pulumi.${stack}.yaml`),
      "utf8",
    );
  }
  files["infrastructure/plan.sh"] = readFileSync(join(folder, "github/infrastructure/plan.sh"), "utf8");
  repository.push("main", files, { executable: ["infrastructure/plan.sh"] });
  const writing = service.emulator.accessToken;
  readToken = control.createToken({
    permissions: ["api_gateway_keys_read", "database_config_read", "edge_functions_secrets_read"],
  });

  const workflow = readWorkflow(join(folder, "github/.github/workflows/production.yml"));
  runOnGitHub = (commit, approved) =>
    runWorkflow(workflow, {
      runner: {
        env: { ...runner, GITHUB_ACTIONS: "true", GITHUB_API_URL: forge.url, GITHUB_REPOSITORY: REPOSITORY },
        remote: repository.remote,
        onStep: (name) => {
          const isApproved = name === "Compare with the plan that was approved";
          return isApproved ? whileWaiting() : Promise.resolve();
        },
      },
      // As those of the environments, which the simulated forge does not tell from the repository's.
      ...{ forge, logs, vars: { MAIN_MANAGEMENT_BASE_URL: service.emulator.url } },
      github: { event: {}, repository: REPOSITORY, sha: commit, ref_name: "main" },
      // A run that enters no environment has nothing of production.
      secrets: {},
      environments: Object.fromEntries(
        approved.map((name) => [
          name,
          {
            ...Object.fromEntries(Object.entries(backend).map(([key, value]) => [`MAIN_${key}`, value])),
            ...(name === "production-plan"
              ? { MAIN_MANAGEMENT_READ_TOKEN: readToken }
              : { MAIN_MANAGEMENT_ACCESS_TOKEN: writing }),
          },
        ]),
      ),
    });

  const jobs = readPipeline(join(folder, "gitlab/.gitlab-ci.yml"));
  runOnGitLab = async (name, commit, planned = {}) => {
    const job = jobs[name];
    if (job === undefined) throw new Error(`there is no job ${name}`);
    const own = {
      ...{ ...vars, ...(job.environment && backend) },
      GITLAB_TOKEN: forge.mint({ "pull-requests": "write" }),
      ...(job.environment?.name === "production-plan"
        ? { MANAGEMENT_READ_TOKEN: readToken }
        : { MANAGEMENT_ACCESS_TOKEN: writing }),
    };
    const env = {
      ...{ ...runner, GITLAB_CI: "true", CI_API_V4_URL: forge.url, CI_PROJECT_ID: "5" },
      ...Object.fromEntries(Object.entries(own).map(([key, value]) => [`MAIN_${key}`, value])),
    };
    const variables = {
      ...{ CI_COMMIT_SHA: commit, CI_COMMIT_BRANCH: "main", CI_DEFAULT_BRANCH: "main" },
      ...planned,
    };
    const ended = await runScript(job, { env, remote: repository.remote, variables });
    logs.push(ended.log);
    return ended;
  };
}, PROVISIONING_TIMEOUT_MS);
afterAll(async () => {
  await forge.close();
  await service.emulator.close();
  repository.dispose();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function expectDone(run: WorkflowRun, ...jobs: readonly string[]): void {
  for (const [name, { status, log }] of Object.entries(run)) {
    if (status !== "success") throw new Error(`${name}: ${status}\n${log}`);
  }
  expect(Object.keys(run)).toEqual(jobs);
}

it("GitHub: a merge changes staging, and production only once it is approved; the plan is in a comment of its own", async () => {
  const commit = merge(41, 50);
  forge.comments.push({
    ...{ id: 1, pull: 50, user: { login: "github-actions[bot]" }, author: { id: 40 } },
    body: "<!-- management-previews -->\nThe preview was removed.\n",
  });
  expectDone(await runOnGitHub(commit, ["staging", "production-plan"]), "staging", "plan");
  expect([timeoutOf(staging), timeoutOf(service.project)]).toEqual(["41s", undefined]);
  const [preview, plan] = forge.comments.filter(({ pull }) => pull === 50);
  expect(preview?.body).toContain("The preview was removed.");
  expect(plan?.body).toContain("### What `production` would get");
  expect(plan?.body).toMatch(/statementTimeout *: "41s"/);

  expectDone(
    await runOnGitHub(commit, ["staging", "production-plan", "production"]),
    "staging",
    "plan",
    "production",
  );
  expect(timeoutOf(service.project)).toBe("41s");
});

it("GitHub: an approval that comes after a later merge takes nothing back", async () => {
  const earlier = merge(42, 51);
  merge(43, 52);
  const { production } = await runOnGitHub(earlier, ["staging", "production-plan", "production"]);
  expect(production?.status).toBe("failure");
  expect(production?.log).toContain("A later commit is on main: approve its run.");
  expect(timeoutOf(service.project)).toBe("41s");
});

it("GitHub: an approval of a plan that is no longer what production would get changes nothing, and says how to go on", async () => {
  const { control } = service.emulator;
  const commit = merge(46, 55);
  whileWaiting = async () => {
    control.call("updatePostgresConfig", { ref: service.project, body: { statement_timeout: "46s" } });
    control.advance(600_000);
    // What the state has now, as a refresh of somebody else's left it.
    await refreshProduction();
  };
  try {
    const { production } = await runOnGitHub(commit, ["staging", "production-plan", "production"]);
    expect(production?.status).toBe("failure");
    expect(production?.log).toMatch(/^< update urn:\S+:PostgresConfig::\S+ .*statementTimeout$/m);
    expect(production?.log).toContain("Run the whole workflow again, which makes a new plan.");
    expect(production?.steps).not.toContain("Change production");
  } finally {
    whileWaiting = () => Promise.resolve();
  }
  control.call("updatePostgresConfig", { ref: service.project, body: { statement_timeout: "41s" } });
  control.advance(600_000);
  await refreshProduction();
});

it("GitHub: no job that has a secret of the main branch has a cache, runs scripts of packages, or enters no environment", () => {
  for (const name of ["production", "drift"]) {
    const { jobs } = readWorkflow(join(folder, `github/.github/workflows/${name}.yml`));
    for (const job of Object.values(jobs)) {
      expect(job.environment).toMatch(/^(?:staging|production|production-plan)$/);
      const text = JSON.stringify(job);
      expect(text).not.toMatch(
        /"cache|(?:secrets|vars)\.(?!MAIN_|DRIFT_ISSUE\b)|npm ci(?! --ignore-scripts)/,
      );
      expect(text.includes("secrets.MAIN_MANAGEMENT_ACCESS_TOKEN")).toBe(
        job.environment !== "production-plan",
      );
    }
  }
});

it("GitLab: a merge changes staging, and production only by the manual job, which takes nothing back", async () => {
  const jobs = readPipeline(join(folder, "gitlab/.gitlab-ci.yml"));
  const pushed = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main", CI_DEFAULT_BRANCH: "main" };
  expect(jobsOf(jobs, pushed)).toEqual(["staging", "plan production", "production"]);
  expect(jobsOf(jobs, { ...pushed, CI_COMMIT_BRANCH: "feature" })).toEqual([]);
  expect(jobsOf(jobs, { ...pushed, CI_PIPELINE_SOURCE: "schedule", DRIFT: "true" })).toEqual([
    "drift of production",
  ]);
  expect(jobs["production"]?.rules).toEqual([expect.objectContaining({ when: "manual" })]);
  expect(jobs["production"]).toMatchObject({
    needs: ["plan production"],
    environment: { name: "production" },
  });

  const earlier = merge(44, 53);
  const commit = merge(45, 54);
  let planned: Variables = {};
  for (const job of ["staging", "plan production"]) {
    const { code, log, dotenv } = await runOnGitLab(job, commit);
    if (code !== 0) throw new Error(log);
    planned = dotenv;
  }
  expect([timeoutOf(staging), timeoutOf(service.project)]).toEqual(["45s", "41s"]);
  expect(forge.comments.find(({ pull }) => pull === 54)?.body).toMatch(/statementTimeout *: "41s" => "45s"/);

  const late = await runOnGitLab("production", earlier);
  expect([late.code, timeoutOf(service.project)]).toEqual([1, "41s"]);
  const other = await runOnGitLab("production", commit, { PLANNED: "of another plan" });
  expect([other.code, timeoutOf(service.project)]).toEqual([1, "41s"]);
  expect(other.log).toContain(
    "Run the job plan production again, which makes a new plan, and then this one.",
  );
  const done = await runOnGitLab("production", commit, planned);
  if (done.code !== 0) throw new Error(done.log);
  expect(timeoutOf(service.project)).toBe("45s");

  const { control } = service.emulator;
  expect((await runOnGitLab("drift of production", commit)).code).toBe(0);
  control.call("updatePostgresConfig", { ref: service.project, body: { statement_timeout: "5s" } });
  control.advance(600_000);
  expect((await runOnGitLab("drift of production", commit)).code).toBe(7);
});

it("shows no secret in any log or comment", () => {
  const shown = [...logs, ...forge.comments.map(({ body }) => body)].join("\n");
  expect(shown).toContain("statementTimeout");
  for (const secret of [...service.secrets(), readToken, "payments-key-of", "passphrase-of"])
    expect(shown).not.toContain(secret);
});
