import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { serveDns } from "../tools/engine/emulated-dns";
import { startEmulatedYaml } from "../tools/engine/emulated-yaml";
import type { Engine } from "../tools/engine/engine";
import { findPackageRoot } from "../tools/engine/package-root";
import { renderYaml } from "../tools/schema/examples/render-yaml";
import { wholeProject } from "../tools/schema/examples/whole-project";

/** What a refresh of one resource of every type cost. */
export interface RefreshCost {
  readonly resources: number;
  readonly calls: number;
  /** Requests that were sent more than once, by method and path. */
  readonly repeated: readonly string[];
}

/** Refreshes the whole project, whose every collection and configuration should be read once at most. */
export async function measureWholeProject(engine: Engine): Promise<RefreshCost> {
  const [, , ...lines] = renderYaml(wholeProject).split("\n");
  const stack = await startEmulatedYaml(lines.join("\n"), { engine });
  const stopDns = serveDns(stack);
  // The example's folders are those of its neighbour.
  const neighbour = join("examples", "quickstart");
  cpSync(join(findPackageRoot(), neighbour), join(dirname(stack.projectDir), "quickstart"), {
    recursive: true,
  });
  const { workspace, emulator } = stack;
  try {
    for (const [name, kind] of Object.entries(wholeProject.config ?? {})) {
      const value = name === "organizationSlug" ? "acme" : `${name}-of-the-bench`;
      await workspace.config(name, value, { secret: kind === "secret" });
    }
    const run = async (command: "up" | "refresh"): Promise<void> => {
      const { exitCode, stdout, stderr } = await workspace[command]({ eventLog: false });
      if (exitCode !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`);
    };
    await run("up");
    emulator.control.clearCalls();
    await run("refresh");
    const sent = emulator.control.calls().map(({ method, path }) => `${method} ${path}`);
    return {
      resources: Object.keys(wholeProject.declares).length,
      calls: sent.length,
      repeated: [...new Set(sent.filter((one, index) => sent.indexOf(one) !== index))],
    };
  } finally {
    stopDns();
    await stack.dispose();
  }
}
