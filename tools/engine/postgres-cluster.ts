import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Environment } from "./engine";
import { findExecutable } from "./path-lookup";
import { tryTo } from "./process-table";
import { runProcess } from "./run-process";

const SUPERUSER = "pulumi";
const DEBIAN = "/usr/lib/postgresql";

/** A Postgres server of its own, reached by a socket in its folder; nothing of it is left after `dispose`. */
export interface PostgresCluster {
  readonly socket: string;
  readonly user: string;
  dispose(): Promise<void>;
}

/** Folder of the newest Postgres server's programs; undefined when the machine has none. */
export function findPostgres(env: Environment): string | undefined {
  const onPath = findExecutable("postgres", env);
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(onPath === undefined ? [] : [dirname(onPath)]),
    ...versions.map((version) => join(DEBIAN, version, "bin")),
  ];
  return folders.find((folder) => ["postgres", "initdb"].every((name) => existsSync(join(folder, name))));
}

export async function startPostgres(binDir: string): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(tmpdir(), "management-postgres-"));
  const data = join(folder, "data");
  const owner = serverUser();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const flags = ["-D", data, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    const made = await runProcess(join(binDir, "initdb"), flags, {
      cwd: folder,
      timeoutMs: 60_000,
      ...owner,
    });
    if (made.exitCode !== 0) throw new Error(`initdb failed:\n${made.lastLines.join("\n")}`);
    const child = spawn(
      join(binDir, "postgres"),
      // A socket only: no port has to be found, and nobody else gets in.
      ["-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"],
      { cwd: folder, stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, LC_ALL: "C" }, ...owner },
    );
    const stopAtOnce = (): void => void child.kill("SIGQUIT");
    process.once("exit", stopAtOnce);
    await untilReady(child);
    return {
      socket: join(folder, ".s.PGSQL.5432"),
      user: SUPERUSER,
      dispose: async () => {
        process.removeListener("exit", stopAtOnce);
        const ended = child.exitCode === null ? once(child, "close") : undefined;
        stopAtOnce();
        await ended;
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function untilReady(child: ChildProcess & { stderr: NodeJS.ReadableStream }): Promise<void> {
  const said: string[] = [];
  const lines = createInterface({ input: child.stderr });
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => {
      if (said.length < 50) said.push(line);
      if (line.includes("ready to accept connections")) resolve();
    });
    child.once("error", reject);
    child.once("close", () => reject(new Error(`postgres ended:\n${said.join("\n")}`)));
  });
}

/** Postgres refuses to run as root: then it runs as its own user, or as nobody. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const ids = ["-u", "-g"].map((flag) =>
      tryTo(() => Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }))),
    );
    const [uid, gid] = ids;
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error("Postgres does not run as root, and there is neither a user postgres nor nobody");
}
