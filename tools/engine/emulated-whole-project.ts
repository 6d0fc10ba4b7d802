import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { renderYaml } from "../schema/examples/render-yaml";
import { ROOT_KEY, wholeProject } from "../schema/examples/whole-project";
import { serveDns } from "./emulated-dns";
import { startEmulatedYaml, type YamlStack } from "./emulated-yaml";
import type { Engine } from "./engine";
import { findPackageRoot } from "./package-root";

/** The program of examples/whole-project in YAML, its configuration set, with a resource of every type; nothing made yet. */
export async function startWholeProject(engine: Engine): Promise<YamlStack> {
  const [, , ...lines] = renderYaml(wholeProject).split("\n");
  const stack = await startEmulatedYaml(lines.join("\n"), { engine });
  const stopDns = serveDns(stack);
  // The service as measured offers neither restore points nor, on this plan, a schedule of backups.
  stack.emulator.control.set("service", "2026-06");
  // The example's folders are those of its neighbour.
  const neighbour = join("examples", "quickstart");
  cpSync(join(findPackageRoot(), neighbour), join(dirname(stack.projectDir), "quickstart"), {
    recursive: true,
  });
  await configureWholeProject(stack);
  return {
    ...stack,
    dispose: async () => {
      stopDns();
      await stack.dispose();
    },
  };
}

/** What the program asks for that is no text of any form. */
const CONFIG: Readonly<Record<string, string>> = {
  organizationSlug: "acme",
  rootKey: ROOT_KEY,
};

/** Gives the selected stack the configuration that the program needs. */
export async function configureWholeProject({ workspace }: YamlStack): Promise<void> {
  for (const [name, kind] of Object.entries(wholeProject.config ?? {})) {
    const value = CONFIG[name] ?? `${name}-of-the-stack`;
    await workspace.config(name, value, { secret: kind === "secret" });
  }
}
