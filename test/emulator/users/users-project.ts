import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { VERSION } from "../../../provider/core/version.generated";
import { findPackageRoot } from "../../../tools/engine/package-root";

const root = findPackageRoot();
const execute = promisify(execFile);
const QUICKLY = ["--prefer-offline", "--no-audit", "--no-fund"];

const OF_THE_RUNNER = ["JEST_WORKER_ID", "NODE_ENV", "NODE_OPTIONS"];

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A project of somebody else, in which both packages are installed from their archives. */
export class UsersProject {
  readonly folder = mkdtempSync(join(tmpdir(), "management-users-"));
  readonly bin = join(this.folder, "node_modules", ".bin");

  /** Also installs `packages`, such as a test runner. */
  async install(packages: readonly string[]): Promise<void> {
    this.write({ "package.json": JSON.stringify({ name: "shop", private: true }) });
    const pack = ["pack", "--workspaces", "--include-workspace-root", "--ignore-scripts"];
    await execute("npm", [...pack, "--pack-destination", this.folder], { cwd: root });
    const archives = ["pulumi-management", "management-emulator"].map((name) => `./${name}-${VERSION}.tgz`);
    const install = ["install", "--legacy-peer-deps", ...QUICKLY, ...archives, ...packages];
    await execute("npm", install, { cwd: this.folder });
    // Pulumi's SDK is the repository's own.
    mkdirSync(join(this.folder, "node_modules", "@pulumi"), { recursive: true });
    symlinkSync(
      join(root, "node_modules", "@pulumi", "pulumi"),
      join(this.folder, "node_modules", "@pulumi", "pulumi"),
    );
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), content);
    }
  }

  /** Runs one of the commands that are installed, with an environment that knows nothing of this test's runner. */
  run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    const own = Object.entries(process.env).filter(([name]) => !OF_THE_RUNNER.includes(name));
    const all = { ...Object.fromEntries(own), ...env };
    const options = { cwd: this.folder, env: all, maxBuffer: 64 * 1024 * 1024 };
    return new Promise((resolve) => {
      execFile(join(this.bin, command), [...args], options, (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
        resolve({ code, out, err });
      });
    });
  }

  /** Runs a command of the machine; throws where it fails. */
  async required(command: string, ...args: readonly string[]): Promise<string> {
    const { stdout } = await execute(command, [...args], { cwd: this.folder });
    return stdout;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
