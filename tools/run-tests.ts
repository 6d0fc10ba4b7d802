import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { findPackageRoot } from "./engine/package-root";

/** Runs both tiers of the tests, Jest with these arguments, as the path of a part of the tests, its output on this terminal; whether all passed. */
export async function runTests(
  args: readonly string[],
  settings: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const root = findPackageRoot();
  const jest = spawn(process.execPath, [join(root, "node_modules", "jest", "bin", "jest.js"), ...args], {
    cwd: root,
    env: { ...process.env, TEST_TIER: "all", ...settings },
    stdio: "inherit",
  });
  const [code] = (await once(jest, "exit")) as [number | null];
  return code === 0;
}
