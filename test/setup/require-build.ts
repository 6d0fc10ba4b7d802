import { existsSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";

/** What the tests of a project need of the build: generated sources, and what the engine loads. */
const BUILT: Readonly<Record<string, readonly string[]>> = {
  unit: ["provider/catalog/loaders.generated.ts", "provider/dynamic/classes.generated.ts"],
  engine: ["dist/provider/index.js", "dist/plugin/pulumi-resource-management"],
};

/** Fails with what to do where the package is not built: every test would fail, and none would say why. */
export function requireBuild(root: string, project: string): void {
  const missing = (BUILT[project] ?? []).filter((file) => !existsSync(join(root, file)));
  if (missing.length === 0) return;
  throw new Error(`The tests need ${missing.join(" and ")}: run "npm run build" first.`);
}

/** Jest's global set-up of a project. */
export default function setUp(_global: unknown, { displayName }: { displayName: { name: string } }): void {
  requireBuild(findPackageRoot(), displayName.name);
}
