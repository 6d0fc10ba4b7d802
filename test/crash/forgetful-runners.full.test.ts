import { join } from "node:path";
import { sweepPreviews, TTL_SECRET } from "../../previews";
import { previewNamed, REPOSITORY } from "../../tools/engine/preview-repository";
import { forgetRemoved } from "../kit/service-changes";
import { tableRows } from "../../tools/fixtures/database-look";
import type { Scenario } from "../kit/scenario";
import { sampleOf } from "../kit/samples";
import { requireSecondRunDoesNothing, requireSuccess, runUntilSettled } from "../kit/checks";
import type { Stack } from "../kit/stack";
import { World } from "../kit/world";
import type { Run } from "../kit/machine";
import type { Declared } from "../kit/model-engine";
import type { Death, Point } from "../kit/mortal-process";

// Runners forget their disk: a job that was killed is followed by one that has the state, and no journal.

/** The long form dies at every point, the other at some of those where the service or the state has just changed, or is about to. */
const IS_LONG = process.env["CRASH_POINTS"] === "long";
/** Kills of each life that the other form tries. */
const TRIED = 12;
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

function deployTo({ emulator }: Scenario, ref: string, slug: string): void {
  const file = [{ name: "index.ts", content: new TextEncoder().encode("export {};") }];
  const body = { metadata: { entrypoint_path: "index.ts" }, file };
  emulator.control.call("deployFunction", { ref, slug, body });
}

/** A service, the stack of one pull request, and jobs on machines that are new each time. */
class Jobs {
  readonly scenario: Scenario;
  readonly parent: string;
  private stack: Stack;

  private constructor(private readonly world: World) {
    this.scenario = world.scenario;
    this.parent = world.project("shop");
    // The branch comes with both: the pull request has deleted the second one.
    for (const slug of ["set-in", "deleted"]) deployTo(this.scenario, this.parent, slug);
    this.stack = this.newStack();
  }

  static async open(): Promise<Jobs> {
    return new Jobs(await World.open({ pace: 0.2 }));
  }

  private newStack(): Stack {
    const stack = this.world.stack("dev", this.world.machine({ isForgetful: true }));
    stack.program = previewOf(this.parent);
    return stack;
  }

  up(death?: Death): Promise<Run> {
    return this.stack.run("up", { death });
  }

  /** What is on the branch goes with it: `deletedWith`. */
  destroy(death?: Death): Promise<Run> {
    for (const name of ["functions", "seed", "migrations", "secrets"]) this.stack.engine.stateDelete(name);
    return this.stack.run("destroy", { death });
  }

  /** Jobs until one succeeds. */
  async converge(): Promise<void> {
    await runUntilSettled(async () => requireSuccess(await this.stack.up()));
  }

  /** What left a machine before its end arrives now. */
  letItLand(): Promise<void> {
    return this.world.rest();
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
      inState: this.stack.engine.idsOf("Branch"),
      notes: notes?.map(({ body }) => body),
      secrets: control
        .call("listSecrets", { ref })
        .map(({ name }) => name)
        .filter((name) => ["PAYMENT_TOKEN", TTL_SECRET].includes(name))
        .sort(),
      functions: control
        .call("listFunctions", { ref })
        .map(({ slug }) => slug)
        .sort(),
    };
    expect(found).toEqual({
      ...{
        branches: [previewNamed(this.parent, 7)],
        inState: [expect.stringContaining(ref)],
        notes: ["seeded"],
      },
      ...{ secrets: ["PAYMENT_TOKEN", TTL_SECRET], functions: ["set-in", "set-out"] },
    });
    await requireSecondRunDoesNothing(this.stack, control);
  }

  /** Closed: by the sweep, whatever there is. */
  async clear(): Promise<void> {
    await this.sweep();
    expect(this.branches()).toEqual([]);
    forgetRemoved(this.scenario);
    await this.world.rest();
    await this.world.leave();
    this.stack = this.newStack();
  }

  close(): Promise<void> {
    return this.world.close();
  }
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
    points.up = up.process.points;
    points.destroy = (await jobs.destroy()).process.points;
    expect(jobs.branches()).toEqual([]);
    await jobs.clear();
  }
  await jobs.close();
});

it("an up that dies anywhere is gone on with by a machine without its journal: one branch, nothing on it twice", async () => {
  let over = 0;
  const failures = await tryEach(points.up, async (jobs, death) => {
    // A life in which the service is looked at less often may be over before its last points.
    if (!(await jobs.up(death)).process.isDead) over += 1;
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
    expect((await jobs.destroy(death)).process.isDead).toBe(true);
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
