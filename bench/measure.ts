import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../emulator";
import type { Engine } from "../tools/engine/engine";
import { providersBelow } from "../tools/engine/orphans";
import { residentBytes } from "../tools/engine/process-table";
import { createWorkspace, type OperationName, type Workspace } from "../tools/engine/workspace";
import { PROJECTS_VARIABLE } from "./programs";
import { writeProgram } from "../tools/engine/write-program";

export interface Subject {
  readonly name: string;
  readonly program: string;
}

/** What one command cost one subject. */
export interface Cost {
  readonly subject: string;
  readonly command: string;
  readonly seconds: number;
  readonly calls: number;
  /** Of these, those that look again at what was not ready. */
  readonly polls: number;
  readonly refused: number;
  /** The most memory in bytes that the provider processes had together. */
  readonly peakBytes: number;
}

/** Commands in the order in which a stack lives. */
const LIFE: readonly { command: string; operation: OperationName; isCompared?: boolean }[] = [
  { command: "create", operation: "up" },
  { command: "no-change up", operation: "up", isCompared: true },
  { command: "refresh", operation: "refresh" },
  { command: "destroy", operation: "destroy" },
];

/** The calls by which a new project is waited for. */
const POLLS = ["getProject", "getHealth"] as const;

/** How often the memory of the providers is read. */
const LOOK_EVERY_MS = 250;

/** A hundredth of the running service's settling times, so that the engine's and the provider's own work shows. */
const PACE = 0.01;

/**
 * Takes the subjects through the life of a stack in turn, command by command, so that a busy machine hits both alike; the
 * no-change `up` in several turns, as its time is what is compared most closely. They work in so many projects that exist.
 */
export async function measure(
  engine: Engine,
  subjects: readonly Subject[],
  { projects, parallel, turns }: { projects: number; parallel: number; turns: number },
): Promise<Cost[]> {
  const emulator = await startEmulator({ pace: PACE });
  const body = { name: "existing", organization_slug: "acme", db_pass: "bench-password" };
  const refs = Array.from({ length: projects }, () => emulator.control.call("createProject", { body }).ref);
  emulator.control.advance(600_000);
  const folder = mkdtempSync(join(tmpdir(), "management-bench-"));
  const workspaces: Workspace[] = [];
  try {
    for (const { name, program } of subjects) {
      const workspace = createWorkspace({
        engine,
        projectDir: writeProgram(join(folder, name), program, { name: "bench" }),
        env: {
          MANAGEMENT_BASE_URL: emulator.url,
          MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
          [PROJECTS_VARIABLE]: refs.join(),
        },
      });
      await workspace.stackInit("bench");
      workspaces.push(workspace);
    }
    const costs: Cost[] = [];
    for (const { command, operation, isCompared = false } of LIFE) {
      for (let turn = 0; turn < (isCompared ? turns : 1); turn += 1) {
        for (const [index, workspace] of workspaces.entries()) {
          emulator.control.clearCalls();
          const { result, peakBytes } = await withPeakMemory(() =>
            workspace[operation]({ parallel, eventLog: false }),
          );
          if (result.exitCode !== 0) throw new Error(`${command} failed:\n${result.stdout}${result.stderr}`);
          costs.push({
            subject: subjects[index]?.name ?? "",
            command,
            seconds: result.durationMs / 1_000,
            calls: emulator.control.countCalls(),
            polls: POLLS.reduce((sum, name) => sum + emulator.control.countCalls({ operation: name }), 0),
            peakBytes,
            refused: emulator.control.countCalls({ status: 429 }),
          });
        }
      }
    }
    return costs;
  } finally {
    await Promise.all(workspaces.map((workspace) => workspace.dispose()));
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Does the work, and returns the most memory in bytes that providers below this process had together meanwhile. */
async function withPeakMemory<T>(work: () => Promise<T>): Promise<{ result: T; peakBytes: number }> {
  let peakBytes = 0;
  const timer = setInterval(() => {
    const bytes = providersBelow(process.pid).map(residentBytes);
    peakBytes = Math.max(
      peakBytes,
      bytes.reduce((sum, each) => sum + each, 0),
    );
  }, LOOK_EVERY_MS);
  try {
    const result = await work();
    return { result, peakBytes };
  } finally {
    clearInterval(timer);
  }
}
