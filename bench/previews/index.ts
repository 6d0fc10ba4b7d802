import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmulator, type Emulator } from "../../emulator";
import type { Engine } from "../../tools/engine/engine";
import { PACE } from "../../tools/engine/emulated-program";
import {
  copyPreviewRepository,
  makeParentProject,
  previewConfig,
  previewNamed,
  listPreviews,
  type PreviewRepository,
} from "../../tools/engine/preview-repository";
import { provisionEngine } from "../../tools/engine/provision";
import { createWorkspace, type OperationResult, type Workspace } from "../../tools/engine/workspace";
import { runMain } from "../../tools/run-main";

const USAGE = `npm run bench:previews [-- --sizes 20,50] [--runners 4]

Opens so many pull requests within a minute, each with a process and a stack of its own, with one token and the project's
120 calls a minute, then closes them all. --runners is how many jobs run side by side. Each branch has a limit of its
own, so the least time is that of the calls on the project: 120 at once, and 120 more each minute. Ends with 1 where a
job failed or a branch is left.
`;

/** Of a project, for one token (service, Limits). */
const CALLS_PER_MINUTE = 120;

interface Job {
  readonly name: string;
  readonly workspace: Workspace;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      sizes: { type: "string", default: "20,50" },
      runners: { type: "string", default: "4" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  const sizes = values.sizes.split(",").map(Number);
  const runners = Number(values.runners);
  if ([...sizes, runners].some((value) => !Number.isInteger(value) || value < 1)) {
    console.error(`Sizes and --runners are whole numbers from 1.\n\n${USAGE}`);
    return 2;
  }
  const engine = await provisionEngine({ log: console.log });
  const repository = copyPreviewRepository();
  let isRight = true;
  try {
    for (const size of sizes) isRight = (await report(engine, repository, { size, runners })) && isRight;
  } finally {
    repository.dispose();
  }
  return isRight ? 0 : 1;
}

interface Scale {
  readonly size: number;
  readonly runners: number;
}

async function report(
  engine: Engine,
  { folder, projectDir }: PreviewRepository,
  { size, runners }: Scale,
): Promise<boolean> {
  const emulator = await startEmulator({ pace: PACE, callLogSize: 100_000 });
  const project = makeParentProject(emulator);
  const jobs: Job[] = [];
  try {
    for (let number = 1; number <= size; number += 1) {
      const workspace = createWorkspace({
        engine,
        projectDir,
        env: {
          MANAGEMENT_BASE_URL: emulator.url,
          MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
          // A journal of its own, as on a machine of its own.
          XDG_STATE_HOME: join(folder, "states", `${size}-${number}`),
        },
      });
      const name = previewNamed(project, number);
      await workspace.stackInit(name);
      const config = previewConfig(project, number, `feature/${number}`);
      for (const [key, value] of Object.entries(config)) await workspace.config(key, value);
      jobs.push({ name, workspace });
    }
    console.log(`\n${size} pull requests, ${runners} jobs side by side`);
    console.log(cellsOf(["", "seconds", "least", "calls", "each", "project", "429s", "failed", "previews"]));
    const opened = await measured(emulator, project, jobs, runners, (job) =>
      job.workspace.up({ eventLog: false }),
    );
    const there = listPreviews(emulator, project).length;
    console.log(cellsOf(["opened", ...opened.cells, String(there)]));
    const closed = await measured(emulator, project, jobs, runners, (job) =>
      job.workspace.destroy({ eventLog: false }),
    );
    const left = listPreviews(emulator, project).length;
    console.log(cellsOf(["closed", ...closed.cells, String(left)]));
    for (const failure of [...opened.failures, ...closed.failures]) console.log(failure);
    for (const { operation, message } of emulator.control.internalErrors)
      console.log(`emulator: ${operation}: ${message}`);
    return opened.failures.length + closed.failures.length === 0 && there === size && left === 0;
  } finally {
    await Promise.all(jobs.map(({ workspace }) => workspace.dispose()));
    await emulator.close();
  }
}

async function measured(
  { control }: Emulator,
  project: string,
  jobs: readonly Job[],
  runners: number,
  run: (job: Job) => Promise<OperationResult>,
): Promise<{ cells: string[]; failures: string[] }> {
  control.clearCalls();
  const startedAt = performance.now();
  const failures: string[] = [];
  const waiting = [...jobs];
  const runner = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const { exitCode, stdout, stderr } = await run(job);
      if (exitCode !== 0) failures.push(`${job.name} failed:\n${stdout}${stderr}`);
    }
  };
  await Promise.all(Array.from({ length: runners }, runner));
  const seconds = (performance.now() - startedAt) / 1_000;
  const calls = control.countCalls();
  const onProject = control.calls().filter(({ path }) => path.includes(project)).length;
  const least = (Math.max(0, onProject - CALLS_PER_MINUTE) / CALLS_PER_MINUTE) * 60;
  const cells = [
    ...[seconds.toFixed(0), least.toFixed(0), String(calls), (calls / jobs.length).toFixed(1)],
    String(onProject),
  ];
  return {
    cells: [...cells, String(control.countCalls({ status: 429 })), String(failures.length)],
    failures,
  };
}

function cellsOf(cells: readonly string[]): string {
  return cells.map((cell) => cell.padStart(10)).join("");
}

runMain(main);
