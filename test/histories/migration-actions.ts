import fc from "fast-check";
import type { FaultRule } from "../../emulator";
import { deathOfProcess, describeDeath, faultOf } from "./actions";
import type { Death } from "../kit/mortal-process";

/** The databases of a history: a project's, and that of its branch. */
export const DATABASES = ["project", "branch"] as const;
export type DatabaseName = (typeof DATABASES)[number];

export const BRANCH_RUNS = ["BranchMerge", "BranchPush", "BranchReset"] as const;
export type BranchRun = (typeof BRANCH_RUNS)[number];

/** One thing that happens to a folder of migrations and the databases that have them. */
export type MigrationAction =
  | { readonly kind: "a file is added" }
  | {
      readonly kind: "up";
      readonly database: DatabaseName;
      readonly via: "query" | "migrations";
      readonly death?: Death | undefined;
    }
  | { readonly kind: "the platform's tool applies the folder"; readonly database: DatabaseName }
  | { readonly kind: "a program declares"; readonly run: BranchRun }
  | { readonly kind: "others begin"; readonly run: BranchRun }
  | { readonly kind: "fault"; readonly rule: FaultRule }
  | { readonly kind: "time"; readonly minutes: number };

const database = fc.constantFrom(...DATABASES);
const run = fc.constantFrom(...BRANCH_RUNS);

export const migrationAction: fc.Arbitrary<MigrationAction> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: "a file is added" as const }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("up" as const),
      database,
      via: fc.constantFrom("query" as const, "migrations" as const),
      death: deathOfProcess,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("the platform's tool applies the folder" as const), database }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("a program declares" as const), run }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("others begin" as const), run }) },
  {
    weight: 3,
    arbitrary: faultOf([
      "runQuery",
      "runReadOnlyQuery",
      "listMigrations",
      "applyMigration",
      "mergeBranch",
      "pushBranch",
      "resetBranch",
      "listActionRuns",
      "getActionRun",
    ]).map((rule) => ({ kind: "fault" as const, rule })),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("time" as const), minutes: fc.nat(60) }) },
);

/** As a line of a report. */
export function describeMigrationAction(action: MigrationAction): string {
  switch (action.kind) {
    case "up":
      return `up of the ${action.database} via ${action.via}${describeDeath(action.death)}`;
    case "the platform's tool applies the folder":
      return `${action.kind} to the ${action.database}`;
    case "a program declares":
    case "others begin":
      return `${action.kind} a ${action.run}`;
    case "fault":
      return `a fault: ${JSON.stringify(action.rule)}`;
    case "time":
      return `${action.minutes} minutes pass`;
    case "a file is added":
      return action.kind;
  }
}
