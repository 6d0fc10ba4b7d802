import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import type { CommandResult } from "../../tools/engine/engine-process";
import { findPackageRoot } from "../../tools/engine/package-root";
import { PACE } from "../../tools/engine/emulated-program";
import {
  copyPreviewRepository,
  makeParentProject,
  previewConfig,
  previewNamed,
  REPOSITORY,
} from "../../tools/engine/preview-repository";
import { createWorkspace, type Workspace } from "../../tools/engine/workspace";
import { runProcess, type ProcessResult } from "../../tools/engine/run-process";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { HELD, settleProjects } from "./stack";
import { compiledPrograms, makeJobFolder, removeJobFolder } from "./workflows/job-folder";
import { waitUntil } from "../kit/wait-until";

export const CLI = join(findPackageRoot(), "dist/previews/cli.js");

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
  /** A command of `management-previews`, in the folder of the program. */
  previews(...args: string[]): Promise<ProcessResult>;
  /** The same with more variables, as those of a job. */
  previewsWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<ProcessResult>;
  dispose(): Promise<void>;
}

export interface PreviewRunners {
  readonly emulator: Emulator;
  /** The project that is branched from. */
  readonly project: string;
  /** The name of the branch and the stack of pull request 7. */
  readonly name: string;
  /** The arguments of `run` and `remove` that say which preview it is. */
  readonly about: readonly string[];
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
  await waitUntil(
    "the branch is begun",
    () => control.countCalls({ operation: "createBranch", status: 201 }) > 0,
  );
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

/** Runners of one repository, each new to what the others did but for the backend; `keys` are what reaches that. */
export async function startPreviewRunners(
  backendUrl: string,
  keys: Readonly<Record<string, string>> = {},
): Promise<PreviewRunners> {
  const engine = await engineForTests();
  const emulator = await startEmulator({ pace: PACE });
  const project = makeParentProject(emulator);
  const name = previewNamed(project, 7);
  const about = [
    ...["--project", project, "--repository", REPOSITORY],
    ...["--number", "7", "--git-branch", "feature/search"],
  ];
  settleProjects(emulator);
  const running = new Set<PreviewRunner>();

  async function runner(): Promise<PreviewRunner> {
    const folder = makeJobFolder();
    const { projectDir } = copyPreviewRepository(join(folder, "checkout"));
    const env = {
      MANAGEMENT_BASE_URL: emulator.url,
      MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
      XDG_STATE_HOME: join(folder, "state"),
      ...compiledPrograms,
      ...keys,
    };
    const workspace = createWorkspace({ engine, projectDir, backendUrl, env });
    const withStack = ([command = "", ...flags]: string[]): string[] => [command, "--stack", name, ...flags];
    const config = previewConfig(project, 7, "feature/search");
    const given = Object.entries(config).flatMap(([key, value]) => ["--config", `${key}=${value}`]);
    const upArgs = withStack(["up", "--yes", "--skip-preview", ...given]);
    const made: PreviewRunner = {
      ...{ workspace, projectDir, upArgs },
      onStack: (...args) => workspace.run(withStack(args)),
      previews: (...args) => made.previewsWith({}, ...args),
      previewsWith: (more, ...args) =>
        runProcess(process.execPath, [CLI, ...args], {
          ...{ cwd: projectDir, env: { ...workspace.env, ...more }, timeoutMs: PROVISIONING_TIMEOUT_MS },
        }),
      up: async (...flags) => {
        const selected = await workspace.run(["stack", "select", "--create", name]);
        if (selected.exitCode !== 0) return selected;
        return workspace.run([...upArgs, ...flags]);
      },
      dispose: async () => {
        running.delete(made);
        await workspace.dispose();
        removeJobFolder(folder);
      },
    };
    running.add(made);
    return Promise.resolve(made);
  }

  return {
    ...{ emulator, project, name, about, runner },
    dispose: async () => {
      await Promise.all([...running].map((each) => each.dispose()));
      await emulator.close();
    },
  };
}
