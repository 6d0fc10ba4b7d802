import { startWholeProject } from "../tools/engine/emulated-whole-project";
import type { Engine } from "../tools/engine/engine";
import { wholeProject } from "../tools/schema/examples/whole-project";
import { repeatedCalls } from "../tools/engine/repeated-calls";

/** What a refresh of one resource of every type cost. */
export interface RefreshCost {
  readonly resources: number;
  readonly calls: number;
  /** Requests that were sent more than once, by method and path. */
  readonly repeated: readonly string[];
}

/** Refreshes the whole project, whose every collection and configuration should be read once at most. */
export async function measureWholeProject(engine: Engine): Promise<RefreshCost> {
  const stack = await startWholeProject(engine);
  const { workspace, emulator } = stack;
  try {
    const run = async (command: "up" | "refresh"): Promise<void> => {
      const { exitCode, stdout, stderr } = await workspace[command]({ eventLog: false });
      if (exitCode !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`);
    };
    await run("up");
    emulator.control.clearCalls();
    await run("refresh");
    return {
      resources: Object.keys(wholeProject.declares).length,
      calls: emulator.control.countCalls(),
      repeated: repeatedCalls(emulator),
    };
  } finally {
    await stack.dispose();
  }
}
