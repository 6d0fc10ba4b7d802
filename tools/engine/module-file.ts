import { chmodSync, copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Attempt, failed, reasonOf, succeeded } from "./engine";
import { goCommand, type GoBuildRequest } from "./go-command";
import { failureLine } from "./run-process";

/** A file that a Go module carries beside its source. */
export interface ModuleFile {
  module: string;
  /** Inside the module; its last part is the name of the copy. */
  path: string;
}

/** Copies a file out of a module into `binDir`, in the version that the module in `moduleFolder` pins. */
export async function copyModuleFile(
  file: ModuleFile,
  moduleFolder: string,
  request: GoBuildRequest,
): Promise<Attempt<undefined>> {
  const go = goCommand(moduleFolder, request.env);
  if (!go.ok) return go;
  // Go's cache may have been cleaned since the engine was built.
  const fetched = await go.value(["mod", "download", file.module]);
  if (fetched.exitCode !== 0) return failed(`fetching ${file.module} failed: ${failureLine(fetched)}`);
  const module = await go.value(["list", "-m", "-f", "{{.Dir}}", file.module]);
  if (module.exitCode !== 0) return failed(`finding ${file.module} failed: ${failureLine(module)}`);
  const target = join(request.binDir, basename(file.path));
  try {
    copyFileSync(join(module.stdout.trim(), file.path), target);
    // Go's module cache is read-only, and copies keep that.
    chmodSync(target, 0o755);
    request.log(`copied ${basename(file.path)} from ${file.module}`);
    return succeeded(undefined);
  } catch (error) {
    return failed(`copying ${file.path} failed: ${reasonOf(error)}`);
  }
}
