import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { cacheRoot } from "../../../tools/engine/cache-folder";
import type { Engine, Environment } from "../../../tools/engine/engine";
import { findPackageRoot } from "../../../tools/engine/package-root";

/** Programs that a runner has, and nothing of this machine's own set-up. */
export function runnerEnvironment(engine: Engine, folder: string): Environment {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), npmCi(findPackageRoot()));
  chmodSync(join(bin, "npm"), 0o755);
  const path = [bin, engine.binDir, dirname(process.execPath), process.env["PATH"] ?? ""];
  return {
    PATH: path.join(delimiter),
    CI: "true",
    // Not the home of whoever runs the tests, which Pulumi finds without `HOME`.
    PULUMI_HOME: join(folder, "pulumi"),
    // No network, and compiled code at hand.
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    npm_config_update_notifier: "false",
    NODE_COMPILE_CACHE: join(cacheRoot(process.env), "compiled"),
  };
}

/** What `npm ci` would install: the packages of this repository. */
function npmCi(root: string): string {
  return `#!/bin/sh
set -e
[ "$*" = ci ] || { echo "npm $* is not simulated" >&2; exit 1; }
mkdir -p node_modules/@pulumi node_modules/.bin
ln -s "${root}/node_modules/@pulumi/pulumi" node_modules/@pulumi/pulumi
ln -s "${root}" node_modules/pulumi-management
printf '#!/bin/sh\\nexec node "%s" "$@"\\n' "${root}/dist/previews/cli.js" > node_modules/.bin/management-previews
chmod +x node_modules/.bin/management-previews
`;
}
