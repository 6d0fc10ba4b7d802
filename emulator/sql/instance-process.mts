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

// What `instance.ts` starts this process with.
const [, , folder = ""] = process.argv;

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

/** The process that has the folder open. */
const pidFile = join(folder, "management.pid");
/** Longer than the watchdog of a process takes whose parent was killed. */
const LONGEST_WAIT_MS = 3_000;
for (let waitedMs = 0; isOpenElsewhere() && waitedMs < LONGEST_WAIT_MS; waitedMs += 50) await sleep(50);

function isOpenElsewhere(): boolean {
  try {
    const pid = Number(readFileSync(pidFile, "utf8"));
    return pid !== process.pid && process.kill(pid, 0);
  } catch {
    return false;
  }
}

// A database that is only made now has no folder, and nobody else can open it.
if (existsSync(folder)) writeFileSync(pidFile, String(process.pid));

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

const database = await PGlite.create({
  dataDir: folder,
  // The last setting of a name counts; what a session resets goes back to it.
  startParams: [...PGlite.defaultStartParams, "-c", 'search_path="$user", public, extensions'],
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

async function run(request: InstanceRequest): Promise<Results<Record<string, unknown>>[]> {
  if (request.kind === "exec") return database.exec(request.sql);
  if (request.kind === "query") return [await database.query(request.sql, [...request.parameters])];
  await database.close();
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
process.send?.("ready");
