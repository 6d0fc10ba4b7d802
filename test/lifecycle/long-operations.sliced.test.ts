import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { branchMerge } from "../../provider/actions/branches/branch-merge";
import { branchPush } from "../../provider/actions/branches/branch-push";
import { branchReset } from "../../provider/actions/branches/branch-reset";
import { backupRestore } from "../../provider/actions/database/backup-restore";
import { pitrRestore } from "../../provider/actions/database/pitr-restore";
import { restorePoint } from "../../provider/actions/database/restore-point";
import { sqlScript } from "../../provider/actions/database/sql-script";
import type { FaultRule } from "../../emulator/service/server/faults";
import type { Values } from "../../provider/define/values";
import type { AnyResource } from "../../provider/define/resource";
import { branch } from "../../provider/resources/branches/branch/branch";
import { migrationSet } from "../../provider/resources/database/migration-set/migration-set";
import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
import { functionSet } from "../../provider/resources/functions/function-set/function-set";
import type { OperationName } from "../../spec/table";
import { operations } from "../../spec/table";
import { queried } from "../../tools/fixtures/database-look";
import { fixture as backupSample } from "../../tools/fixtures/database/backup-restore";
import { fixture as pitrSample } from "../../tools/fixtures/database/pitr-restore";
import { asDocumented } from "../../tools/fixtures/documented-service";
import { invoke } from "../functions/invoke";
import { createBranchRef } from "../kit/branch-ref";
import { startScenario, type Scenario } from "../kit/scenario";
import { inTier } from "../kit/tier";

// service, Limits: what is long by nature is sent once and waited for; what a gateway did not wait for is looked for before it is
// sent again.

/** Where the work of one kind is done, again and again. */
interface Bench {
  /** Does it once, under a name of its own. */
  act(n: number): Promise<unknown>;
  /** How often that is done by now. */
  countDone(n: number): Promise<number> | number;
}

/** What becomes of work whose answer never comes. */
interface LongWork {
  readonly operation: OperationName;
  /** What a request of it has in its body, by which others of the same operation are told apart. */
  readonly marker?: (n: number) => string;
  readonly open: (scenario: Scenario, ref: string) => Promise<Bench> | Bench;
  /** Nothing shows whether it was done, so it is never sent again. */
  readonly isUnknowable?: true;
  /** It changes nothing. */
  readonly isRead?: true;
}

const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "long-operations-"));
  folders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const write = (folder: string, path: string, text: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};

const countRows = async (scenario: Scenario, ref: string, from: string): Promise<number> => {
  const [row] = await queried(scenario, ref, `select count(*)::int as count from ${from}`);
  return Number(row?.["count"]);
};

const isThere = (scenario: Scenario, ref: string, n: number): Promise<number> =>
  countRows(scenario, ref, `pg_class where relname = 'work_${n}'`);

/** Files of a set, one for each time. */
const migrations =
  (
    via: "migrations" | "query",
    script: (n: number) => string,
    count: (scenario: Scenario, ref: string, n: number) => Promise<number>,
  ): LongWork["open"] =>
  async (scenario, ref) => {
    const directory = newFolder();
    write(directory, "0001_log.sql", "create table log (n int); create table notes (body text);");
    const sets = scenario.manage(migrationSet);
    let made = await sets.create({ projectRef: ref, directory, via });
    return {
      async act(n) {
        const file = `${n}_work.sql`;
        write(directory, file, script(n));
        made = await sets.update(made, { projectRef: ref, directory, via }).catch((error: unknown) => {
          rmSync(join(directory, file));
          throw error;
        });
      },
      countDone: async (n) => count(scenario, ref, n),
    };
  };

const inserted = (n: number): string => `insert into log values (${n}); select 'marker ${n}';`;
const rowsOf = (scenario: Scenario, ref: string, n: number): Promise<number> =>
  countRows(scenario, ref, `log where n = ${n}`);
const marker = (n: number): string => `marker ${n}`;

const scripts =
  (more: object): LongWork["open"] =>
  async (scenario, ref) => {
    await queried(scenario, ref, "create table log (n int)");
    return {
      act: (n) =>
        scenario.manage(sqlScript).create({
          ...{ projectRef: ref, name: `script-${n}`, ...owned(n), ...more },
          query: `insert into log select ${n} where 'marker ${n}' <> ''`,
        }),
      countDone: (n) => rowsOf(scenario, ref, n),
    };
  };

/** A restore shows only while it is under way. */
const restores =
  (action: AnyResource, sample: typeof backupSample | typeof pitrSample): LongWork["open"] =>
  (scenario, ref) => {
    sample.prepare?.(scenario, ref);
    const restored = () => scenario.emulator.world.state.projects.get(ref)?.activity;
    let began: unknown;
    return {
      act(n) {
        began = restored();
        return scenario.manage(action).create({ ...sample.inputs(ref), triggers: [String(n)], ...owned(n) });
      },
      countDone: () => (restored() === began || restored()?.kind !== "restore" ? 0 : 1),
    };
  };

/** Another resource of the program each time. */
const owned = (n: number): Values => ({ __owner: `acme/app/dev/work-${n}` });

const slugOf = (n: number): string => `work-${n}`;
const versionOf = (scenario: Scenario, ref: string, slug: string): number =>
  scenario.emulator.control.call("listFunctions", { ref }).find((each) => each.slug === slug)?.version ?? 0;

function newBranch({ emulator, clock }: Scenario, ref: string, name: string): string {
  const made = emulator.control.call("createBranch", { ref, body: { branch_name: name } });
  clock.advance(30 * 60_000);
  return made.project_ref;
}

const runs =
  (action: typeof branchMerge | typeof branchPush | typeof branchReset, kind: string): LongWork["open"] =>
  (scenario, projectRef) => {
    createBranchRef(scenario, projectRef);
    const begun = (): number =>
      [...scenario.emulator.world.state.branches.values()]
        .flatMap((each) => each.runs)
        .filter((run) => run.kind === kind).length;
    let before = 0;
    return {
      async act(n) {
        const branchRef = newBranch(scenario, projectRef, `work-${n}`);
        before = begun();
        await scenario
          .manage(action)
          .create({ projectRef, branchRef, ...owned(n), ...(kind === "reset" && { confirm: branchRef }) });
      },
      countDone: () => begun() - before,
    };
  };

const WORK: Readonly<Record<string, LongWork>> = {
  "a migration by the query endpoint": {
    ...{ operation: "runQuery", marker, open: migrations("query", inserted, rowsOf) },
  },
  "a migration by its own endpoint": {
    ...{ operation: "applyMigration", marker, open: migrations("migrations", inserted, rowsOf) },
  },
  "a migration of several transactions": {
    operation: "runQuery",
    marker: () => "'transactions:2'",
    open: migrations(
      "query",
      (n) =>
        `begin; select 'first ${n}'; commit; begin; insert into log values (${n}); select 'second ${n}'; commit;`,
      rowsOf,
    ),
  },
  "an index that is built outside of a transaction": {
    operation: "runQuery",
    marker: (n) => `"query":"create index concurrently work_${n} `,
    open: migrations("query", (n) => `create index concurrently work_${n} on log (n);`, isThere),
  },
  "a statement outside of a transaction that nothing shows": {
    operation: "runQuery",
    marker: (n) => `"query":"drop index concurrently work_${n};`,
    isUnknowable: true,
    open: async (scenario, ref) => {
      const life = await migrations(
        "query",
        (n) => `drop index concurrently work_${n};`,
        async (...place) => 1 - (await isThere(...place)),
      )(scenario, ref);
      return {
        ...life,
        async act(n) {
          await queried(scenario, ref, `create index work_${n} on log (n)`);
          return life.act(n);
        },
      };
    },
  },
  "a script": { operation: "runQuery", marker, open: scripts({}) },
  "a script outside of a transaction": {
    ...{ operation: "runQuery", marker, open: scripts({ transaction: false }), isUnknowable: true },
  },
  "the first deploy of a function": {
    operation: "deployFunction",
    open: (scenario, ref) => ({
      act: (n) =>
        scenario.manage(edgeFunction).create({
          ...{ projectRef: ref, slug: slugOf(n), ...owned(n), files: { "index.ts": `export default ${n};` } },
        }),
      countDone: (n) => versionOf(scenario, ref, slugOf(n)),
    }),
  },
  "a later deploy of a function": {
    operation: "deployFunction",
    async open(scenario, ref) {
      const functions = scenario.manage(edgeFunction);
      const inputs = (n: number) => ({
        ...{ projectRef: ref, slug: "work", files: { "index.ts": `export default ${n};` } },
      });
      let made = await functions.create(inputs(0));
      let before = 1;
      return {
        async act(n) {
          before = versionOf(scenario, ref, "work");
          made = await functions.update(made, inputs(n));
        },
        countDone: () => versionOf(scenario, ref, "work") - before,
      };
    },
  },
  "a deploy of a folder": {
    operation: "deployFunction",
    open: (scenario, ref) => ({
      act(n) {
        const sourceDir = newFolder();
        write(sourceDir, `${slugOf(n)}/index.ts`, `export default ${n};`);
        return scenario.manage(functionSet).create({ projectRef: ref, sourceDir, ...owned(n) });
      },
      countDone: (n) => versionOf(scenario, ref, slugOf(n)),
    }),
  },
  "a merge": { operation: "mergeBranch", open: runs(branchMerge, "merge") },
  "a push": { operation: "pushBranch", open: runs(branchPush, "push") },
  "a reset": { operation: "resetBranch", open: runs(branchReset, "reset") },
  "a new branch": {
    operation: "createBranch",
    open: (scenario, projectRef) => ({
      act: (n) => scenario.manage(branch).create({ projectRef, name: `work-${n}`, ...owned(n) }),
      countDone: (n) =>
        [...scenario.emulator.world.state.branches.values()].filter(({ name }) => name === `work-${n}`)
          .length,
    }),
  },
  "a new branch with a disk size": {
    operation: "createBranchWithDisk",
    open: (scenario, projectRef) => ({
      act: (n) =>
        scenario.manage(branch).create({ projectRef, name: `work-${n}`, diskSizeGb: 20, ...owned(n) }),
      countDone: (n) =>
        [...scenario.emulator.world.state.branches.values()].filter(({ name }) => name === `work-${n}`)
          .length,
    }),
  },
  "a restore of a backup": {
    operation: "restoreBackup",
    isUnknowable: true,
    open: restores(backupRestore, backupSample),
  },
  "a restore to a time": {
    operation: "restorePitr",
    isUnknowable: true,
    open: restores(pitrRestore, pitrSample),
  },
  "a restore point": {
    operation: "createRestorePoint",
    open(scenario, projectRef) {
      scenario.emulator.control.edit(asDocumented);
      return {
        act: (n) => scenario.manage(restorePoint).create({ projectRef, name: `work-${n}`, ...owned(n) }),
        countDone: (n) =>
          [
            ...(scenario.emulator.world.state.projects.get(projectRef)?.newer.restorePoints.values() ?? []),
          ].filter(({ name }) => name === `work-${n}`).length,
      };
    },
  },
  "the difference of a branch": {
    operation: "diffBranch",
    isRead: true,
    open(scenario, projectRef) {
      const branchRef = createBranchRef(scenario, projectRef);
      return { act: () => invoke(scenario, "getBranchDiff", { branchRef }), countDone: () => 1 };
    },
  },
  "a query that reads": {
    operation: "runReadOnlyQuery",
    isRead: true,
    open: (scenario, projectRef) => ({
      act: () => invoke(scenario, "getQueryResult", { projectRef, query: "select 1 as one" }),
      countDone: () => 1,
    }),
  },
};

const DISTURBED: Readonly<Record<string, Omit<FaultRule, "operation">>> = {
  "takes 45 s": { takesMs: 45_000 },
  "takes 200 s": { takesMs: 200_000 },
  ...Object.fromEntries(
    [504, 522, 524, 0].flatMap((status) =>
      [45_000, 200_000].flatMap((takesMs) => {
        const gateway = { afterMs: 30_000, status };
        const who = status === 0 ? "is cut off" : `is given up with ${status}`;
        const after = `${who} after 30 s and goes on to ${takesMs / 1_000} s`;
        return [
          [after, { takesMs, gateway }],
          [`${after}, where it fails`, { takesMs, gateway, status: 500 }],
        ];
      }),
    ),
  ),
  "is cut off before it arrives": { drop: "before" },
  "is cut off when it is done": { drop: "after" },
};

const QUICK_WORK = /^(?:a migration by the query endpoint|a script|the first deploy of a function|a merge)$/;
const SLOWER = /200 s|522|524/;

const CASES = Object.entries(WORK).flatMap(([what, work]) => {
  const disturbed = inTier(Object.entries(DISTURBED), ([how]) => QUICK_WORK.test(what) && !SLOWER.test(how));
  return disturbed.length === 0 ? [] : [{ what, work, disturbed }];
});

describe.each(CASES)("$what", ({ work, disturbed }) => {
  let scenario: Scenario;
  let ref: string;
  let bench: Bench;
  let n = 1_010;

  beforeAll(async () => {
    scenario = await startScenario({ isProxied: true });
    ref = scenario.healthyProject();
    bench = await work.open(scenario, ref);
  });
  afterAll(() => scenario.close());

  const sent = () =>
    scenario.proxy.requests.filter(({ operation, body }) => {
      const text = body.toString("utf8");
      const isLook = text.includes("pg_stat_activity");
      return (
        operation === work.operation &&
        !isLook &&
        (work.marker === undefined || text.includes(work.marker(n)))
      );
    }).length;

  /** How many requests of the operation come before the one that is meant. */
  let skip = 0;
  beforeAll(async () => {
    n += 1;
    const { marker: text } = work;
    const before = scenario.proxy.requests.length;
    await bench.act(n);
    const all = scenario.proxy.requests.slice(before).filter(({ operation }) => operation === work.operation);
    skip = text === undefined ? 0 : all.findIndex(({ body }) => body.toString("utf8").includes(text(n)));
    expect(await bench.countDone(n)).toBe(1);
  });

  it.each(disturbed)("that %s is sent once, or again where it surely came to nothing", async (_how, rule) => {
    n += 1;
    scenario.nextRun();
    scenario.clock.advance(10 * 60_000);
    const { progress } = scenario;
    progress.length = 0;
    const before = sent();
    scenario.emulator.control.addFault({ ...rule, operation: work.operation, skip });
    const failure = await bench.act(n).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    expect([failure, scenario.emulator.control.pendingFaults()]).toEqual([failure, []]);
    const isLost = rule.gateway !== undefined || rule.drop !== undefined;
    const isDone = rule.status === undefined && rule.drop !== "before";
    const requests = sent() - before;
    if (!isLost) expect([failure, requests]).toEqual([undefined, 1]);
    else if (work.isRead === true && rule.gateway !== undefined) {
      expect(failure).toContain("failed");
      expect(requests).toBe(1);
    } else if (work.isUnknowable === true) {
      expect(requests).toBe(1);
    } else expect([failure, requests]).toEqual([undefined, isDone && work.isRead !== true ? 1 : 2]);
    const isUndone = work.isUnknowable === true && !isDone;
    expect(await bench.countDone(n)).toBe(isUndone ? 0 : 1);
    if (rule.takesMs !== undefined && rule.gateway === undefined)
      for (const seconds of [10, 30])
        expect(progress.join("\n")).toContain(`${work.operation}: waiting for the answer for ${seconds} s`);
  });
});

it("is maintenance that a gateway gave up on: sent once, as it was seen to its end, which a warning says", async () => {
  const scenario = await startScenario({ isProxied: true });
  try {
    const ref = scenario.healthyProject();
    const vacuum = (n: number): string => `vacuum log; -- marker ${n}`;
    const bench = await migrations("query", vacuum, () => Promise.resolve(1))(scenario, ref);
    const ofVacuum =
      (n: number) =>
      (body: string): boolean =>
        body.includes(marker(n)) && !body.includes("pg_stat_activity");
    const bodies = (): string[] =>
      scenario.proxy.requests
        .filter(({ operation }) => operation === "runQuery")
        .map(({ body }) => body.toString("utf8"));
    const began = bodies().length;
    await bench.act(10);
    const skip = bodies().slice(began).findIndex(ofVacuum(10));
    scenario.nextRun();
    const gateway = { afterMs: 30_000, status: 504 };
    scenario.emulator.control.addFault({ operation: "runQuery", skip, takesMs: 200_000, gateway });
    await bench.act(11);
    expect(bodies().filter(ofVacuum(11))).toHaveLength(1);
    expect(scenario.warnings).toEqual([expect.stringContaining("11_work.sql (`vacuum log`) had no answer")]);
  } finally {
    await scenario.close();
  }
});

it("is what the table of operations says", () => {
  const long = Object.entries(operations).flatMap(([name, { isLong }]) => (isLong ? [name] : []));
  const tried = new Set<string>(Object.values(WORK).map(({ operation }) => operation));
  // The older way of a deploy and of a rollback, and what only the console offers.
  const others = ["createFunction", "restoreBranch", "rollbackMigrations", "undoToRestorePoint"];
  expect(long.filter((name) => !tried.has(name)).sort()).toEqual(others);
});
