import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type Extension, PGlite, types } from "@electric-sql/pglite";
import type { DatabaseFault } from "../sql/database-error.js";
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

// Other files than those of the database too.
process.umask(0o077);

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

type OpenRequest = Extract<InstanceRequest, { readonly kind: "open" }>;

async function open({ folder, superuser, extensions }: OpenRequest): Promise<OpenDatabase> {
  const pidFile = await lockFolder(folder);
  const postgres = await PGlite.create({
    dataDir: folder,
    initDbStartParams: [`--username=${superuser}`],
    startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ["-c", setting])],
    parsers,
    extensions: { files: { name: "files", setup: fileSystem(extensions) } },
  });
  return { postgres, pidFile };
}

const EXTENSIONS = "/extensions";
/** Postgres has no setting for where it looks for these. */
const DICTIONARIES = "/pglite/share/postgresql/tsearch_data";

/** The last setting of a name counts; what a session resets goes back to it. */
const settings = [
  'search_path="$user", public, extensions',
  // Postgres clears all of them at its start: with its own 128 MB that takes a third of the start.
  "shared_buffers=16MB",
  `extension_control_path=${EXTENSIONS}/share:$system`,
  `dynamic_library_path=${EXTENSIONS}/lib:$libdir`,
  "shared_preload_libraries=pg_stat_statements",
  // Up to Postgres 15, who creates a role may make it the owner of something.
  "createrole_self_grant=set,inherit",
  "wal_level=logical",
  "max_replication_slots=5",
  "max_wal_senders=5",
];

/** Extensions are read where they lie, when they are needed; what Postgres writes is its user's alone. */
function fileSystem(extensions: string): Extension["setup"] {
  return (_, options: { readonly preRun?: readonly Prepare[] }) =>
    Promise.resolve({
      emscriptenOpts: {
        ...options,
        preRun: [
          ...(options.preRun ?? []),
          ({ FS, NODEFS }: FileSystemModule) => {
            protectExtensions({ FS, NODEFS });
            const { setattr } = NODEFS.node_ops;
            NODEFS.node_ops.setattr = (node, attributes) => setattr(node, ownersAlone(attributes));
            FS.mkdirTree(EXTENSIONS);
            FS.mount(NODEFS, { root: extensions }, EXTENSIONS);
            FS.mkdirTree(DICTIONARIES);
            for (const name of readdirSync(join(extensions, "tsearch_data"))) {
              FS.symlink(`${EXTENSIONS}/tsearch_data/${name}`, `${DICTIONARIES}/${name}`);
            }
          },
        ],
      },
    });
}

function ownersAlone(attributes: unknown): unknown {
  if (typeof attributes !== "object" || attributes === null || !("mode" in attributes)) return attributes;
  const { mode } = attributes;
  return typeof mode === "number" ? { ...attributes, mode: mode & ~0o077 } : attributes;
}

/** The folder of extensions is the user's, and all databases load what is in it. */
function protectExtensions({ FS, NODEFS }: FileSystemModule): void {
  const { node_ops: ofNodes, stream_ops: ofStreams } = NODEFS;
  const refuse = ({ mount }: FileNode): void => {
    if (mount.mountpoint === EXTENSIONS) throw new FS.ErrnoError(READ_ONLY_FILE_SYSTEM);
  };
  for (const name of WRITING_OPERATIONS) {
    const operate = ofNodes[name];
    ofNodes[name] = (node, ...others) => {
      refuse(node);
      return operate(node, ...others);
    };
  }
  const { open: openStream } = ofStreams;
  ofStreams.open = (stream) => {
    if ((stream.flags & ACCESS_MODE) !== READ_ONLY) refuse(stream.node);
    openStream(stream);
  };
}

/** Numbers of the engine's runtime. */
const READ_ONLY_FILE_SYSTEM = 69;
const ACCESS_MODE = 3;
const READ_ONLY = 0;

const WRITING_OPERATIONS = ["setattr", "mknod", "rename", "unlink", "rmdir", "symlink"] as const;

interface FileNode {
  readonly mount: { readonly mountpoint: string };
}

/** What the engine's declarations leave open of its file system. */
interface FileSystemModule {
  readonly FS: {
    readonly ErrnoError: new (code: number) => Error;
    mkdirTree(path: string): void;
    symlink(target: string, path: string): void;
    mount(type: unknown, options: { readonly root: string }, path: string): void;
  };
  readonly NODEFS: {
    readonly node_ops: Record<
      (typeof WRITING_OPERATIONS)[number],
      (node: FileNode, ...others: readonly unknown[]) => unknown
    >;
    readonly stream_ops: { open: (stream: { readonly node: FileNode; readonly flags: number }) => void };
  };
}
type Prepare = (module: FileSystemModule) => void;

let opened: OpenDatabase | undefined;

async function run(request: InstanceRequest): Promise<Results<Record<string, unknown>>[]> {
  if (request.kind === "open") {
    opened = await open(request);
    return [];
  }
  if (opened === undefined) throw new Error("No database is open");
  const { postgres, pidFile } = opened;
  if (request.kind === "protocol") throw new Error("Messages are answered by messages");
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
    if (request.kind === "protocol" && opened !== undefined) {
      return { id, kind: "protocol", messages: await opened.postgres.execProtocolRaw(request.messages) };
    }
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
