import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { run } from "../../import/run";
import { PACE } from "../../tools/engine/emulated-program";
import { engineEnvironment } from "../../tools/engine/environment";
import { LANGUAGES } from "./example";
import { engineForTests } from "./harness";

/** `management-import` with the engine, an emulator and a folder of its own. */
export interface ImportCommand {
  readonly folder: string;
  readonly emulator: Emulator;
  /** May be replaced. */
  env: NodeJS.ProcessEnv;
  /** Runs the command; what it printed. */
  run(args: readonly string[]): Promise<{ code: number; text: string }>;
  dispose(): Promise<void>;
}

export async function startImportCommand(): Promise<ImportCommand> {
  const folder = mkdtempSync(join(tmpdir(), "management-import-test-"));
  const emulator = await startEmulator({ pace: PACE });
  const folders = { home: join(folder, "home"), backend: join(folder, "backend") };
  for (const each of Object.values(folders)) mkdirSync(each);
  const command: ImportCommand = {
    folder,
    emulator,
    env: engineEnvironment(await engineForTests(LANGUAGES), folders, {
      MANAGEMENT_BASE_URL: emulator.url,
      MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
      XDG_STATE_HOME: join(folder, "state"),
    }),
    run: async (args) => {
      let text = "";
      const add = (more: string): void => {
        text += more;
      };
      const code = await run(args, { out: add, err: add }, command.env);
      return { code, text };
    },
    dispose: async () => {
      await emulator.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return command;
}
