import { z } from "zod";
import { ApiError, InvalidInputError } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import { fingerprint, requireConfirmed } from "../../define/consent";
import type { Context } from "../../define/context";
import { replaces } from "../../define/markers";
import { readDifference, trimStatement } from "../../resources/branches/shared/branch-diff";
import { hashStatements } from "../../resources/database/shared/migration-history";
import { splitScript, type SqlStatement } from "../../resources/database/shared/sql";
import {
  branchInputs,
  createRunSteps,
  migrationVersion,
  type RunStarter,
  type BranchActionBody,
} from "./shared/branch-run";
import { readBrought, type MigrationRow, type TransferInputs } from "./shared/consent";
import { writeOnce } from "../../waiting/write-once";
import { defineAction, everyAction } from "../define-action";

interface MergeInputs extends TransferInputs {
  readonly recordDifference?: boolean | undefined;
}

const merging = createRunSteps<MergeInputs>(sendMerge, {
  isRunOf: "project",
  isDone: hasNothingToBring,
  end: warnOfStaying,
});

const consentProblems = {
  notConsented: defineProblem({
    says: "Merging the branch {branchRef} may change or delete objects of {ref} and their data: {why}. Nothing was merged{given}. {remedy}.\nThe difference, with the fingerprint {fingerprint}:\n{diff}",
    means:
      "The schemas of branch and project differ by a statement that drops something and is not in a migration of the merge, or by something that cannot be read. Or `recordDifference` is set, which merges the whole difference.",
    remedy:
      "Write a migration for the change on the branch. Or, if you accept the difference, set `confirm` to its fingerprint",
  }),
  migrationsFirst: defineProblem({
    says: "recordDifference: the branch {branchRef} has migrations that {ref} lacks or that cannot be seen ({versions}), and the difference contains what they do. Nothing was merged. {remedy}.",
    means:
      "`recordDifference` is set, and the branch has migrations to merge. As a migration of its own, the difference would do the same once more.",
    remedy: "First merge the migrations without `recordDifference`. Then merge the rest with it",
  }),
  recordStays: defineProblem({
    says: "The service refused the merge ({answer}). Nothing was merged, but the difference is still recorded on the branch {branchRef} as the migration {name}. {remedy}.",
    means:
      "With `recordDifference`, the service refused the merge, and the row of the difference could not be removed.",
    remedy: "Run again: the merge then uses this row",
  }),
  staysOnBranch: defineProblem({
    says: "{count} statements of the difference stay on the branch {branchRef}, because a merge carries migrations only: {statements}. {remedy}.",
    means:
      "Warning. After the merge, the schemas of branch and project still differ: no migration of the merge has these statements.",
    remedy:
      "Write a migration for what the project should have, or merge the whole difference with `recordDifference`",
  }),
};

/** Merges a branch into its project. */
export const branchMerge = defineAction({
  type: "BranchMerge",
  description:
    "Merges a branch into its parent project: its migrations, as rows of its history, and its functions. Other differences of its schema stay on the branch, and a warning lists them. If such a difference drops something, creation fails, shows the difference and asks for `confirm`. A merge deletes no function. If the project has network restrictions, they must allow `2600:1f18:2b7d:f600::/56`, from which the service connects. Creation waits for the action run. If the run fails, the error quotes the end of its log.",
  inputs: z.strictObject({
    ...branchInputs,
    migrationVersion: migrationVersion("Version of the last migration to merge. Default: all."),
    confirm: fingerprint(
      "a difference",
      "Consent to the difference that the error shows: its fingerprint. If the difference changes, creation asks again.",
    ),
    recordDifference: replaces(
      z
        .boolean()
        .describe(
          "Whether to merge the whole difference of the schemas, as the service's console does: it is recorded on the branch as the migration `branch_merge_<time>`, without the statements that the service puts into every difference. Requires `confirm`, and that the branch has no migrations that the project lacks. Default: `false`.",
        ),
    ).optional(),
    ...everyAction,
  }),
  ...merging,
  check({ recordDifference, migrationVersion: upTo }) {
    const isBoth = recordDifference === true && upTo !== undefined;
    const reason = "the difference is merged as a whole: remove `migrationVersion`";
    return isBoth ? { failures: [{ path: "recordDifference", reason }] } : {};
  },
  problems: { ...merging.problems, ...consentProblems },
});

async function sendMerge(
  ctx: Context,
  merge: MergeInputs,
  body: BranchActionBody,
  begin: RunStarter,
): Promise<string> {
  const { branchRef } = merge;
  const difference = await requireConsent(ctx, merge);
  const send = (): Promise<string> =>
    begin((once) => once.api.mergeBranch({ branch_id_or_ref: branchRef, body }));
  if (difference === undefined) return send();
  const name = `branch_merge_${new Date(ctx.clock.now()).toISOString().replaceAll(/\D/g, "").slice(0, 14)}`;
  const { api } = ctx.within({ ...ctx, sendsOnce: true });
  // A second row would run the difference again.
  await writeOnce(ctx, {
    send: () => api.upsertMigration({ ref: branchRef, body: { query: difference, name } }).then(() => true),
    findResult: async () => {
      const rows = await ctx.api.listMigrations({ ref: branchRef });
      return rows.some((row) => row.name === name) ? true : undefined;
    },
    isPatient: true,
  });
  try {
    return await send();
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    if (isRefused) await removeRow(ctx, branchRef, name, error.serviceMessage);
    throw error;
  }
}

/** The newest row only: the service rolls back all that come after a version. */
async function removeRow(ctx: Context, branchRef: string, name: string, answer: string): Promise<void> {
  try {
    const newest = (await ctx.api.listMigrations({ ref: branchRef })).at(-1);
    if (newest?.name !== name) throw new Error("it is not the newest migration");
    await ctx.api.rollbackMigrations({ ref: branchRef, gte: newest.version });
  } catch {
    throw new Error(consentProblems.recordStays.message({ branchRef, name, answer }));
  }
}

/** What stays on the branch, once the migrations are on the project; a merge that has happened does not fail for want of it. */
async function warnOfStaying(ctx: Context, { branchRef }: MergeInputs): Promise<void> {
  const diff = await ctx.api.diffBranch({ branch_id_or_ref: branchRef }).catch(() => "");
  const { statements: staying } = readDifference(diff);
  if (staying.length === 0) return;
  const lines = staying
    .slice(0, SHOWN_STATEMENTS)
    .map((each) => `\`${formatFirstLine(trimStatement(each))}\``);
  const statements = [...lines, ...(staying.length > lines.length ? ["…"] : [])].join("; ");
  ctx.warn(consentProblems.staysOnBranch.message({ count: staying.length, branchRef, statements }));
}

const SHOWN_STATEMENTS = 5;

/**
 * Refuses a merge whose effect on the project no migration tells, unless the program names the very difference. Returns the
 * SQL that is to be recorded as a migration, if any is.
 */
async function requireConsent(ctx: Context, merge: MergeInputs): Promise<string | undefined> {
  const { projectRef: ref, branchRef, confirm } = merge;
  const diff = await ctx.api.diffBranch({ branch_id_or_ref: branchRef });
  const brought = await readBroughtByMerge(ctx, merge);
  // Where it cannot be seen which migrations the merge brings, none of them explains anything.
  const { migrations, ...own } = brought ?? { migrations: [], reasons: [], shown: [] };
  const { sql, statements: difference } = readDifference(diff);
  const whole = difference.map((each) => `${trimStatement(each)};\n`).join("");
  const isRecorded = merge.recordDifference === true && difference.length > 0;
  const isThere =
    migrations.length === 1 && migrations.every(([, row]) => hashStatements(row) === hashStatements([whole]));
  if (isRecorded && !isThere && (brought === undefined || migrations.length > 0)) {
    const versions = brought === undefined ? "not known" : migrations.map(([version]) => version).join(", ");
    throw new InvalidInputError(
      "recordDifference",
      consentProblems.migrationsFirst.message({ ref, branchRef, versions }),
    );
  }
  const reasons = isRecorded
    ? ["`recordDifference` merges the whole difference"]
    : [...listUnexplained(difference, collectStatements(migrations)), ...own.reasons];
  const result = isRecorded && !isThere ? whole : undefined;
  if (reasons.length === 0) return result;
  const shown = [sql.trimEnd(), ...own.shown].join("\n");
  const given = confirm === undefined ? "" : `, because \`confirm\` belongs to another difference`;
  const why = reasons.join("; ");
  requireConfirmed(shown, confirm, (fingerprint) =>
    consentProblems.notConsented.message({
      ref,
      branchRef,
      why,
      given,
      fingerprint,
      diff: shortenDiff(shown),
    }),
  );
  return result;
}

function readBroughtByMerge(
  ctx: Context,
  { projectRef, branchRef, migrationVersion }: MergeInputs,
): ReturnType<typeof readBrought> {
  return readBrought(ctx, {
    from: { ref: branchRef, word: "branch" },
    to: { ref: projectRef, word: "project" },
    by: "merge",
    upTo: migrationVersion,
  });
}

/**
 * Whether the project has every migration and function that a merge brings. A difference that was recorded for a refused merge has been
 * taken back, so that one is sent again.
 */
async function hasNothingToBring(ctx: Context, merge: MergeInputs): Promise<boolean> {
  if (merge.recordDifference === true) return false;
  const brought = await readBroughtByMerge(ctx, merge);
  if (brought === undefined || brought.migrations.length > 0) return false;
  const [own, there] = await Promise.all(
    [merge.branchRef, merge.projectRef].map((ref) => ctx.api.listFunctions({ ref }).catch(() => undefined)),
  );
  const checksums = new Map(there?.map(({ slug, ezbr_sha256: checksum }) => [slug, checksum]));
  const isThere = own?.every(({ slug, ezbr_sha256: checksum }) => {
    return checksum != null && checksums.get(slug) === checksum;
  });
  return there !== undefined && isThere === true;
}

/** A longer difference is shown in part; `getBranchDiff` answers the whole of it. */
const SHOWN_CHARACTERS = 20_000;

function shortenDiff(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS)}\n… and ${text.length - SHOWN_CHARACTERS} more characters, which getBranchDiff shows`;
}

function collectStatements(migrations: readonly MigrationRow[]): Set<string> {
  return new Set(
    migrations.flatMap(([, texts]) => texts.flatMap((text) => splitScript(text).map(trimStatement))),
  );
}

/** What of a difference may take something from the project and stands in none of these statements. */
function listUnexplained(statements: readonly SqlStatement[], brought: ReadonlySet<string>): string[] {
  const made = new Set(statements.flatMap((statement) => matchCreatedName(statement) ?? []));
  return statements.flatMap((statement) => {
    if (!statement.isWhole) return ["the difference cannot be read completely"];
    if (isHarmless(statement) || isOfCreated(statement, made) || brought.has(trimStatement(statement)))
      return [];
    return [`no migration of the branch has \`${formatFirstLine(trimStatement(statement))}\``];
  });
}

/** Nothing is lost by these: what no migration has stays on the branch. */
const HARMLESS =
  /^(?:create (?!or replace)|create or replace (?:function|procedure|trigger|view)|comment on|grant|revoke|set|begin|commit|start transaction|select pg_catalog set_config)\b/;

function isHarmless({ words }: SqlStatement): boolean {
  return HARMLESS.test(words) || (words.startsWith("alter ") && !/\bdrop\b/.test(words));
}

const MAKES = /^create (?:unlogged )?(table|sequence|type|schema|view|materialized view) +([^\s(;]+)/i;

function matchCreatedName(statement: SqlStatement): string | undefined {
  return matchStatement(MAKES, statement);
}

const ALTERS = /^alter (table|sequence|type|schema|view|materialized view) +(?:only +)?([^\s(;]+)/i;

/** It alters what the very difference makes. */
function isOfCreated(statement: SqlStatement, made: ReadonlySet<string>): boolean {
  const key = matchStatement(ALTERS, statement);
  return key !== undefined && made.has(key);
}

function matchStatement(rule: RegExp, statement: SqlStatement): string | undefined {
  const [, kind, name] = rule.exec(trimStatement(statement)) ?? [];
  // A name in quotes may hold anything.
  if (kind === undefined || name === undefined || name.includes('"') || name === "if") return undefined;
  return `${kind} ${name}`.toLowerCase();
}

function formatFirstLine(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
