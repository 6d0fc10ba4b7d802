import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Engine } from "../../tools/engine/engine";
import { findPackageRoot } from "../../tools/engine/package-root";
import { previewNamed } from "../../tools/engine/preview-repository";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { gitHubContext, NAME, pullRequestEvent, runOnGitHub } from "./workflows/drivers";
import { interpolate } from "./workflows/expressions";
import { startForge, type StubbedPull } from "./workflows/forge-stub";
import { createRepository } from "./workflows/repository";
import type { WorkflowRun } from "./workflows/run-workflow";
import { runnerEnvironment } from "./workflows/runner-environment";
import { startService } from "./workflows/service";
import { readWorkflow } from "./workflows/workflow-file";

const WORKFLOW = join(findPackageRoot(), "examples/preview-environments/.github/workflows/preview.yml");

/** What the step says that makes or changes the preview. */
const MADE = /Preview of pull request \d+: ready, /;
const COMMAND = "exec node_modules/.bin/management-previews ci";
const HOUR_MS = 3_600_000;

/** Every secret that the service had at some time. */
const secrets = new Set<string>();

let all: Awaited<ReturnType<typeof startSimulation>>;
beforeAll(async () => {
  all = await startSimulation(await engineForTests());
}, PROVISIONING_TIMEOUT_MS);
afterAll(() => all.dispose());

/** The log of a run that succeeded. */
function expectDone(run: WorkflowRun | undefined): string {
  const { status, log } = run?.["preview"] ?? { status: "no run", log: "" };
  if (status !== "success") throw new Error(`${status}\n${log}`);
  return log;
}

/** The branches are those of the open pull requests, and each pull request that had one has one comment. */
function expectInOrder(commented: readonly number[]): void {
  for (const secret of all.secrets()) secrets.add(secret);
  const open = [...all.forge.pulls.values()].filter(
    (pull) => pull.state === "open" && pull.from === "acme/shop",
  );
  expect(all.branches()).toEqual(open.map(({ number }) => nameOf(number)).sort());
  expect(all.forge.comments.map(({ pull }) => pull)).toEqual(commented);
}

const nameOf = (number: number): string => previewNamed(all.project, number);
const commentOf = (pull: StubbedPull): string =>
  all.forge.comments.find((comment) => comment.pull === pull.number)?.body ?? "";

function close(pull: StubbedPull): Promise<WorkflowRun | undefined> {
  pull.state = "closed";
  return all.deliver("closed", pull);
}

function push(pull: StubbedPull, files: Readonly<Record<string, string>>, options = {}) {
  pull.commit = all.repository.push(pull.branch, files, options);
  return all.deliver("synchronize", pull);
}

it("a pull request has a preview from when it is opened until it is closed, through pushes of all kinds", async () => {
  // Pushed again at once: the second run waits while the first prepares.
  const pull = all.open(7, "feature/orders");
  let second: Promise<WorkflowRun | undefined> | undefined;
  all.before("npm ci", () => {
    second = push(pull, {
      "database/migrations/20260102120000_carts.sql": "create table carts (id int);\n",
    });
  });
  expect(expectDone(await all.deliver("opened", pull))).not.toMatch(MADE);
  expect(expectDone(await second)).toMatch(MADE);
  expectInOrder([7]);
  expect(commentOf(pull)).toMatch(/create table[^]*carts/i);

  // Pushed by force: the earlier commit is on no branch any more.
  const forced = await push(
    pull,
    { "functions/health/index.ts": 'Deno.serve(() => new Response("ok"));\n' },
    { amend: true },
  );
  expect(expectDone(forced)).toMatch(MADE);
  expectInOrder([7]);
  expect(commentOf(pull)).toContain("health");

  // Edited and renamed, as in review: what the former preview has cannot stand.
  const edited = await push(
    pull,
    { "database/migrations/20260102120000_carts.sql": "create table carts (id bigint);\n" },
    { amend: true },
  );
  expect(expectDone(edited)).toMatch(MADE);
  expect(edited?.["preview"]?.log).toContain(
    "The preview is recreated: 20260102120000_carts.sql was applied to ",
  );
  expectInOrder([7]);
  expect(commentOf(pull)).toMatch(/carts[^]*bigint/i);

  expectDone(await close(pull));
  expectInOrder([7]);
  expect(commentOf(pull)).toContain("The preview was removed.");

  pull.state = "open";
  expect(expectDone(await all.deliver("reopened", pull))).toMatch(MADE);
  expectInOrder([7]);
  expect(commentOf(pull)).toContain("carts");
});

it("a pull request of a fork gets neither secrets nor a preview", async () => {
  const pull = all.open(8, "patch", "somebody/shop");
  expect(await all.deliver("opened", pull)).toEqual({});
  expect(await close(pull)).toEqual({});
  expectInOrder([7]);
});

it("a pull request that is closed while its preview is made has none afterwards, whatever its branch is called", async () => {
  const pull = all.open(9, "feature/a=b;$(touch${IFS}owned)");
  let closing: Promise<WorkflowRun | undefined> | undefined;
  all.before(COMMAND, () => {
    closing = all.deliver("closed", pull);
  });
  expect(expectDone(await all.deliver("opened", pull))).toMatch(MADE);
  // The job of the closed one waited, and begins by its checkout.
  pull.state = "closed";
  const { control } = all.emulator;
  const [made] = control.call("listBranches", { ref: all.project }).filter(({ name }) => name === nameOf(9));
  expect(made?.git_branch).toBe(pull.branch);
  expectDone(await closing);
  expectInOrder([7, 9]);
});

it("a run that begins when its pull request is closed, or open again, does nothing", async () => {
  const pull = all.open(10, "late");
  pull.state = "closed";
  expect(expectDone(await all.deliver("opened", pull))).not.toMatch(MADE);
  const reopened = all.forge.pulls.get(7);
  if (reopened === undefined) throw new Error("there is no pull request 7");
  expect(expectDone(await all.deliver("closed", reopened))).toContain(
    "nothing to do, the pull request is open again",
  );
  expectInOrder([7, 9]);
});

it("the sweep removes what a run left that never came, and keeps what is open, however many are", async () => {
  for (const number of [21, 22, 23]) all.open(number, `other-${number}`);
  const leave = (number: number, branch: string): void => {
    const body = { branch_name: nameOf(number), git_branch: branch };
    all.emulator.control.call("createBranch", { ref: all.project, body });
  };
  for (const number of [21, 22, 23, 31]) leave(number, `other-${number}`);
  all.open(31, "other-31").state = "closed";
  all.emulator.control.edit(({ branches }) => {
    for (const branch of branches.values()) branch.createdAt -= 2 * HOUR_MS;
  });
  const lost = all.forge.pulls.get(7);
  if (lost !== undefined) lost.state = "closed";
  expectDone(await all.sweep());
  expectInOrder([7, 9]);
});

it("a run that fails says so in the comment, and in the forge", async () => {
  const pull = all.open(12, "broken");
  pull.commit = all.repository.push("broken", {
    "database/migrations/20260103120000_x.sql": "create tabel x;\n",
  });
  const run = await all.deliver("opened", pull);
  expect(run?.["preview"]?.status).toBe("failure");
  expect(commentOf(pull)).toContain("[the log of the job](https://forge.example.com/acme/shop/actions");
  expect(commentOf(pull)).toMatch(/20260103120000_x\.sql.* failed.*tabel/);
  expectDone(await close(pull));
  expectInOrder([7, 9, 12]);
});

it("no log and no comment shows a secret", () => {
  const shown = [...all.logs, ...all.forge.comments.map(({ body }) => body)].join("\n");
  expect(shown).toContain(nameOf(7));
  expect(shown).not.toMatch(
    /pat_[0-9a-f]{10}|ghs_[0-9a-f]{10}|postgres(?:ql)?:\/\/|passphrase-of|db-password-of/,
  );
  // The project's own, and those of the branches.
  expect(secrets.size).toBeGreaterThan(8);
  for (const secret of secrets) expect(shown).not.toContain(secret);
});

interface Group {
  running: boolean;
  waiting?: { start: () => void; drop: () => void };
}

/** The service, the forge and its runners. */
async function startSimulation(engine: Engine) {
  const folder = mkdtempSync(join(tmpdir(), "management-runners-"));
  const service = await startService();
  const { emulator, project } = service;
  const forge = await startForge(NAME);
  const repository = createRepository();
  mkdirSync(join(folder, "states"));
  const secrets = {
    MANAGEMENT_ACCESS_TOKEN: service.token,
    PULUMI_BACKEND_URL: pathToFileURL(join(folder, "states")).href,
    PULUMI_CONFIG_PASSPHRASE: "passphrase-of-the-states",
  };
  const vars = { MANAGEMENT_BASE_URL: emulator.url, PARENT_PROJECT_REF: project };
  const preview = readWorkflow(WORKFLOW);
  const groups = new Map<string, Group>();
  const logs: string[] = [];
  const pending: { step: string; act: () => void }[] = [];
  const onStep = (name: string): Promise<void> => {
    for (const one of pending.filter(({ step }) => step === name)) {
      pending.splice(pending.indexOf(one), 1);
      one.act();
    }
    return Promise.resolve();
  };
  const place = { forge, repository, env: runnerEnvironment(engine, folder), vars, secrets, logs };

  /** One at a time in a group, none stopped; of those that wait, the last. */
  function inGroup(name: string, work: () => Promise<WorkflowRun>): Promise<WorkflowRun | undefined> {
    const group = groups.get(name) ?? { running: false };
    groups.set(name, group);
    return new Promise((resolve, reject) => {
      const start = (): void => {
        group.running = true;
        work()
          .then(resolve, reject)
          .finally(() => {
            group.running = false;
            const next = group.waiting;
            delete group.waiting;
            next?.start();
          });
      };
      group.waiting?.drop();
      delete group.waiting;
      if (group.running) group.waiting = { start, drop: () => resolve(undefined) };
      else start();
    });
  }

  return {
    ...{ emulator, project, forge, repository, logs },
    branches: () => service.branches(),
    secrets: () => service.secrets(),
    /** Opens a pull request of a branch, in the repository itself unless told. */
    open: (number: number, branch: string, from = NAME): StubbedPull => {
      const commit = repository.push(branch, {});
      const pull: StubbedPull = { number, branch, from, state: "open", commit };
      forge.pulls.set(number, pull);
      return pull;
    },
    /** The forge's event, whose run waits for those of the same group; undefined where a later one took its place. */
    deliver: (action: string, pull: StubbedPull): Promise<WorkflowRun | undefined> => {
      if (preview.on.pull_request?.types.includes(action) !== true)
        throw new Error(`nobody hears of ${action}`);
      const github = gitHubContext("pull_request", pullRequestEvent(action, pull));
      const group = interpolate(preview.concurrency?.group ?? "", { github });
      const isFork = pull.from !== NAME;
      return inGroup(group, () => runOnGitHub(preview, place, github, { isFork, onStep }));
    },
    sweep: () => runOnGitHub(preview, place, gitHubContext("schedule", {}), { onStep }),
    /** Does something once, right before a step of this name begins. */
    before: (step: string, act: () => void): void => void pending.push({ step, act }),
    dispose: async () => {
      await forge.close();
      await emulator.close();
      repository.dispose();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
