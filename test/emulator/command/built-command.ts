import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";

const root = dirname(dirname(dirname(__dirname)));

/** Bundles `management-emulator` for the tests of a file, which run it as a process; the path of the bundle. */
export function useBuiltCommand(name: string): string {
  // Below the repository, from where the packages are found.
  const folder = join(root, "node_modules", ".cache", `emulator-${name}-${process.pid}`);
  const command = join(folder, "cli.js");
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    buildSync({
      entryPoints: [join(root, "emulator/cli.ts")],
      outfile: command,
      bundle: true,
      platform: "node",
      packages: "external",
      logLevel: "error",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return command;
}
