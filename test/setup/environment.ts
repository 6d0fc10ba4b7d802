import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { TestEnvironment } from "jest-environment-node";
import { DatabaseProcesses, shareProcesses } from "../../emulator/postgres/databases/database-processes";
import { makeMemoryFolder } from "./memory-folder";
import { SpawnedProgramCounter, usedByChildren, type SuiteUsage, type Usage } from "./usage";

class CountedProcesses extends DatabaseProcesses {
  databases = 0;

  override take(): ReturnType<DatabaseProcesses["take"]> {
    this.databases += 1;
    return super.take();
  }
}

/** Of all test files that this worker runs. Code that starts quickly suits databases that live for a second. */
const processes = new CountedProcesses({
  idle: 3,
  execArgv: ["--liftoff-only"],
  temporaryRoot: makeMemoryFolder(),
});
const engines = new SpawnedProgramCounter("pulumi");

/** What is used here of Jest's events. */
interface FileEvent {
  readonly name: string;
  readonly describeBlock?: { mode?: string };
}

/**
 * Lets the emulators of one test file after another use the same database processes, and writes what each file used to the
 * file that the reporter names.
 */
export default class Environment extends TestEnvironment {
  private readonly suite: string;
  /** Whether the time of this run was up when the file began. */
  private readonly isLate = isPastDeadline(process.env["TEST_DEADLINE"]);
  private before: Usage | undefined;

  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    super(config, context);
    this.suite = relative(config.globalConfig.rootDir, context.testPath);
  }

  override async setup(): Promise<void> {
    await super.setup();
    shareProcesses(this.global, processes);
    this.before = usage();
  }

  /** Jest calls it for each event of a file; one that begins late skips all its tests, which the reporter then names. */
  handleTestEvent({ name, describeBlock }: FileEvent): void {
    if (this.isLate && name === "run_describe_start" && describeBlock !== undefined)
      describeBlock.mode = "skip";
  }

  override async teardown(): Promise<void> {
    await super.teardown();
    const file = process.env["MANAGEMENT_TEST_USAGE"];
    if (file === undefined || this.before === undefined) return;
    const [before, after] = [this.before, usage()];
    const used: SuiteUsage = {
      suite: this.suite,
      isLate: this.isLate,
      ownSeconds: after.ownSeconds - before.ownSeconds,
      childSeconds: after.childSeconds - before.childSeconds,
      databases: after.databases - before.databases,
      engineCommands: after.engineCommands - before.engineCommands,
    };
    appendFileSync(file, `${JSON.stringify(used)}\n`);
  }
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return {
    ownSeconds: (user + system) / 1e6,
    childSeconds: usedByChildren(),
    databases: processes.databases,
    engineCommands: engines.count(),
  };
}

/** `deadline` is in seconds since 1970. */
function isPastDeadline(deadline: string | undefined): boolean {
  return deadline !== undefined && Date.now() / 1_000 > Number(deadline);
}
