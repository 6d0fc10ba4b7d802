import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findPackageRoot } from "../../../tools/engine/package-root";

/** A bare repository with an example on its default branch, and a clone in which people work. */
export interface Repository {
  readonly remote: string;
  /** Commits files on a new or present branch and pushes it; the commit. `amend` replaces the last commit, by force. */
  push(
    branch: string,
    files: Readonly<Record<string, string>>,
    options?: { amend?: boolean; executable?: readonly string[]; remove?: readonly string[] },
  ): string;
  dispose(): void;
}

/** `example` is the folder below `examples`. */
export function createRepository(example = "preview-environments"): Repository {
  const folder = mkdtempSync(join(tmpdir(), "management-repository-"));
  const remote = join(folder, "remote.git");
  const clone = join(folder, "clone");
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.com", ...args], {
      cwd: clone,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  mkdirSync(clone);
  cpSync(join(findPackageRoot(), "examples", example), clone, {
    recursive: true,
    filter: (path) => !/node_modules|Pulumi\.[^/\\]+\.yaml$/.test(path),
  });
  git("init", "--quiet", "--bare", "--initial-branch", "main", remote);
  // As forges do: a commit that no branch has any more can still be fetched.
  git("-C", remote, "config", "uploadpack.allowAnySHA1InWant", "true");
  git("init", "--quiet", "--initial-branch", "main");
  git("remote", "add", "origin", remote);
  git("add", "--all");
  git("commit", "--quiet", "--message", "Begin");
  git("push", "--quiet", "origin", "main");
  return {
    remote,
    push: (branch, files, { amend = false, executable = [], remove = [] } = {}) => {
      const isNew = git("branch", "--list", branch).trim() === "";
      git("checkout", "--quiet", ...(isNew ? ["-b", branch, "main"] : [branch]));
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(clone, path)), { recursive: true });
        writeFileSync(join(clone, path), text);
      }
      for (const path of remove) rmSync(join(clone, path));
      for (const path of executable) chmodSync(join(clone, path), 0o755);
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", "Change", ...(amend ? ["--amend"] : []));
      git("push", "--quiet", ...(amend ? ["--force"] : []), "origin", branch);
      return git("rev-parse", "HEAD").trim();
    },
    dispose: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
