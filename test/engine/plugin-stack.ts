import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type EmulatorOptions } from "../../emulator";
import type { Environment } from "../../tools/engine/engine";
import { findPackageRoot } from "../../tools/engine/package-root";
import { createWorkspace } from "../../tools/engine/workspace";
import { LANGUAGES } from "./example";
import { engineForTests } from "./harness";
import { PACE, type Stack } from "./stack";

export const PLUGIN_FOLDER = join(findPackageRoot(), "dist", "plugin");

/** A resource as a YAML program declares it. */
export interface Declared {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface YamlProgram {
  readonly resources: Readonly<Record<string, Declared>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

export interface YamlStack extends Stack {
  /** Puts another program in the place of the present one. */
  rewrite(program: YamlProgram | string): void;
}

export interface YamlOptions extends EmulatorOptions {
  readonly env?: Environment;
  /** How the engine finds the plugin; the path in Pulumi.yaml unless it is told otherwise. */
  readonly plugins?: object;
}

/** A YAML program on the real engine with the bundled plugin, and an emulator that it talks to. */
export async function startYamlStack(
  program: YamlProgram | string,
  {
    env = {},
    plugins = { providers: [{ name: "management", path: PLUGIN_FOLDER }] },
    ...options
  }: YamlOptions = {},
): Promise<YamlStack> {
  const emulator = await startEmulator({ pace: PACE, ...options });
  const folder = mkdtempSync(join(tmpdir(), "management-yaml-"));
  const projectDir = join(folder, "program");
  mkdirSync(projectDir);
  const rewrite = (next: YamlProgram | string): void => {
    const head = { name: "shop", runtime: "yaml", plugins };
    // JSON is YAML; generated declarations come as text.
    const text =
      typeof next === "string"
        ? `${Object.entries(head)
            .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
            .join("\n")}\n${next}`
        : JSON.stringify({ ...head, ...next }, undefined, 2);
    writeFileSync(join(projectDir, "Pulumi.yaml"), text);
  };
  rewrite(program);
  const workspace = createWorkspace({
    engine: await engineForTests(LANGUAGES),
    projectDir,
    env: {
      MANAGEMENT_BASE_URL: emulator.url,
      MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
      XDG_STATE_HOME: join(folder, "state"),
      ...env,
    },
  });
  await workspace.stackInit("test");
  return {
    emulator,
    workspace,
    projectDir,
    rewrite,
    dispose: async () => {
      await workspace.dispose();
      await emulator.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A resource of this package. */
export function declare(
  type: string,
  properties: Declared["properties"],
  options?: Declared["options"],
): Declared {
  return { type: `management:index:${type}`, properties, ...(options === undefined ? {} : { options }) };
}
