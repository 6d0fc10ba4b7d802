import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CacheEntry, cacheRoot, findIn } from "../engine/cache-folder";
import { cached } from "../engine/cached";
import { type Attempt, ENGINE_VERSION, type Environment, type Log, succeeded } from "../engine/engine";
import { buildGoProgram } from "../engine/go-program";
import { findPackageRoot } from "../engine/package-root";

const NAME = "generate-sdk";
const MODULE_FOLDER = "tools/sdk/go";

/** Path of the generator over Pulumi's own code generation, built from Go modules when it is not in the cache. */
export async function provideGenerator(request: { env: Environment; log: Log }): Promise<Attempt<string>> {
  const hash = createHash("sha256");
  for (const file of ["main.go", "go.mod", "go.sum"])
    hash.update(readFileSync(join(findPackageRoot(), MODULE_FOLDER, file)));
  const version = `${ENGINE_VERSION}-${hash.digest("hex").slice(0, 12)}`;
  const entry = new CacheEntry(cacheRoot(request.env), { kind: NAME, version });
  const built = await cached(entry, {
    names: [NAME],
    purpose: "building the SDK generator",
    log: request.log,
    fill: (folder) =>
      buildGoProgram(
        { name: NAME, moduleFolder: MODULE_FOLDER, package: NAME, linkerFlags: "-s -w" },
        { ...request, binDir: entry.binDirOf(folder) },
      ),
  });
  return built.ok ? succeeded(findIn(entry.binDir, NAME) ?? join(entry.binDir, NAME)) : built;
}
