import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DYNAMIC_PROVIDER } from "./engine";
import { findIn } from "./cache-folder";

/**
 * The program's own copy of the SDK is served, so that both speak one version. It ends when the engine
 * is gone: a provider left alone would go on changing what nobody records any more.
 */
const SERVE = [
  `const path = require.resolve("@pulumi/pulumi/cmd/dynamic-provider", { paths: [process.cwd()] });`,
  `const engine = process.ppid;`,
  `setInterval(() => { if (process.ppid !== engine) process.exit(1); }, 1000).unref();`,
  `process.argv.splice(1, 0, path);`,
  `require(path);`,
].join(" ");

/** Writes the program that serves dynamic providers, which an engine built from Go modules lacks. */
export function ensureLauncher(binDir: string): void {
  if (findIn(binDir, DYNAMIC_PROVIDER) !== undefined) return;
  if (process.platform === "win32") {
    writeFileSync(
      join(binDir, `${DYNAMIC_PROVIDER}.cmd`),
      `@node -e "${SERVE.replaceAll('"', "'")}" -- %*\r\n`,
    );
    return;
  }
  // One start of node, and `exec`: the engine then stops the provider itself and not a shell around it.
  writeFileSync(join(binDir, DYNAMIC_PROVIDER), `#!/bin/sh\nexec node -e '${SERVE}' -- "$@"\n`, {
    mode: 0o755,
  });
}
