import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CacheEntry, cacheRoot, findIn } from "./cache-folder";
import { cached } from "./cached";
import { type Attempt, type Environment, type Log, succeeded } from "./engine";
import { buildGoProgram } from "./go-program";
import { findPackageRoot } from "./package-root";

const NAME = "actionlint";
const MODULE_FOLDER = "tools/engine/go/actionlint";

/** Path of the linter of GitHub workflows, built from its Go module when it is not in the cache. */
export async function provideActionlint(request: { env: Environment; log: Log }): Promise<Attempt<string>> {
  const pinned = readFileSync(join(findPackageRoot(), MODULE_FOLDER, "go.sum"));
  const version = createHash("sha256").update(pinned).digest("hex").slice(0, 12);
  const entry = new CacheEntry(cacheRoot(request.env), { kind: NAME, version });
  const built = await cached(entry, {
    names: [NAME],
    purpose: "building the linter of workflows",
    log: request.log,
    fill: (folder) =>
      buildGoProgram(
        {
          name: NAME,
          moduleFolder: MODULE_FOLDER,
          package: "github.com/rhysd/actionlint/cmd/actionlint",
          linkerFlags: "-s -w",
        },
        { ...request, binDir: entry.binDirOf(folder) },
      ),
  });
  return built.ok ? succeeded(findIn(entry.binDir, NAME) ?? join(entry.binDir, NAME)) : built;
}
