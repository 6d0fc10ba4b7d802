import { defineProblem } from "../../../client/errors/problem";

/** What can go wrong where migrations are applied. */
export const migrationProblems = {
  changed: defineProblem({
    says: "{file} was applied to {ref} with other content: {remedy}",
    means: "A migration that was applied has other SQL now. It is never applied twice.",
    remedy: "Restore the content that was applied, and make the change in a new migration",
  }),
  renamed: defineProblem({
    says: "{file} was applied to {ref} as `{name}`: {remedy}",
    means: "A migration that was applied has another name now.",
    remedy: "Give it the name back, or give what is new a version of its own",
  }),
  removed: defineProblem({
    says: "{file} was applied to {ref} and is not there any more: {remedy}",
    means: "A migration that was applied is missing.",
    remedy: "Put it back; to undo what it did, add a new migration, or set `rollbackTo`",
  }),
  slippedIn: defineProblem({
    says: "{file} was not applied to {ref}, and comes before {latest}, which was: {remedy}",
    means: "A new migration has a version before one that was applied.",
    remedy: "Give it a version after the latest",
  }),
  noRollback: defineProblem({
    says: "{file} cannot be taken back from {ref}, as nothing says how: {remedy}",
    means: "`rollbackTo` wants a migration to be taken back that has no rollback.",
    remedy: "Add its rollback, `rollbacks/<version>_<name>.sql`, or add a new migration that undoes it",
  }),
  laterOfOthers: defineProblem({
    says: "Nothing was taken back from {ref}: {names}, which this program does not have, was applied after what is to be taken back. {remedy}.",
    means: "A rollback would take back what others applied as well.",
    remedy: "Add these migrations to the program, or undo by a new migration",
  }),
  failed: defineProblem({
    says: "{file}{place} failed, so nothing of it was applied to {ref}; what came before it stays applied{answer}. {remedy}.",
    means: "The database refused a migration. The state has what was applied before it.",
    remedy: "Correct it and run again; the run goes on with it",
  }),
  rollbackFailed: defineProblem({
    says: "{files} could not be taken back from {ref}{answer}. {remedy}.",
    means: "The service or the database refused a rollback.",
    remedy: "Correct the rollback that the answer quotes, or leave the migration applied, and run again",
  }),
  notRecorded: defineProblem({
    says: "The service took {file} and does not list it among the migrations of {ref}. {remedy}.",
    means: "The history lacks a migration that the service reported as applied.",
    remedy: "Look whether its effects are there before you run again",
  }),
  closed: defineProblem({
    says: "The service refuses the migrations endpoint of {ref}{answer}: it is open to selected OAuth applications only. {remedy}.",
    means: "403: the token is not of such an application, or lacks a permission.",
    remedy:
      "Leave `via` out, which applies migrations through the query endpoint, or use a token of such an application with the permissions `database_migrations_read` and `database_migrations_write`",
  }),
  queryClosed: defineProblem({
    says: "The service refuses the query endpoint of {ref}{answer}. {remedy}.",
    means: "403: the token lacks a permission that the query endpoint needs.",
    remedy:
      'Use a token with the permissions `database_read` and `database_write`. With a token of a selected OAuth application, set `via: "migrations"`, which needs them only for statements outside a transaction',
  }),
  rowsForPsql: defineProblem({
    says: "{file}, line {line}, has rows that only psql sends, with `{statement}`: {remedy}",
    means:
      "A file has `copy … from stdin`, as a dump has it. The platform's own tool cannot apply it either.",
    remedy: "Write the rows as inserts, as `pg_dump --rows-per-insert=1000` does",
  }),
  psqlCommand: defineProblem({
    says: "{file}, line {line}, has `{statement}`, a command that only psql understands: {remedy}",
    means:
      "A file has a backslash outside of texts and comments. Only the lines `\\restrict` and `\\unrestrict` of a dump are passed over.",
    remedy: "Say it in SQL, or take it out",
  }),
  ownTransaction: defineProblem({
    says: "{file}, line {line}, has `{statement}`, and runs in one transaction: {remedy}",
    means:
      "A migration begins or ends a transaction otherwise than by `begin` and `commit` around the whole of it.",
    remedy: "Take it out, and put what has to be committed first into a file before it",
  }),
  standsAlone: defineProblem({
    says: "{file}, line {line}, has `{statement}`, which runs in no transaction, beside other statements or within `begin` and `commit`: {remedy}",
    means:
      "A statement that Postgres runs in no transaction, as `create index concurrently`, is not alone in its file.",
    remedy: "Put it into a file that has nothing else",
  }),
  rollbackAlone: defineProblem({
    says: "{file}, line {line}, cannot be repeated, and `{statement}` runs in no transaction, so a run that is killed after it could not go on: {remedy}",
    means: "A rollback has a statement that runs in no transaction and fails where it was done.",
    remedy: "Give it `if exists`, or leave `concurrently` out",
  }),
  rollbackByEndpoint: defineProblem({
    says: "{file}, line {line}, has `{statement}`, which runs in no transaction, and the migrations endpoint rolls back in one: {remedy}",
    means: 'With `via: "migrations"` a rollback has a statement that runs in no transaction.',
    remedy: "Leave `concurrently` out, or leave `via` out, which rolls back by the query endpoint",
  }),
  aloneFailed: defineProblem({
    says: "{file}{place} failed on {ref}, outside of a transaction, and is not recorded; what came before it stays applied{answer}. {remedy}.",
    means:
      "The database refused a statement that runs in no transaction. An index that it began and left invalid is dropped by the next run.",
    remedy: "Correct it and run again; the run goes on with it",
  }),
  maybeDone: defineProblem({
    says: "Whether {file} was done on {ref} is not known: it runs in no transaction, and had no answer, or the run that sent it was killed. It is not sent again by itself. {remedy}.",
    means: "Nothing in the database shows whether a statement that runs in no transaction was done.",
    remedy:
      "Look at the database. If it was done, undo it, or write the statement so that it may be repeated (`if exists`); then, and if it was not done, run `delete from {marks} where version = '{version}'`, and run again",
  }),
  leftInvalid: defineProblem({
    says: "{file} left `{index}` invalid on {ref}, so it is not recorded: others have begun that index, and Postgres passes over it for its name. {remedy}.",
    means:
      "`create index concurrently if not exists` found an index that a failed build of others left behind.",
    remedy: "Run `drop index concurrently {name}`, unless somebody is building it, and run again",
  }),
  twoHistories: defineProblem({
    says: "{ref} has two tables of one history, {tables}, and nothing says which one counts. Nothing was changed. {remedy}.",
    means: "The database has the table of the history, or one of this provider's beside it, in two schemas.",
    remedy:
      "Name the schema that the service uses in the names file (`schemas`, `svc_migrations`), or move the rows of the other table into it and drop that one",
  }),
  otherHistory: defineProblem({
    says: 'The names file calls the schema of the history "{named}", and {ref} has the history in "{found}". Nothing was changed. {remedy}.',
    means: "The history of the database is in another schema than the names file says.",
    remedy: "Correct `svc_migrations` in `schemas` of the names file",
  }),
  noBaseline: defineProblem({
    says: "{ref} has tables, as {tables}, and no history of migrations: which of {files} are in it already is not known. Nothing was applied. {remedy}.",
    means:
      "The database was built without migrations, as in a dashboard, or its history was lost. Applying all files could repeat what was done.",
    remedy:
      'Set `baseline` to the version of the last migration that the database has, to `"all"` or to `"none"`; what it covers is recorded as applied, and not run',
  }),
  unseenTables: defineProblem({
    says: "{ref} has no history of migrations, and the token may not look whether it has tables: what of the files is in it already is not known. Nothing was applied. {remedy}.",
    means:
      '403 of the query endpoint, with `via: "migrations"`: whether a database without a history is empty cannot be seen.',
    remedy:
      'Give the token the permission `database_read`, or set `baseline: "none"` if the database is empty',
  }),
  othersDiffer: defineProblem({
    says: "others applied to {ref}, by the same versions, what differs from {files}: by the version it counts as applied, and nothing of it is applied again. {remedy}.",
    means:
      "A warning: a row of the history that others wrote, as the service's tool, has another text or name than the file of its version.",
    remedy: "Where the difference matters, bring it to the database by a new migration",
  }),
  appliedByOthers: defineProblem({
    says: "{names} of {ref} was applied by others, and this program does not have it. {remedy}.",
    means: "A warning: the history has migrations that the program lacks. A refresh shows them as drift.",
    remedy: "Add it to the program, so that every database gets it",
  }),
  schemaStays: defineProblem({
    says: "what the migrations did to {ref} stays, as does its history: only Pulumi's record of them is removed. {remedy}.",
    means: "A warning: deleting the resource leaves the schema.",
    remedy: "To undo migrations, set `rollbackTo` before you delete the resource",
  }),
};
