import type { EmulatorOptions } from "../../emulator";
import {
  declare,
  type EmulatedYamlOptions,
  PLUGIN_FOLDER,
  startEmulatedYaml,
  type YamlProgram,
  type YamlStack,
} from "../../tools/engine/emulated-yaml";
import { LANGUAGES } from "./example";
import { engineForTests } from "./harness";

export { declare, PLUGIN_FOLDER };
export type { Declared, YamlProgram, YamlStack } from "../../tools/engine/emulated-yaml";

export type YamlOptions = EmulatorOptions & Pick<EmulatedYamlOptions, "env" | "plugins">;

/** A YAML program on the real engine with the bundled plugin, and an emulator that it talks to. */
export async function startYamlStack(
  program: YamlProgram | string,
  options: YamlOptions = {},
): Promise<YamlStack> {
  return startEmulatedYaml(program, { ...options, engine: await engineForTests(LANGUAGES) });
}
