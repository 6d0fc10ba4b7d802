import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findPackageRoot } from "./package-root";

export interface ProgramOptions {
  name?: string;
  /** The source is TypeScript; the engine then loads the compiler, which costs about a second. */
  typescript?: boolean;
  /** More options of the Node.js runtime, `nodeargs` for instance. */
  runtimeOptions?: Record<string, unknown>;
}

/** Writes a minimal project whose packages are this repository's, and returns its folder. */
export function writeProgram(folder: string, source: string, options: ProgramOptions = {}): string {
  const { name = "program", typescript = false, runtimeOptions = {} } = options;
  const root = findPackageRoot();
  mkdirSync(folder, { recursive: true });
  // JSON is YAML.
  const project = { name, runtime: { name: "nodejs", options: { typescript, ...runtimeOptions } } };
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify(project, undefined, 2));
  const main = typescript ? "index.ts" : "index.js";
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, main }));
  writeFileSync(join(folder, main), source);
  if (typescript) writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(COMPILER));
  link(join(root, "node_modules", "@pulumi", "pulumi"), join(folder, "node_modules", "@pulumi", "pulumi"));
  link(root, join(folder, "node_modules", "pulumi-management"));
  return folder;
}

const COMPILER = {
  compilerOptions: {
    strict: true,
    target: "es2020",
    module: "commonjs",
    moduleResolution: "node",
    skipLibCheck: true,
  },
};

function link(target: string, path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  symlinkSync(target, path, process.platform === "win32" ? "junction" : "dir");
}
