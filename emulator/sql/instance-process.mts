import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { PGlite, types } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { btree_gist } from "@electric-sql/pglite/contrib/btree_gist";
import { citext } from "@electric-sql/pglite/contrib/citext";
import { fuzzystrmatch } from "@electric-sql/pglite/contrib/fuzzystrmatch";
import { hstore } from "@electric-sql/pglite/contrib/hstore";
import { ltree } from "@electric-sql/pglite/contrib/ltree";
import { moddatetime } from "@electric-sql/pglite/contrib/moddatetime";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { pgcrypto } from "@electric-sql/pglite/contrib/pgcrypto";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import { uuid_ossp } from "@electric-sql/pglite/contrib/uuid_ossp";
import type { DatabaseFault } from "./database-error.js";
import type { Results } from "./databases.js";
import type { InstanceReply, InstanceRequest } from "./instance-messages.js";

/** Ends this process when its parent has ended, also in the middle of a statement that holds up the event loop. */
const WATCHDOG = `
const { workerData: { pid, parent } } = require("node:worker_threads");
setInterval(() => {
  try {
    process.kill(parent, 0);
  } catch {
    process.kill(pid, "SIGKILL");
  }
}, 100);
`;
new Worker(WATCHDOG, { eval: true, workerData: { pid: process.pid, parent: process.ppid } }).unref();
process.on("disconnect", () => process.exit());
// A terminal sends them to every process of the group; the parent ends this one in its own time.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

/** Longer than the watchdog of a process takes whose parent was killed. */
const LONGEST_WAIT_MS = 3_000;

/** Waits until no other process has the folder open, and says that this one has; the file that says so. */
async function lockFolder(folder: string): Promise<string> {
  const pidFile = join(folder, "management.pid");
  const isOpenElsewhere = (): boolean => {
    try {
      const pid = Number(readFileSync(pidFile, "utf8"));
      return pid !== process.pid && process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  for (let waitedMs = 0; isOpenElsewhere() && waitedMs < LONGEST_WAIT_MS; waitedMs += 50) await sleep(50);
  // A database that is only made now has no folder, and nobody else can open it.
  if (existsSync(folder)) writeFileSync(pidFile, String(process.pid));
  return pidFile;
}

const asText = (text: string): string => text;

/** Values that JSON has: what a JavaScript number or date would blur stays as Postgres spells it. */
const parsers = {
  [types.INT8]: (text: string): string | number => (Number.isSafeInteger(Number(text)) ? Number(text) : text),
  [types.FLOAT4]: parseFloating,
  [types.FLOAT8]: parseFloating,
  [types.DATE]: asText,
  [types.TIMESTAMP]: asText,
  [types.TIMESTAMPTZ]: asText,
  [types.BYTEA]: asText,
};

function parseFloating(text: string): string | number {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

interface OpenDatabase {
  readonly postgres: PGlite;
  readonly pidFile: string;
}

async function open(folder: string): Promise<OpenDatabase> {
  const pidFile = await lockFolder(folder);
  const postgres = await PGlite.create({
    dataDir: folder,
    startParams: [
      ...PGlite.defaultStartParams,
      // The last setting of a name counts; what a session resets goes back to it.
      ...["-c", 'search_path="$user", public, extensions'],
      // Postgres clears all of them at its start: with its own 128 MB that takes a third of the start.
      ...["-c", "shared_buffers=16MB"],
    ],
    parsers,
    extensions: {
      btree_gin,
      btree_gist,
      citext,
      fuzzystrmatch,
      hstore,
      ltree,
      moddatetime,
      pg_trgm,
      pgcrypto,
      unaccent,
      uuid_ossp,
    },
  });
  return { postgres, pidFile };
}

let opened: OpenDatabase | undefined;

async function run(request: InstanceRequest): Promise<Results<Record<string, unknown>>[]> {
  if (request.kind === "open") {
    opened = await open(request.folder);
    return [];
  }
  if (opened === undefined) throw new Error("No database is open");
  const { postgres, pidFile } = opened;
  if (request.kind === "exec") return postgres.exec(request.sql);
  if (request.kind === "query") return [await postgres.query(request.sql, [...request.parameters])];
  opened = undefined;
  await postgres.close();
  rmSync(pidFile, { force: true });
  return [];
}

async function reply(request: InstanceRequest): Promise<InstanceReply> {
  const { id } = request;
  try {
    return { id, kind: "results", results: await run(request) };
  } catch (error) {
    const fault = faultOf(error);
    return fault === undefined ? { id, kind: "crash", message: String(error) } : { id, kind: "fault", fault };
  }
}

function faultOf(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  const text = (key: string): string | undefined => {
    const value: unknown = Reflect.get(error, key);
    return typeof value === "string" ? value : undefined;
  };
  return {
    message: error.message,
    code: error.code,
    severity: text("severity") ?? "ERROR",
    detail: text("detail"),
    hint: text("hint"),
    position: text("position"),
  };
}

process.on("message", (request: InstanceRequest) => {
  void reply(request).then((answer) => process.send?.(answer));
});
