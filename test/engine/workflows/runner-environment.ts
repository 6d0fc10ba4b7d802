import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { VERSION } from "../../../provider/core/version.generated";
import { cacheRoot } from "../../../tools/engine/cache-folder";
import type { Engine, Environment } from "../../../tools/engine/engine";
import { findPackageRoot } from "../../../tools/engine/package-root";
import { compiledPrograms } from "./job-folder";

/** Programs that a runner has, and nothing of this machine's own set-up. */
export function runnerEnvironment(engine: Engine, folder: string): Environment {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), npmCi(findPackageRoot()), { mode: 0o755 });
  writeFileSync(join(bin, "npx"), npx(findPackageRoot()), { mode: 0o755 });
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
    ...compiledPrograms,
  };
}

/** A file beside package.json of which `npm ci` fails, as of a registry that does not answer. */
export const BROKEN_INSTALL = "broken-install";

/** What `npx` runs: what is installed, or what the registry has of this package. */
function npx(root: string): string {
  return `#!/bin/sh
if [ "$*" != "\${*#--no -- }" ]; then
  shift 2
  command=$1
  shift
  exec "node_modules/.bin/$command" "$@"
fi
if [ "$*" != "\${*#--yes --package pulumi-management@${VERSION} -- management-previews }" ]; then
  shift 5
  exec node "${root}/dist/previews/cli.js" "$@"
fi
echo "npx $* is not simulated" >&2
exit 1
`;
}

/** What `npm ci` would install: the packages of this repository. */
function npmCi(root: string): string {
  return `#!/bin/sh
set -e
case "$*" in ci | "ci --ignore-scripts") ;; *) echo "npm $* is not simulated" >&2; exit 1 ;; esac
[ ! -e ${BROKEN_INSTALL} ] || { echo "npm error: the registry does not answer" >&2; exit 1; }
mkdir -p node_modules/@pulumi node_modules/.bin
ln -s "${root}/node_modules/@pulumi/pulumi" node_modules/@pulumi/pulumi
ln -s "${root}" node_modules/pulumi-management
printf '#!/bin/sh\\nexec node "%s" "$@"\\n' "${root}/dist/previews/cli.js" > node_modules/.bin/management-previews
chmod +x node_modules/.bin/management-previews
`;
}
