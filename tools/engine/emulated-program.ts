import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import type { Engine, Environment } from "./engine";
import { createWorkspace, type Workspace } from "./workspace";
import { writeProgram } from "./write-program";

/** A hundredth of the running service's settling times. */
export const PACE = 0.01;

/** A program on the real engine, an emulator it talks to, and a state folder of its own. */
export interface Stack {
  readonly emulator: Emulator;
  readonly workspace: Workspace;
  readonly projectDir: string;
  dispose(): Promise<void>;
}

export interface EmulatedOptions extends EmulatorOptions {
  readonly engine: Engine;
  readonly env?: Environment;
  /** Where the stack's state goes; a folder of its own when absent. */
  readonly backendUrl?: string;
}

/** A program of the dynamic classes, with a stack named `test`. */
export function startEmulatedProgram(source: string, options: EmulatedOptions): Promise<Stack> {
  return startEmulated((folder) => writeProgram(folder, source, { name: "shop" }), options);
}

/** A stack named `test` of whatever program `write` puts into a folder. */
export async function startEmulated(
  write: (folder: string) => string,
  { engine, env = {}, backendUrl, ...options }: EmulatedOptions,
): Promise<Stack> {
  const emulator = await startEmulator({ pace: PACE, ...options });
  const folder = mkdtempSync(join(tmpdir(), "management-stack-"));
  const projectDir = write(join(folder, "program"));
  const workspace = createWorkspace({
    engine,
    projectDir,
    ...(backendUrl === undefined ? {} : { backendUrl }),
    env: {
      MANAGEMENT_BASE_URL: emulator.url,
      MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
      XDG_STATE_HOME: join(folder, "state"),
      ...env,
    },
  });
  const dispose = async (): Promise<void> => {
    await workspace.dispose();
    await emulator.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await workspace.stackInit("test");
  } catch (error) {
    await dispose();
    throw error;
  }
  return { emulator, workspace, projectDir, dispose };
}
