import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  processIdentity,
  systemProcesses,
  type ProcessIdentity,
  type Processes,
} from "../../provider/core/process-identity";
import {
  runAcceptance,
  removeProject,
  type AcceptanceResult,
  type RunEnvironment,
  type Target,
  type Wanted,
} from "./session";

const unfinishedRun = z.strictObject({
  organization: z.string(),
  projectName: z.string(),
  baseUrl: z.string(),
  process: processIdentity,
});
type UnfinishedRun = z.infer<typeof unfinishedRun>;

/** The runs of this machine whose projects may still be on a service: each is a file from before its first request. */
export class UnfinishedRuns {
  constructor(
    private readonly folder: string,
    private readonly processes: Processes = systemProcesses(),
  ) {}

  begin({ organization, projectName }: Wanted, { baseUrl }: Target): void {
    mkdirSync(this.folder, { recursive: true });
    const run: UnfinishedRun = { organization, projectName, baseUrl, process: this.processes.own };
    writeFileSync(this.fileOf(projectName), `${JSON.stringify(run)}\n`, { flush: true });
  }

  end(projectName: string): void {
    rmSync(this.fileOf(projectName), { force: true });
  }

  all(): UnfinishedRun[] {
    mkdirSync(this.folder, { recursive: true });
    return readdirSync(this.folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => unfinishedRun.parse(JSON.parse(readFileSync(join(this.folder, name), "utf8"))));
  }

  /** Whether its process runs no more, as far as this machine can tell: one in another container may still run. */
  hasEnded({ process: mark }: UnfinishedRun): boolean {
    const [host, boot, space] = partsOfMachine(mark);
    const [ownHost, ownBoot, ownSpace] = partsOfMachine(this.processes.own);
    if (host !== ownHost) return false;
    if (boot !== ownBoot) return true;
    return space === ownSpace && !this.processes.isRunning(mark);
  }

  private fileOf(projectName: string): string {
    return join(this.folder, `${projectName}.json`);
  }
}

/** The name of the machine, its boot and its space of process ids. */
function partsOfMachine({ machine }: ProcessIdentity): readonly string[] {
  return machine.split(" ");
}

/** Runs it, and remembers the run until the service has nothing of it any more. */
export async function runToTheEnd(
  runs: UnfinishedRuns,
  target: Target,
  wanted: Wanted,
  environment: RunEnvironment,
): Promise<AcceptanceResult> {
  runs.begin(wanted, target);
  const result = await runAcceptance(target, wanted, environment);
  if (result.isClean) runs.end(wanted.projectName);
  return result;
}

/** Removes what runs left that were killed; true where nothing is left that could be removed from here. */
export async function clean(
  runs: UnfinishedRuns,
  target: Target,
  environment: RunEnvironment,
): Promise<boolean> {
  let isClean = true;
  for (const run of runs.all()) {
    const { organization, projectName, baseUrl } = run;
    if (baseUrl !== target.baseUrl) {
      environment.say(
        `${projectName} may still be in ${organization} at ${baseUrl}: run \`--clean\` with that address.`,
      );
      continue;
    }
    if (!runs.hasEnded(run)) {
      environment.say(`${projectName} in ${organization} belongs to a run that has not ended.`);
      continue;
    }
    environment.say(`Removing ${projectName} from ${organization}, which an earlier run left.`);
    // the ledger of the killed run has its project for that of a program, which goes on with it.
    const folder = join(environment.folder, "clean", projectName);
    rmSync(folder, { recursive: true, force: true });
    const removed = await removeProject(target, { organization, projectName }, { ...environment, folder });
    rmSync(folder, { recursive: true, force: true });
    for (const fault of removed.faults) environment.say(fault);
    if (removed.isClean) runs.end(projectName);
    else isClean = false;
  }
  return isClean;
}
