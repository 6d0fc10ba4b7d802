import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sweepPreviews, TTL_SECRET } from "../../previews";
import { previewNamed, REPOSITORY } from "../../tools/engine/preview-repository";
import { forgetRemoved } from "../lifecycle/fault-changes";
import { tableRows } from "../../tools/fixtures/database-look";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { sampleOf } from "../lifecycle/samples";
import { simulatedProcesses } from "../lifecycle/simulated-processes";
import { ModelEngine, type Declared, type Outcome } from "./model-engine";
import { MortalProcess, type Death, type Point } from "./mortal-process";

// Runners forget their disk: a job that was killed is followed by one that has the state, and no journal.

/** The long form dies at every point, the other at some of those where the service or the state has just changed, or is about to. */
const IS_LONG = process.env["CRASH_POINTS"] === "long";
/** Kills of each life that the other form tries. */
const TRIED = 12;
/** How many jobs may be needed after the killed one. */
const MOST_RUNS = 3;
const REST_MS = 61_000;

/** What `PreviewEnvironment` makes, with its arguments. */
function previewOf(parent: string): Declared[] {
  const onBranch = (name: string, type: string, own: Record<string, unknown>): Declared => ({
    ...{ name, type },
    inputs: (outputs) => ({ projectRef: outputs("branch")["ref"], ...own }),
  });
  const branch: Declared = {
    ...{ name: "branch", type: "Branch" },
    inputs: () => ({
      ...{
        projectRef: parent,
        name: previewNamed(parent, 7),
        gitBranch: "feature/search",
        pullRequest: 7,
      },
      ...{ persistent: false, withData: false, secrets: { [TTL_SECRET]: "48" } },
      ...{ withKeys: true, withPooler: true, adopt: true },
    }),
  };
  const { sourceDir } = sampleOf("FunctionSet").inputs(parent);
  return [
    branch,
    onBranch("secrets", "SecretSet", {
      secrets: { PAYMENT_TOKEN: "value-of-the-payment-token" },
      adopt: true,
    }),
    onBranch("migrations", "MigrationSet", {
      directory: join(__dirname, "../../tools/fixtures/migration-files/first"),
      via: "query",
    }),
    onBranch("seed", "SqlScript", {
      ...{ name: "seed", query: "insert into notes values ('seeded')", adopt: true },
    }),
    onBranch("functions", "FunctionSet", { sourceDir, adopt: true }),
  ];
}

/** A service, the stack of one pull request, and jobs on machines that are new each time. */
class Jobs {
  engine = new ModelEngine();
  private readonly landings: Promise<unknown>[] = [];

  private constructor(
    readonly scenario: Scenario,
    readonly parent: string,
  ) {}

  static async open(): Promise<Jobs> {
    const scenario = await startScenario({ pace: 0.2 });
    return new Jobs(scenario, scenario.healthyProject("shop"));
  }

  up(death?: Death): Promise<Job> {
    return this.run((process) => this.engine.up(previewOf(this.parent), process), death);
  }

  /** What is on the branch goes with it: `deletedWith`. */
  destroy(death?: Death): Promise<Job> {
    for (const name of ["functions", "seed", "migrations", "secrets"]) this.engine.stateDelete(name);
    return this.run((process) => this.engine.destroy(process), death);
  }

  /** Jobs until one succeeds. */
  async converge(): Promise<void> {
    const said = new Set<string>();
    for (let run = 1; run <= MOST_RUNS; run += 1) {
      const { outcome } = await this.up();
      const failures = outcome?.failures ?? [new Error("nothing came of it")];
      if (failures.length === 0) return;
      for (const { message } of failures) said.add(message);
    }
    throw new Error(`it does not come up: ${[...said].join(" | ")}`);
  }

  /** What left a machine before its end arrives now. */
  async letItLand(): Promise<void> {
    this.scenario.clock.advance(REST_MS);
    await Promise.all(this.landings.splice(0));
  }

  sweep(): Promise<unknown> {
    return sweepPreviews({
      ...{ client: this.scenario.client, project: this.parent, repository: REPOSITORY, prefix: "pr-" },
      ...{ yes: true, pollMs: 1, graceMs: Number.NEGATIVE_INFINITY },
      pullRequest: () => Promise.resolve({ isOpen: false, gitBranch: "feature/search" }),
    });
  }

  branches(): { readonly name: string; readonly ref: string }[] {
    return this.scenario.emulator.control
      .call("listBranches", { ref: this.parent })
      .flatMap(({ name, project_ref: ref, is_default: isDefault }) => (isDefault ? [] : [{ name, ref }]));
  }

  /** All that a preview has, and nothing twice. */
  async requireWhole(): Promise<void> {
    const branches = this.branches();
    const [{ ref } = { ref: "" }] = branches;
    const { control } = this.scenario.emulator;
    const notes = await tableRows(this.scenario, ref, "notes");
    const found = {
      branches: branches.map(({ name }) => name),
      inState: this.engine.idsOf("Branch"),
      notes: notes?.map(({ body }) => body),
      secrets: control
        .call("listSecrets", { ref })
        .map(({ name }) => name)
        .filter((name) => ["PAYMENT_TOKEN", TTL_SECRET].includes(name))
        .sort(),
      functions: control.call("listFunctions", { ref }).length,
    };
    expect(found).toEqual({
      ...{
        branches: [previewNamed(this.parent, 7)],
        inState: [expect.stringContaining(ref)],
        notes: ["seeded"],
      },
      ...{ secrets: ["PAYMENT_TOKEN", TTL_SECRET], functions: 2 },
    });
    const again = await this.up();
    expect(again.outcome).toEqual({ steps: [], failures: [] });
  }

  /** Closed: by the sweep, whatever there is. */
  async clear(): Promise<void> {
    await this.sweep();
    expect(this.branches()).toEqual([]);
    forgetRemoved(this.scenario);
    this.scenario.clock.advance(REST_MS);
    this.engine = new ModelEngine();
  }

  close(): Promise<void> {
    return this.scenario.close();
  }

  private async run(work: (process: MortalProcess) => Promise<Outcome>, death?: Death): Promise<Job> {
    const folder = mkdtempSync(join(tmpdir(), "management-machine-"));
    const processes = simulatedProcesses().next();
    const process = new MortalProcess(this.scenario, { folder, processes, death });
    const outcome = await process.live(() => work(process));
    this.landings.push(...process.late);
    const { isDead, points } = process;
    if (isDead) {
      // The state is as it was at the kill, whatever the dead one's promises still hold.
      this.engine = this.engine.successor();
      void process.close();
    } else await process.close();
    rmSync(folder, { recursive: true, force: true });
    return { points, isDead, outcome: outcome?.result };
  }
}

interface Job {
  readonly points: readonly Point[];
  readonly isDead: boolean;
  readonly outcome: Outcome | undefined;
}

function deathsAt(points: readonly Point[]): Death[] {
  const deaths = points.flatMap(({ what, isWrite }, at): Death[] => {
    if (isWrite) return [{ at }, { at, isUnderWay: true }];
    const isAnswerOfWrite = points[at - 1]?.isWrite === true;
    return IS_LONG || isAnswerOfWrite || /^re(?:turn|cord) of/.test(what) ? [{ at }] : [];
  });
  const step = IS_LONG ? 1 : deaths.length / TRIED;
  return deaths.filter((_, index) => step <= 1 || index % step < 1);
}

/** Tries each death; the failures in words. */
async function tryEach(
  points: readonly Point[],
  life: (jobs: Jobs, death: Death) => Promise<void>,
): Promise<string[]> {
  let jobs = await Jobs.open();
  const failures: string[] = [];
  const deaths = deathsAt(points);
  for (const death of deaths) {
    try {
      await life(jobs, death);
    } catch (error) {
      const how = death.isUnderWay === true ? ", which is under way" : "";
      failures.push(`${death.at}: ${points[death.at]?.what ?? ""}${how}: ${String(error)}`);
      await jobs.close();
      jobs = await Jobs.open();
    }
  }
  await jobs.close();
  process.stdout.write(`${points.length} points, ${deaths.length} kills, ${failures.length} failures\n`);
  return failures;
}

const points: { up: readonly Point[]; destroy: readonly Point[] } = { up: [], destroy: [] };
beforeAll(async () => {
  const jobs = await Jobs.open();
  // What the first life leaves on the service, such as a default branch, the later ones find there.
  for (let life = 0; life < 2; life += 1) {
    const up = await jobs.up();
    expect(up.outcome?.failures).toEqual([]);
    await jobs.requireWhole();
    points.up = up.points;
    points.destroy = (await jobs.destroy()).points;
    expect(jobs.branches()).toEqual([]);
    await jobs.clear();
  }
  await jobs.close();
});

it("an up that dies anywhere is gone on with by a machine without its journal: one branch, nothing on it twice", async () => {
  let over = 0;
  const failures = await tryEach(points.up, async (jobs, death) => {
    // A life in which the service is looked at less often may be over before its last points.
    if (!(await jobs.up(death)).isDead) over += 1;
    await jobs.converge();
    if (death.isUnderWay === true) {
      await jobs.letItLand();
      await jobs.converge();
    }
    await jobs.requireWhole();
    await jobs.clear();
  });
  expect(failures).toEqual([]);
  expect(over).toBeLessThanOrEqual(3);
}, 1_800_000);

it("a destroy that dies anywhere leaves no branch once the sweep has been, nor does an up", async () => {
  const afterDestroy = await tryEach(points.destroy, async (jobs, death) => {
    await jobs.up();
    expect((await jobs.destroy(death)).isDead).toBe(true);
    await jobs.letItLand();
    await jobs.clear();
  });
  const afterUp = await tryEach(points.up, async (jobs, death) => {
    await jobs.up(death);
    await jobs.letItLand();
    await jobs.clear();
  });
  expect([...afterDestroy, ...afterUp]).toEqual([]);
}, 1_800_000);
