import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Declared } from "../kit/model-engine";
import type { Death } from "../kit/mortal-process";
import {
  requireExactlyOnce,
  requireSecondRunDoesNothing,
  requireSuccess,
  runUntilSettled,
} from "../kit/checks";
import { Stack } from "../kit/stack";
import { World } from "../kit/world";
import { queried, tableRows } from "../../tools/fixtures/database-look";
import { migrateByTool } from "../../tools/engine/migrate-by-tool";
import type { Scenario } from "../kit/scenario";
import { temporaryFolder } from "../kit/temporary-folder";
import { DATABASES, type BranchRun, type DatabaseName, type MigrationAction } from "./migration-actions";
import type { History } from "./play";
import type { Machine } from "../kit/machine";

/** Longer than a run of a branch, and than any window of the rate limit. */
const REST_MS = 10 * 60_000;

/** The stack of a database's program, whose set is applied by one way or the other. */
class DatabaseStack extends Stack {
  /** Undefined until its program has a set. */
  via: "query" | "migrations" | undefined;

  constructor(
    name: DatabaseName,
    machine: Machine,
    readonly ref: string,
  ) {
    super(name, machine);
  }
}

interface DeclaredRun {
  readonly name: string;
  readonly type: BranchRun;
  adoptId?: string;
}

/** A folder of migrations, a project and its branch whose programs apply it, and others who do so too. */
export class MigrationHistory implements History<MigrationAction> {
  private readonly world: World;
  private readonly folder: string;
  private readonly files = new Map<string, string>();
  private readonly stacks: Readonly<Record<DatabaseName, DatabaseStack>>;
  /** What the program of the branch declares beside its set. */
  private declaredRuns: DeclaredRun[] = [];
  private declaredCount = 0;

  constructor(private readonly scenario: Scenario) {
    const { control } = scenario.emulator;
    control.reset();
    control.set("migrationPartners", null);
    this.world = new World(scenario);
    const machine = this.world.machine();
    this.folder = temporaryFolder("management-migrations-");
    const ref = this.world.project();
    this.stacks = {
      project: new DatabaseStack("project", machine, ref),
      branch: new DatabaseStack("branch", machine, this.world.branch(ref)),
    };
    this.addFile();
  }

  async dispose(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
    await this.world.leave();
  }

  async act(action: MigrationAction): Promise<void> {
    const { control } = this.scenario.emulator;
    switch (action.kind) {
      case "a file is added":
        this.addFile();
        break;
      case "up":
        this.stacks[action.database].via = action.via;
        await this.run(action.database, "up", action.death);
        break;
      case "the platform's tool applies the folder":
        await this.rest();
        await this.applyByTool(this.stacks[action.database].ref);
        break;
      case "a program declares":
        await this.rest();
        await this.declareRun(action.run);
        break;
      case "others begin":
        await this.rest();
        await this.beginByHand(action.run);
        await this.rest();
        break;
      case "fault":
        control.addFault(action.rule);
        break;
      case "time":
        await this.stacks.project.machine.land();
        this.scenario.clock.advance(action.minutes * 60_000);
    }
  }

  /** Faults end, and each program is brought to what it declares: every file applied once to each database. */
  async requireEnd(): Promise<void> {
    this.scenario.emulator.control.clearFaults();
    await this.rest();
    // What a run of the branch brings is there before both are looked at.
    for (const name of ["branch", "project", "branch"] as const) await this.converge(name);
    for (const name of DATABASES) {
      this.stacks[name].program = this.programOf(name);
      await requireSecondRunDoesNothing(this.stacks[name], this.scenario.emulator.control);
      await this.requireAppliedOnce(name);
    }
  }

  /** A first one makes the table that all write to; every second one makes a table, and the others would not show twice. */
  private addFile(): void {
    const count = this.files.size;
    const version = String(20250101000001 + count);
    const log = count === 0 ? "create table log (version text not null);\n" : "";
    const makes = isMaking(count) ? `create table step_${version} ();\n` : "";
    const sql = `${log}${makes}insert into log values ('${version}');\n`;
    this.files.set(version, sql);
    writeFileSync(join(this.folder, `${version}_step.sql`), sql);
  }

  /** Nothing is under way any more. */
  private async rest(): Promise<void> {
    await this.world.rest(REST_MS);
  }

  private async applyByTool(ref: string): Promise<void> {
    const recorded = await this.recordedIn(ref);
    const missing = [...this.files].filter(([version]) => !recorded.has(version));
    const named = missing.map(([version, sql]) => [`${version}_step.sql`, sql] as const);
    await migrateByTool(this.scenario, ref, Object.fromEntries(named));
  }

  private async declareRun(type: BranchRun): Promise<void> {
    // Of a merge the provider looks whether the databases have a file under two versions; of a push its author does, and
    // gives it up where it does not come about at once.
    if (type === "BranchPush" && !(await this.doAgree({ hasAll: true }))) return;
    this.declaredCount += 1;
    const declared = { name: `run-${this.declaredCount}`, type };
    this.declaredRuns.push(declared);
    await this.run("branch", "up");
    if (type !== "BranchPush" || this.stacks.branch.engine.get(declared.name) !== undefined) return;
    await this.rest();
    this.declaredRuns = this.declaredRuns.filter((each) => each !== declared);
  }

  private async beginByHand(run: BranchRun): Promise<void> {
    if (run !== "BranchReset" && !(await this.doAgree())) return;
    const { control } = this.scenario.emulator;
    const operation = (
      { BranchMerge: "mergeBranch", BranchPush: "pushBranch", BranchReset: "resetBranch" } as const
    )[run];
    await control.call(operation, { branch_id_or_ref: this.stacks.branch.ref, body: {} });
  }

  /** What the history of a database calls each file that it has. */
  private async recordedIn(ref: string): Promise<Map<string, string>> {
    const rows = (await tableRows(this.scenario, ref, "svc_migrations.schema_migrations")) ?? [];
    return new Map(
      rows.map(({ version, name }) => {
        const [, ofName] = /^(\d{14})_/.exec(String(name)) ?? [];
        return [ofName ?? String(version), String(version)];
      }),
    );
  }

  /**
   * Whether both histories have each file under one version, as merges and pushes go by the version; `hasAll`: and the branch
   * has all that the project has.
   */
  private async doAgree({ hasAll = false } = {}): Promise<boolean> {
    const project = await this.recordedIn(this.stacks.project.ref);
    const branch = await this.recordedIn(this.stacks.branch.ref);
    return [...project].every(([file, version]) => {
      const own = branch.get(file);
      return own === undefined ? !hasAll : own === version;
    });
  }

  private async run(
    name: DatabaseName,
    operation: "up" | "refresh",
    death?: Death,
  ): Promise<readonly Error[]> {
    const stack = this.stacks[name];
    stack.program = this.programOf(name);
    const { outcome } = await stack.run(operation, { death });
    return outcome?.failures ?? [];
  }

  private programOf(name: DatabaseName): Declared[] {
    const { ref, via } = this.stacks[name];
    const set = {
      name: "set",
      type: "MigrationSet",
      inputs: () => ({ projectRef: ref, directory: this.folder, via }),
    };
    const declared = name === "project" ? [] : this.declaredRuns;
    return [
      ...(via === undefined ? [] : [set]),
      ...declared.map(({ name: resource, type, adoptId }): Declared => {
        const refs = { projectRef: this.stacks.project.ref, branchRef: ref };
        const confirm = type === "BranchReset" ? { confirm: ref } : {};
        const adopt = adoptId === undefined ? {} : { adoptId };
        return { name: resource, type, inputs: () => ({ ...refs, ...confirm, ...adopt }) };
      }),
    ];
  }

  private async converge(name: DatabaseName): Promise<void> {
    this.stacks[name].via ??= "query";
    await runUntilSettled(
      async () => {
        const failures = [...(await this.run(name, "refresh")), ...(await this.run(name, "up"))];
        requireSuccess({ steps: [], failures });
      },
      async (failures) => {
        await this.rest();
        for (const { message } of failures) this.follow(message);
      },
    );
  }

  /** Does what a message advises. */
  private follow(message: string): void {
    // A difference is not wanted, or the versions of both endpoints come in another order than the files: the merge is given up.
    if (/Nothing was merged|failed in the step "migrate"/.test(message))
      this.declaredRuns = this.declaredRuns.filter(({ type }) => type !== "BranchMerge");
    const [, type, adoptId] =
      /outcome of the create at .* created the (\w+) .*`adoptId: "([^"]+)"`/s.exec(message) ?? [];
    const run = this.declaredRuns.findLast((each) => each.type === type);
    if (run !== undefined && adoptId !== undefined) run.adoptId = adoptId;
  }

  /** A branch that was reset has the project's tables without their rows. */
  private async requireAppliedOnce(name: DatabaseName): Promise<void> {
    const { ref } = this.stacks[name];
    const files = [...this.files.keys()];
    const rows = await queried(this.scenario, ref, "select version from log order by 1");
    const applied = rows.map(({ version }) => String(version));
    requireExactlyOnce(`applied to the ${name}`, applied, name === "project" ? files : [...new Set(applied)]);
    const tables = await queried(
      this.scenario,
      ref,
      "select relname from pg_class where relname like 'step\\_%' and relkind = 'r'",
    );
    requireExactlyOnce(
      `tables of the ${name}`,
      tables.map(({ relname }) => relname),
      files.flatMap((version, index) => (isMaking(index) ? [`step_${version}`] : [])),
    );
    requireExactlyOnce(`recorded in the ${name}`, [...(await this.recordedIn(ref)).keys()], files);
  }
}

function isMaking(count: number): boolean {
  return count % 2 === 0;
}
