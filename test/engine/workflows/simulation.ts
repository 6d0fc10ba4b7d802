import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Emulator } from "../../../emulator";
import type { Engine } from "../../../tools/engine/engine";
import { findPackageRoot } from "../../../tools/engine/package-root";
import { interpolate } from "./expressions";
import { startForge, type ForgeStub, type StubbedPull } from "./forge-stub";
import { createRepository, type Repository } from "./repository";
import { runWorkflow, type WorkflowRun } from "./run-workflow";
import { runnerEnvironment } from "./runner-environment";
import { startService } from "./service";
import { readWorkflow } from "./workflow-file";

const REPOSITORY = "acme/shop";
const SERVER = "https://forge.example.com";
const WORKFLOWS = join(findPackageRoot(), "examples/preview-environments/.github/workflows");

/** The service, the forge and its runners. */
export interface Simulation {
  readonly emulator: Emulator;
  readonly project: string;
  readonly forge: ForgeStub;
  readonly repository: Repository;
  /** All that logs showed. */
  readonly logs: string[];
  /** Opens a pull request of a branch, in the repository itself unless told. */
  open(number: number, branch: string, from?: string): StubbedPull;
  /** The forge's event, whose run waits for those of the same group; undefined where a later one took its place. */
  deliver(action: string, pull: StubbedPull): Promise<WorkflowRun | undefined>;
  sweep(): Promise<WorkflowRun>;
  /** Does something once, right before a step of this name begins. */
  before(step: string, act: () => void): void;
  /** Names of all branches but the default one. */
  branches(): string[];
  /** Passwords, keys and tokens that the service has now. */
  secrets(): string[];
  dispose(): Promise<void>;
}

interface Group {
  running: boolean;
  waiting?: { start: () => void; drop: () => void };
}

export async function startSimulation(engine: Engine): Promise<Simulation> {
  const folder = mkdtempSync(join(tmpdir(), "management-runners-"));
  const service = await startService();
  const { emulator, project } = service;
  const forge = await startForge(REPOSITORY);
  const repository = createRepository();
  mkdirSync(join(folder, "states"));
  const secrets = {
    MANAGEMENT_ACCESS_TOKEN: service.token,
    PULUMI_BACKEND_URL: pathToFileURL(join(folder, "states")).href,
    PULUMI_CONFIG_PASSPHRASE: "passphrase-of-the-states",
  };
  const vars = { MANAGEMENT_BASE_URL: emulator.url, PARENT_PROJECT_REF: project };
  const preview = readWorkflow(join(WORKFLOWS, "preview.yml"));
  const groups = new Map<string, Group>();
  const logs: string[] = [];
  const pending: { step: string; act: () => void }[] = [];
  const runner = {
    env: {
      ...runnerEnvironment(engine, folder),
      ...{
        GITHUB_ACTIONS: "true",
        GITHUB_API_URL: forge.url,
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_SERVER_URL: SERVER,
        GITHUB_RUN_ID: "1",
        GITHUB_RUN_ATTEMPT: "1",
      },
    },
    remote: repository.remote,
    onStep: (name: string) => {
      for (const one of pending.filter(({ step }) => step === name)) {
        pending.splice(pending.indexOf(one), 1);
        one.act();
      }
      return Promise.resolve();
    },
  };

  const given = { runner, forge, vars, secrets, logs };

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

  const context = (name: string, event: object) => ({
    ...{ event_name: name, ref: "refs/heads/main", run_id: 1, repository: REPOSITORY, actor: "dev" },
    ...{ server_url: SERVER },
    event: { ...event, repository: { default_branch: "main", full_name: REPOSITORY } },
  });
  const ran = (github: ReturnType<typeof context>, isFork = false): Promise<WorkflowRun> => {
    const env = { ...runner.env, GITHUB_EVENT_NAME: github.event_name, GITHUB_ACTOR: github.actor };
    return runWorkflow(preview, { ...given, runner: { ...runner, env }, github, isFork });
  };

  return {
    ...{ emulator, project, forge, repository, logs },
    branches: () => service.branches(),
    secrets: () => service.secrets(),
    open: (number, branch, from = REPOSITORY) => {
      const commit = repository.push(branch, {});
      const pull: StubbedPull = { number, branch, from, state: "open", commit };
      forge.pulls.set(number, pull);
      return pull;
    },
    deliver: (action, { number, branch, commit, from }) => {
      if (preview.on.pull_request?.types.includes(action) !== true)
        throw new Error(`nobody hears of ${action}`);
      const head = { sha: commit, ref: branch, repo: { full_name: from } };
      const github = context("pull_request", { action, pull_request: { number, head } });
      const group = interpolate(preview.concurrency?.group ?? "", { github });
      const isFork = from !== REPOSITORY;
      return inGroup(group, () => ran(github, isFork));
    },
    sweep: () => ran(context("schedule", {})),
    before: (step, act) => void pending.push({ step, act }),
    dispose: async () => {
      await forge.close();
      await emulator.close();
      repository.dispose();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
