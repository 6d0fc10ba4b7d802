import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, Environment, Language } from "../../tools/engine/engine";
import { provisionEngine } from "../../tools/engine/provision";
import { createWorkspace, type Workspace } from "../../tools/engine/workspace";
import { type ProgramOptions, writeProgram } from "../../tools/engine/write-program";

const engines = new Map<string, Promise<Engine>>();

/**
 * The engine for tests, one for all workers through the user's cache. Without one the tests fail and
 * say what to do: skipped, they would pass on a machine where nothing was tried.
 */
export function engineForTests(languages: readonly Language[] = ["nodejs"]): Promise<Engine> {
  const key = languages.join();
  const known = engines.get(key);
  if (known !== undefined) return known;
  const engine = provisionEngine({ languages, log: (line) => process.stderr.write(`engine: ${line}\n`) });
  engines.set(key, engine);
  return engine;
}

/** Long enough for the engine to be built from Go modules on a small machine. */
export const PROVISIONING_TIMEOUT_MS = 30 * 60_000;

export interface TestProgram {
  workspace: Workspace;
  projectDir: string;
  dispose: () => Promise<void>;
}

/** A program in a folder of its own, with a stack named `test`. */
export async function startProgram(
  source: string,
  options: ProgramOptions & { env?: Environment } = {},
): Promise<TestProgram> {
  const engine = await engineForTests();
  const { env = {}, ...programOptions } = options;
  const projectDir = writeProgram(mkdtempSync(join(tmpdir(), "management-program-")), source, programOptions);
  const workspace = createWorkspace({ engine, projectDir, env });
  await workspace.stackInit("test");
  return {
    workspace,
    projectDir,
    dispose: async () => {
      await workspace.dispose();
      rmSync(projectDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
