import { defineProblem } from "../../../client/errors/problem";
import { migrationProblems } from "../shared/migration-problems";

const { changed, renamed, laterOfOthers, failed, rollbackFailed, notRecorded } = migrationProblems;
const { closed, queryClosed, standsAlone, schemaStays } = migrationProblems;
const { rowsForPsql, psqlCommand, ownTransaction, rollbackAlone, rollbackByEndpoint } = migrationProblems;
const { aloneFailed, maybeDone, leftInvalid } = migrationProblems;
const { twoHistories, otherHistory, noBaseline, unseenTables, othersDiffer } = migrationProblems;

export const problems = {
  changed,
  renamed,
  laterOfOthers,
  failed,
  rollbackFailed,
  notRecorded,
  closed,
  queryClosed,
  rowsForPsql,
  psqlCommand,
  ownTransaction,
  standsAlone,
  rollbackAlone,
  rollbackByEndpoint,
  aloneFailed,
  maybeDone,
  leftInvalid,
  schemaStays,
  twoHistories,
  otherHistory,
  noBaseline,
  unseenTables,
  othersDiffer,
  versionStays: defineProblem({
    says: "{file} was applied to {ref}, and its version stays: {remedy}",
    means: "A migration that was applied has another version now. It is never applied twice.",
    remedy: "Restore the version, and give what is new a `Migration` of its own",
  }),
  nothingToRollBack: defineProblem({
    says: "`rollbackOnDelete` needs a `rollback`: {remedy}",
    means: "A delete is to take the migration back, and nothing says how.",
    remedy: "Give one, or leave `rollbackOnDelete` out",
  }),
};
