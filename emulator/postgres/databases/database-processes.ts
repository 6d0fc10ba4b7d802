import { type ChildProcess, fork, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";

/** Beside this file, whether it was compiled or, in tests, is run as it is: node strips the types. */
const program = join(
  __dirname,
  extname(__filename) === ".ts" ? "instance-process.mts" : "instance-process.mjs",
);

/** What it prints is of no use to the emulator's users; what goes wrong comes as a message. */
const STDIO: StdioOptions = ["ignore", "ignore", "ignore", "ipc"];

/** The engine runs what a library declares as JavaScript, and a library may come with a world or from a statement. */
const NO_SCRIPTS = ["--disallow-code-generation-from-strings"];

/**
 * Processes that each run one database after another. The first start in a process compiles Postgres, which takes as long
 * as all the rest of it; a process whose database was closed in peace opens the next one in half the time.
 */
export class DatabaseProcesses {
  private readonly idle: ChildProcess[] = [];

  constructor(
    private readonly options: {
      /** How many wait for their next database; one when absent. */
      readonly idle?: number;
      /** Options of node for new processes; none when absent. */
      readonly execArgv?: readonly string[];
      /** Where databases lie that are not kept; the system's temporary folder when absent. */
      readonly temporaryRoot?: string | undefined;
    } = {},
  ) {}

  get temporaryRoot(): string | undefined {
    return this.options.temporaryRoot;
  }

  take(): ChildProcess {
    for (let idle = this.idle.pop(); idle !== undefined; idle = this.idle.pop()) if (runs(idle)) return idle;
    const child = fork(program, [], {
      execArgv: [...NO_SCRIPTS, ...(this.options.execArgv ?? [])],
      serialization: "advanced",
      stdio: STDIO,
    });
    child.unref();
    child.channel?.unref();
    // Who uses it hears of its errors; while nobody does, they matter to no one.
    child.on("error", () => undefined);
    return child;
  }

  /** Takes back a process without a database and without listeners; one that is not needed any more is ended. */
  giveBack(child: ChildProcess): Promise<void> {
    if (this.idle.length >= (this.options.idle ?? 1)) return kill(child);
    this.idle.push(child);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    await Promise.all(this.idle.splice(0).map(kill));
  }
}

export async function kill(child: ChildProcess): Promise<void> {
  if (!runs(child)) return;
  child.ref();
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

function runs({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

const SHARED = Symbol.for("management-emulator.database-processes");

/** The processes of all emulators of this program, where it shares them, as the tests' environment does. */
export function sharedProcesses(): DatabaseProcesses | undefined {
  // Only `shareProcesses` sets it.
  return Reflect.get(globalThis, SHARED) as DatabaseProcesses | undefined;
}

/** Lets the emulators in `scope`, a global object, take their processes from here and leave them running. */
export function shareProcesses(scope: object, processes: DatabaseProcesses): void {
  Reflect.set(scope, SHARED, processes);
}
