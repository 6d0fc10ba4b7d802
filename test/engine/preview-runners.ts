import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import type { CommandResult } from "../../tools/engine/engine-process";
import { PACE } from "../../tools/engine/emulated-program";
import { copyPreviewRepository, makeParentProject } from "../../tools/engine/preview-repository";
import { createWorkspace, type Workspace } from "../../tools/engine/workspace";
import { engineForTests } from "./harness";
import { HELD, settleProjects } from "./stack";

/** A machine that runs one job: a checkout, a home and a journal of its own, gone with it. */
export interface PreviewRunner {
  readonly workspace: Workspace;
  /** Where its checkout has the program. */
  readonly projectDir: string;
  /** The arguments by which the job `up` of the workflows runs the CLI. */
  readonly upArgs: readonly string[];
  /** What that job runs. */
  up(...flags: string[]): Promise<CommandResult>;
  /** Any command with the stack. */
  onStack(...args: string[]): Promise<CommandResult>;
  dispose(): Promise<void>;
}

export interface PreviewRunners {
  readonly emulator: Emulator;
  /** The project that is branched from. */
  readonly project: string;
  /** A new runner, whose stack is that of pull request 7. */
  runner(): Promise<PreviewRunner>;
  dispose(): Promise<void>;
}

/** Starts `up`, which is held up on the service once the branch is begun, until its pace is set. */
export async function heldUp(
  { emulator: { control } }: PreviewRunners,
  runner: PreviewRunner,
): Promise<{ readonly up: Promise<CommandResult> }> {
  control.clearCalls();
  control.setPace(HELD);
  const up = runner.up();
  while (control.countCalls({ operation: "createBranch", status: 201 }) === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { up };
}

/** A machine that comes after one that died, and is gone, with the branch begun. */
export async function runnerAfterAKill(all: PreviewRunners): Promise<PreviewRunner> {
  const first = await all.runner();
  const { up } = await heldUp(all, first);
  await first.workspace.kill();
  await up;
  await first.dispose();
  all.emulator.control.setPace(PACE);
  all.emulator.control.clearCalls();
  return all.runner();
}

/** Runners of one repository, each new to what the others did but for the backend. */
export async function startPreviewRunners(backendUrl: string, pace = PACE): Promise<PreviewRunners> {
  const engine = await engineForTests();
  const emulator = await startEmulator({ pace });
  const project = makeParentProject(emulator);
  settleProjects(emulator);
  const running = new Set<PreviewRunner>();

  async function runner(): Promise<PreviewRunner> {
    const repository = copyPreviewRepository();
    const { projectDir } = repository;
    const state = mkdtempSync(join(tmpdir(), "management-runner-"));
    const env = {
      MANAGEMENT_BASE_URL: emulator.url,
      MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
      XDG_STATE_HOME: state,
    };
    const workspace = createWorkspace({ engine, projectDir, backendUrl, env });
    const withStack = ([command = "", ...flags]: string[]): string[] => [
      command,
      "--stack",
      "pr-7",
      ...flags,
    ];
    const config = { parentProjectRef: project, pullRequest: "7", gitBranch: "feature/search" };
    const given = Object.entries(config).flatMap(([name, value]) => ["--config", `${name}=${value}`]);
    const upArgs = withStack(["up", "--yes", "--skip-preview", ...given]);
    const made: PreviewRunner = {
      ...{ workspace, projectDir, upArgs },
      onStack: (...args) => workspace.run(withStack(args)),
      up: async (...flags) => {
        const selected = await workspace.run(["stack", "select", "--create", "pr-7"]);
        if (selected.exitCode !== 0) return selected;
        return workspace.run([...upArgs, ...flags]);
      },
      dispose: async () => {
        running.delete(made);
        await workspace.dispose();
        rmSync(state, { recursive: true, force: true, maxRetries: 5 });
        repository.dispose();
      },
    };
    running.add(made);
    return Promise.resolve(made);
  }

  return {
    ...{ emulator, project, runner },
    dispose: async () => {
      await Promise.all([...running].map((each) => each.dispose()));
      await emulator.close();
    },
  };
}
