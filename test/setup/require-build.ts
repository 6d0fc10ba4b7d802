import { existsSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";

/** What the engine loads: the package as its users have it, and the plugin. */
const BUILT = ["dist/provider/index.js", "dist/plugin/pulumi-resource-management"];

/** Fails with what to do where the package is not built: every engine test would fail, and none would say why. */
export function requireBuild(root: string): void {
  const missing = BUILT.filter((file) => !existsSync(join(root, file)));
  if (missing.length === 0) return;
  throw new Error(
    `The engine tests run the built package, and ${missing.join(" and ")} is missing: run "npm run build" first.`,
  );
}

/** Jest's global set-up of the engine tests. */
export default function setUp(): void {
  requireBuild(findPackageRoot());
}
