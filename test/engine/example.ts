import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Language } from "../../tools/engine/engine";
import { findPackageRoot } from "../../tools/engine/package-root";
import { generateSdk, type SdkLanguage } from "../../tools/sdk/generate-sdk";
import { engineForTests } from "./harness";

/** Every language at once: a later one would go through the ways of getting an engine again. */
export const LANGUAGES: readonly Language[] = ["nodejs", "yaml", "python"];

/** A copy of what an example needs of the repository, in the same places. */
export interface Example {
  readonly root: string;
  readonly projectDir: string;
  dispose(): void;
}

export function copyExample(name: string, ...others: readonly string[]): Example {
  const repository = findPackageRoot();
  const plugin = join(repository, "dist", "plugin");
  if (!existsSync(plugin))
    throw new Error("There is no plugin in dist/plugin: `npm run build:plugin` makes it.");
  const root = mkdtempSync(join(tmpdir(), "management-example-"));
  const projectDir = join(root, "examples", name);
  for (const copied of [name, ...others, "quickstart/functions", "quickstart/migrations"]) {
    cpSync(join(repository, "examples", copied), join(root, "examples", copied), {
      recursive: true,
      filter: (path) => !/node_modules|__pycache__|Pulumi\.[^/\\]+\.yaml$/.test(path),
    });
  }
  // A copy too: the plugin is a folder that needs nothing of this repository.
  cpSync(plugin, join(root, "dist", "plugin"), { recursive: true });
  return { root, projectDir, dispose: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Makes the packages of this repository resolvable for what is beside the example. */
export function linkPackages({ root }: Example): void {
  symlinkSync(join(findPackageRoot(), "node_modules"), join(root, "node_modules"), "junction");
}

/** Generates an SDK from the schema beside the example, and returns its folder. */
export async function generateBeside({ root }: Example, language: SdkLanguage): Promise<string> {
  const out = join(root, "sdk", language);
  mkdirSync(out, { recursive: true });
  const schemaFile = join(findPackageRoot(), "schema.json");
  await generateSdk({
    schemaFile,
    language,
    out,
    engine: await engineForTests(LANGUAGES),
    log: (line) => process.stderr.write(`sdk: ${line}\n`),
  });
  return out;
}
