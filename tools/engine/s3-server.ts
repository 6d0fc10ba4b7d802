import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { CacheEntry, cacheRoot, findIn } from "./cache-folder";
import { cached } from "./cached";
import { type Attempt, type Environment, failed, type Log, succeeded } from "./engine";
import { findPackageRoot } from "./package-root";
import { failureLine, runProcess } from "./run-process";

const NAME = "s3rver";
const PACKAGE = "tools/engine/s3-server";
const BUCKET = "states";
const LONGEST_INSTALL_MS = 300_000;

/** An S3-compatible server on this machine, with an empty bucket. */
export interface S3Server {
  /** The bucket as a state backend. */
  readonly backendUrl: string;
  /** The static keys by which it is reached. */
  readonly keys: Readonly<Record<"AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY", string>>;
  readonly region: string;
  dispose(): Promise<void>;
}

/** Starts the server, which the package registry gives when it is not in the cache. */
export async function startS3Server(request: { env: Environment; log: Log }): Promise<S3Server> {
  const program = await provideS3Server(request);
  if (!program.ok) throw new Error(program.reason);
  const folder = mkdtempSync(join(tmpdir(), "management-s3-"));
  const args = ["--directory", folder, "--address", "127.0.0.1", "--port", "0", "--configure-bucket", BUCKET];
  const child = spawn(process.execPath, [program.value, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  const stopAtOnce = (): void => void child.kill("SIGKILL");
  process.once("exit", stopAtOnce);
  const address = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error("the S3 server ended")));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, found] = /listening on (\S+:\d+)/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    backendUrl: `s3://${BUCKET}?endpoint=${address}&disableSSL=true&s3ForcePathStyle=true`,
    keys: { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" },
    region: "us-east-1",
    dispose: async () => {
      process.removeListener("exit", stopAtOnce);
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function provideS3Server({ env, log }: { env: Environment; log: Log }): Promise<Attempt<string>> {
  const from = join(findPackageRoot(), PACKAGE);
  const pinned = readFileSync(join(from, "package-lock.json"));
  const version = createHash("sha256").update(pinned).digest("hex").slice(0, 12);
  const entry = new CacheEntry(cacheRoot(env), { kind: "s3-server", version });
  const made = await cached(entry, {
    names: [NAME],
    purpose: "installing the S3 server",
    log,
    fill: async (folder) => {
      cpSync(from, folder, { recursive: true });
      const npm = ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
      const result = await runProcess("npm", npm, { cwd: folder, env, timeoutMs: LONGEST_INSTALL_MS });
      if (result.exitCode !== 0) return failed(`npm could not install it: ${failureLine(result)}`);
      symlinkSync(`../node_modules/${NAME}/bin/${NAME}.js`, join(folder, "bin", NAME));
      return succeeded(undefined);
    },
  });
  return made.ok ? succeeded(findIn(entry.binDir, NAME) ?? join(entry.binDir, NAME)) : made;
}
