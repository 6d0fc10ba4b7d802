import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { TestEnvironment } from "jest-environment-node";
import { DatabaseProcesses, shareProcesses } from "../../emulator/postgres/databases/database-processes";
import { makeMemoryFolder } from "./memory-folder";
import { SpawnedProgramCounter, usedByChildren, type Usage } from "./usage";

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

/**
 * Lets the emulators of one test file after another use the same database processes, and writes what each file used to the
 * file that the reporter names.
 */
export default class Environment extends TestEnvironment {
  private readonly suite: string;
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

  override async teardown(): Promise<void> {
    await super.teardown();
    const file = process.env["MANAGEMENT_TEST_USAGE"];
    if (file === undefined || this.before === undefined) return;
    const [before, after] = [this.before, usage()];
    const used: Usage & { suite: string } = {
      suite: this.suite,
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
