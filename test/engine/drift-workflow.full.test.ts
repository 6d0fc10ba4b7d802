import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { findPackageRoot } from "../../tools/engine/package-root";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { startForge, type ForgeStub } from "./workflows/forge-stub";
import { readPipeline, runScript } from "./workflows/gitlab-pipeline";
import { createRepository, type Repository } from "./workflows/repository";
import type { JobRun } from "./workflows/run-job";
import { runWorkflow } from "./workflows/run-workflow";
import { runnerEnvironment } from "./workflows/runner-environment";
import { startService, type Service } from "./workflows/service";
import { readWorkflow } from "./workflows/workflow-file";

const REPOSITORY = "acme/shop";
const ISSUE = 40;
/** What the check of the example's program reads, and nothing else. */
const MAY_READ = ["api_gateway_keys_read", "database_config_read", "edge_functions_secrets_read"];
const PAYMENTS_KEY = "payments-key-of-production";
const BY_HAND = "payments-key-set-by-hand";

const example = join(findPackageRoot(), "examples/drift");
const folder = mkdtempSync(join(tmpdir(), "management-drift-"));
const logs: string[] = [];

let service: Service;
let forge: ForgeStub;
let repository: Repository;
let readToken: string;
let check: () => Promise<JobRun>;
let checkOnGitLab: () => Promise<{ code: number; log: string; report: string }>;

beforeAll(async () => {
  const engine = await engineForTests();
  service = await startService();
  forge = await startForge(REPOSITORY);
  forge.issues.add(ISSUE);
  repository = createRepository("drift");
  readToken = service.emulator.control.createToken({ permissions: MAY_READ });
  mkdirSync(join(folder, "states"));
  const backend = {
    PULUMI_BACKEND_URL: pathToFileURL(join(folder, "states")).href,
    PULUMI_CONFIG_PASSPHRASE: "passphrase-of-the-states",
  };
  const vars = { MANAGEMENT_BASE_URL: service.emulator.url };
  const runner = runnerEnvironment(engine, folder);
  const work = join(folder, "infrastructure");
  cpSync(join(example, "infrastructure"), work, { recursive: true });
  const deploying = { ...runner, ...vars, ...backend, HOME: folder };
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(program, args, {
      cwd: work,
      env: { ...deploying, MANAGEMENT_ACCESS_TOKEN: service.emulator.accessToken },
    });
  await run("npm", "ci");
  await run("pulumi", "stack", "init", "production");
  await run("pulumi", "config", "set", "projectRef", service.project);
  await run("pulumi", "config", "set", "--secret", "paymentsKey", PAYMENTS_KEY);
  await run("pulumi", "up", "--yes", "--skip-preview");
  const settings = readFileSync(join(work, "Pulumi.production.yaml"), "utf8");
  repository.push("main", { "infrastructure/Pulumi.production.yaml": settings });

  check = async () => {
    const event = { repository: { default_branch: "main" } };
    const { drift } = await runWorkflow(readWorkflow(join(example, ".github/workflows/drift.yml")), {
      runner: {
        env: { ...runner, GITHUB_ACTIONS: "true", GITHUB_API_URL: forge.url, GITHUB_REPOSITORY: REPOSITORY },
        remote: repository.remote,
        onStep: () => Promise.resolve(),
      },
      ...{ forge, logs, github: { event, repository: REPOSITORY } },
      vars: { MAIN_MANAGEMENT_BASE_URL: vars.MANAGEMENT_BASE_URL, DRIFT_ISSUE: String(ISSUE) },
      secrets: {},
      environments: {
        "production-plan": {
          ...Object.fromEntries(Object.entries(backend).map(([name, value]) => [`MAIN_${name}`, value])),
          MAIN_MANAGEMENT_READ_TOKEN: readToken,
        },
      },
    });
    if (drift === undefined) throw new Error("there is no job");
    return drift;
  };
  checkOnGitLab = async () => {
    const { drift } = readPipeline(join(example, ".gitlab-ci.yml"));
    if (drift === undefined) throw new Error("there is no job");
    const env = { ...runner, ...vars, ...backend, MANAGEMENT_ACCESS_TOKEN: readToken };
    const { artifacts, ...ended } = await runScript(drift, { env, remote: repository.remote, variables: {} });
    logs.push(ended.log);
    return { ...ended, report: artifacts.join() };
  };
}, PROVISIONING_TIMEOUT_MS);
afterAll(async () => {
  await forge.close();
  await service.emulator.close();
  repository.dispose();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** The one comment of the issue. */
function comment(): string {
  expect(forge.comments.map(({ pull }) => pull)).toEqual([ISSUE]);
  return forge.comments[0]?.body ?? "";
}

it("says that there is no drift, with a token that may only read", async () => {
  const { status, log } = await check();
  if (status !== "success") throw new Error(log);
  expect(comment()).toContain("No drift: the service has what the stack `production` declares.");
});

it("shows old and new values, secrets excepted, fails, and changes nothing", async () => {
  const { control } = service.emulator;
  const ref = service.project;
  const key = control.call("listApiKeys", { ref }).find(({ name }) => name === "backend");
  control.call("updateApiKey", { ref, id: key?.id ?? "", body: { description: "Used by somebody else" } });
  control.call("updatePostgresConfig", { ref, body: { statement_timeout: "5s", max_connections: 120 } });
  control.call("createSecrets", { ref, body: [{ name: "PAYMENTS_KEY", value: BY_HAND }] });
  control.advance(600_000);

  const onGitLab = await checkOnGitLab();
  expect(onGitLab.code).toBe(7);
  for (let night = 0; night < 2; night += 1) {
    const { status } = await check();
    expect(status).toBe("failure");
    for (const report of [comment(), onGitLab.report]) {
      expect(report).toContain("**Drift** of the stack `production`");
      expect(report).toMatch(/description *: "Used by the orders service" => "Used by somebody else"/);
      expect(report).toMatch(/statementTimeout *: "30s" => "5s"/);
      expect(report).toContain("Secret PAYMENTS_KEY: value changed outside this program");
    }
  }
});

it("says that it could not look, and not that there is none", async () => {
  const token = readToken;
  readToken = "no-token-of-anybody";
  const { status } = await check();
  readToken = token;
  expect(status).toBe("failure");
  expect(comment()).toContain("**The check of the stack `production` failed** (exit code 1)");
});

it("shows no secret in any log or comment", () => {
  const shown = [...logs, comment()].join("\n");
  expect(shown).toContain("Used by somebody else");
  for (const secret of [...service.secrets(), PAYMENTS_KEY, BY_HAND, readToken])
    expect(shown).not.toContain(secret);
});
