import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { InvalidInputError, isAmbiguous } from "../../client/errors/errors";
import type { Context, ProgramView } from "../../define/context";
import { createOnly, derivedFrom, local, replaces, stable } from "../../define/markers";
import { requireProjectRef } from "../../define/require-project-ref";
import type { CheckFailure, CheckResult } from "../../define/resource";
import { projectRef } from "../../define/shared-inputs";
import { checkQuery, checkScriptText, checkUndo } from "../../resources/database/shared/script-failures";
import { readSqlFile } from "../../resources/database/shared/sql-file";
import { defineAction, everyAction, ranAt, createRunOutput } from "../define-action";
import {
  isForgotten,
  findRecordWhenReady,
  recordAsDone,
  runOnce,
  runReadOnly,
  scriptProblems as problems,
  undoScript,
  type ScriptRunRecord,
  type ScriptRun,
} from "./shared/script-runs";

const inputs = z.strictObject({
  projectRef,
  name: replaces(
    z
      .string()
      .min(1)
      .describe(
        "Name of the script, unique in the database. The database records under this name that the script has run.",
      ),
  ),
  query: replaces(
    z
      .string()
      .describe(
        "SQL of the script: statements, or nothing. It runs in one transaction; if it has several of its own, each runs as one, with a warning.",
      ),
  ),
  sourceFile: local(
    z
      .string()
      .min(1)
      .describe("File that `query` was read from, as messages name it. The provider does not read it."),
  ).optional(),
  onDelete: local(
    z
      .string()
      .min(1)
      .describe(
        "SQL that undoes the script. It runs in one transaction when the resource is deleted, and before the next run when it is replaced. If it changes together with `query`, the new one undoes the former run. It does not run if the script's record is gone, for example after a restore of the database.",
      ),
  ).optional(),
  readOnly: replaces(
    z
      .boolean()
      .describe(
        "Whether to run the script as a read-only role. All names must then be qualified with their schema, and the run is not recorded. Default: `false`.",
      ),
  ).optional(),
  transaction: replaces(
    z
      .boolean()
      .describe(
        "Whether to run the script in one transaction. Set `false` for a single statement that cannot run in a transaction, such as `create index concurrently`. If such a script is interrupted, its outcome is unknown, and the next run stops and asks. Default: `true`.",
      ),
  ).optional(),
  adopt: createOnly(
    z
      .boolean()
      .describe(
        "Whether to take over a recorded run of the same query under this name instead of failing. Use it on machines with an ephemeral disk. `result` is missing then. A recorded run of another query is still an error. Default: `false`.",
      ),
  ).optional(),
  ...everyAction,
});

const outputs = z.object({
  result: derivedFrom(
    stable(
      z
        .array(z.record(z.string(), z.unknown()).describe("Values by column."))
        .describe(
          "Rows of the last statement that returns any. They are secret if `query` is. Otherwise the state stores them in plain text, unless the resource option `additionalSecretOutputs` names `result`. Absent if the answer was lost.",
        ),
    ),
    "query",
  ).optional(),
  ranAt,
});

/** Distinguishes a run from another one of a script of the same name. */
const runBookkeeping = z.object({ __run: z.string().optional() });

/** Runs SQL once. */
export const sqlScript = defineAction({
  type: "SqlScript",
  description:
    "Runs SQL on the database of a project or branch once. The script's transaction also writes a row to the table `management_scripts`, beside the migration history, so an interrupted run is neither lost nor repeated. If a refresh finds that the row is gone, for example after a restore or a reset, the next `pulumi up` runs the script again. For schema changes, use `MigrationSet`.",
  inputs,
  outputs,
  bookkeeping: runBookkeeping,
  timeouts: { create: 1_800, update: 1_800, delete: 1_800 },
  target: "projectRef",
  uniqueBy: ["name"],
  isRepeatable: true,
  problems,
  deletesFirst: ({ onDelete }) => onDelete !== undefined,
  adoption:
    'If the database records a run under this name, creation fails and nothing runs. `adopt: true` takes over a recorded run of the same query, if `adopt` was also set for that run. `adoptId: "<name>"` accepts the recorded run, whatever its query. Both apply only on creation.',

  check: (declared, _, before) => checkScript(declared, before),

  async find(ctx, declared) {
    const recorded = await findOwnRecord(ctx, declared);
    if (recorded === undefined) return [];
    return [{ id: declared.name, label: `run ${recorded.finishedAt ?? "with an unknown outcome"}` }];
  },

  async run(ctx, declared) {
    const { projectRef: ref, name, query, readOnly, transaction, sourceFile: label } = declared;
    if (readOnly === true)
      return {
        id: name,
        outputs: { ...createRunOutput(ctx), result: await runReadOnly(ctx, { ref, query, label }) },
      };
    // Whoever goes on with it sends this very run, which is done once.
    const own = { __run: readRunId(ctx.ledger.kept) ?? createRunId(declared) };
    ctx.ledger.keep(name, own);
    try {
      const result = await runOnce(ctx, { ref, name, run: own.__run, query, label }, transaction);
      return { id: name, outputs: { ...createRunOutput(ctx), ...own, result } };
    } catch (error) {
      if (!isAmbiguous(error)) throw error;
      ctx.progress("the script had no answer: checking whether it has run");
      return { id: name, outputs: { ...own, ranAt: undefined } };
    }
  },

  // Without `ranAt` it is not known yet whether it was done.
  async settle(ctx, { id: name, inputs: declared, state }) {
    const { projectRef: ref, query, transaction, readOnly, adoptId, sourceFile: label } = declared;
    const { ranAt: knownAt, result } = state;
    const run = readRunId(state) ?? readRunId(ctx.ledger.kept) ?? createRunId(declared);
    const own = { __run: run };
    // Of a script that only read, the database has no record, whatever the program declares of it later.
    if (readOnly === true) return { inputs: {}, outputs: { ranAt: knownAt, result } };
    if (knownAt !== undefined) return { inputs: {}, outputs: { ...own, ranAt: knownAt, result } };
    const recorded = await findRecordWhenReady(ctx, { ref, name });
    if (adoptId !== undefined)
      return { inputs: {}, outputs: await acceptAsDone(ctx, { ref, name, run }, recorded) };
    if (recorded === undefined) {
      const rows = await runOnce(ctx, { ref, name, run, query, label }, transaction);
      return { inputs: {}, outputs: { ...own, ...createRunOutput(ctx), result: rows } };
    }
    if (recorded.run !== run) throw new Error(problems.otherRun.message({ ref, name }));
    if (recorded.finishedAt === undefined) throw new Error(problems.unknown.message({ ref, name }));
    ctx.warn(problems.resultLost.message({ ref }));
    return { inputs: {}, outputs: { ...own, ranAt: recorded.finishedAt } };
  },

  undoing: {
    says: "Deleting the resource runs `onDelete` if it is set. Otherwise it undoes nothing.",

    async undo(ctx, { id: name, state }) {
      const run = readRunId(state) ?? readRunId(ctx.ledger.kept);
      if (run === undefined) return;
      await undoScript(ctx, {
        ref: requireProjectRef(state),
        name,
        run,
        query: chooseUndo(state, ctx.program.successor),
      });
    },

    async isUndone(ctx, { id: name, state }) {
      const run = readRunId(state);
      if (state.ranAt === undefined || run === undefined) return false;
      return isForgotten(ctx, { ref: requireProjectRef(state), name, run });
    },
  },
});

/** What is declared of a script; unknown fields are absent. */
export interface DeclaredScript {
  readonly projectRef?: string | undefined;
  readonly name?: string | undefined;
  readonly query?: string | undefined;
  readonly sourceFile?: string | undefined;
  readonly onDelete?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly transaction?: boolean | undefined;
  readonly triggers?: unknown;
  readonly adoptId?: string | undefined;
}

function checkScript(
  declared: DeclaredScript,
  before?: ProgramView["successor"],
): Required<Pick<CheckResult<never>, "failures" | "warnings">> {
  const { query = "", onDelete, readOnly, sourceFile: file } = declared;
  const script = readSqlFile(query);
  const failures = [
    ...(readOnly === true
      ? [...listUnrecordedInputs(declared), ...checkScriptText("query", script, file)]
      : [...checkQuery(declared), ...checkUndo(onDelete)]),
    ...checkName(declared),
  ];
  const { length } = script.transactions;
  const isInParts = readOnly !== true && length > 1 && failures.length === 0;
  const told = { file: file ?? "the script", count: String(length) };
  const warnings = isInParts ? [problems.severalTransactions.message(told)] : [];
  return { failures, warnings: [...warnings, ...warnOfOtherUndo(declared, before)] };
}

function listUnrecordedInputs({ onDelete, transaction }: DeclaredScript): CheckFailure[] {
  const reason = problems.nothingToRecord.message();
  return Object.entries({ onDelete, transaction }).flatMap(([path, given]) =>
    given === undefined ? [] : [{ path, reason }],
  );
}

function checkName({ name, adoptId }: DeclaredScript): CheckFailure[] {
  if (name === undefined || adoptId === undefined || adoptId === name) return [];
  return [{ path: "adoptId", reason: problems.otherName.message({ name }) }];
}

/** What undoes a run: what is declared by now, where the same script runs again and had something to undo it. */
function chooseUndo(
  { onDelete, ...state }: Partial<z.output<typeof inputs>>,
  successor: ProgramView["successor"],
): string | undefined {
  const isSame = state.name === successor?.["name"] && state.projectRef === successor?.["projectRef"];
  const corrected = successor?.["onDelete"];
  return onDelete !== undefined && isSame && typeof corrected === "string" ? corrected : onDelete;
}

/** The inputs of which a change runs the script again. */
const RUNS_AGAIN = ["query", "triggers", "transaction", "readOnly"] as const;

/** Says what undoes the former run where what undoes it changes together with what runs. */
function warnOfOtherUndo(declared: DeclaredScript, before: ProgramView["successor"]): string[] {
  const { name, projectRef: ref, onDelete } = declared;
  const isCorrected =
    onDelete !== undefined && typeof before?.["onDelete"] === "string" && before["onDelete"] !== onDelete;
  if (!isCorrected || before["name"] !== name || before["projectRef"] !== ref) return [];
  const isRunAgain = RUNS_AGAIN.some(
    (each) => JSON.stringify(before[each]) !== JSON.stringify(declared[each]),
  );
  return isRunAgain ? [problems.undoneByDeclared.message()] : [];
}

/** What distinguishes runs of a script that may be adopted. */
interface ScriptIdentity {
  readonly name: string;
  readonly query: string;
  readonly triggers?: unknown;
  readonly adopt?: boolean | undefined;
}

/** One that may be adopted is known by its query: a machine that has forgotten it finds the same. */
function createRunId({ adopt, name, query, triggers }: ScriptIdentity): string {
  if (adopt !== true) return randomUUID();
  const hash = createHash("sha256").update(JSON.stringify([name, query, triggers ?? null]));
  return hash.digest("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

/** The run that a state, or what a run that died kept, names. */
function readRunId(values: object): string | undefined {
  return runBookkeeping.catch({}).parse(values).__run;
}

/** What the database records under the name of a script that is to be run; refuses what `adopt` cannot take for its own. */
async function findOwnRecord(
  ctx: Context,
  {
    projectRef: ref,
    readOnly,
    ...script
  }: ScriptIdentity & { projectRef: string; readOnly?: boolean | undefined },
): Promise<ScriptRunRecord | undefined> {
  const { name, adopt } = script;
  if (readOnly === true) return undefined;
  const recorded = await findRecordWhenReady(ctx, { ref, name });
  if (adopt === true && recorded !== undefined && recorded.run !== createRunId(script))
    throw new InvalidInputError("adopt", problems.otherQuery.message({ ref, name }));
  return recorded;
}

/** Takes a script as done, whatever the database records of it; returns what the state keeps. */
async function acceptAsDone(ctx: Context, script: ScriptRun, recorded: ScriptRunRecord | undefined) {
  if (recorded?.finishedAt === undefined) await recordAsDone(ctx, script);
  return { __run: recorded?.run ?? script.run, ranAt: recorded?.finishedAt };
}
