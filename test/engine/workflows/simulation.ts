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
import { gitHubContext, NAME, pullRequestEvent, runOnGitHub } from "./drivers";
import type { WorkflowRun } from "./run-workflow";
import { runnerEnvironment } from "./runner-environment";
import { startService } from "./service";
import { readWorkflow } from "./workflow-file";

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
  const forge = await startForge(NAME);
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
    open: (number, branch, from = NAME) => {
      const commit = repository.push(branch, {});
      const pull: StubbedPull = { number, branch, from, state: "open", commit };
      forge.pulls.set(number, pull);
      return pull;
    },
    deliver: (action, pull) => {
      if (preview.on.pull_request?.types.includes(action) !== true)
        throw new Error(`nobody hears of ${action}`);
      const github = gitHubContext("pull_request", pullRequestEvent(action, pull));
      const group = interpolate(preview.concurrency?.group ?? "", { github });
      const isFork = pull.from !== NAME;
      return inGroup(group, () => runOnGitHub(preview, place, github, { isFork, onStep }));
    },
    sweep: () => runOnGitHub(preview, place, gitHubContext("schedule", {}), { onStep }),
    before: (step, act) => void pending.push({ step, act }),
    dispose: async () => {
      await forge.close();
      await emulator.close();
      repository.dispose();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
