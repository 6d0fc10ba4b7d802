import { defineProblem } from "../../../client/errors/problem";

/** What can go wrong where migrations are applied. */
export const migrationProblems = {
  changed: defineProblem({
    says: "{file} was applied to {ref} with different content: {remedy}",
    means:
      "The SQL of an applied migration has changed. Blanks, comments, empty statements, the case of words and a transaction around all statements do not count.",
    remedy:
      'Restore the applied content, and make the change in a new migration. If the database has the new content already, set `accept: ["{version}"]`: the file counts as applied and does not run',
  }),
  renamed: defineProblem({
    says: "{file} was applied to {ref} as `{name}`: {remedy}",
    means: "The name of an applied migration has changed.",
    remedy:
      'Restore the name, or give a new migration its own version. If it is the same migration, set `accept: ["{version}"]`: it counts as applied and does not run',
  }),
  removed: defineProblem({
    says: "{file} was applied to {ref} and no longer exists: {remedy}",
    means: "An applied migration is missing.",
    remedy: "Restore it. To undo it, add a new migration, or set `rollbackTo` of a `MigrationSet`",
  }),
  slippedIn: defineProblem({
    says: "{file} comes before {latest}, which was already applied to {ref}: {remedy}",
    means: "The version of a new migration is lower than that of an applied one.",
    remedy: "Give it a version after the latest, or set `outOfOrder: true` to apply it late",
  }),
  otherVersion: defineProblem({
    says: "{file} was not applied: others applied `{name}` to {ref} as version {rowVersion}, {why}. Nothing was applied. {remedy}.",
    means:
      "The history has a row with the name of a pending migration and no migration's version. It counts as the migration only if its content is the same and its version is not before the migration's, both with 14 digits.",
    remedy:
      'If it is the same migration, {rename}set `accept: ["{version}"]`: then it counts as applied and does not run. If it is another one, give the file another name',
  }),
  countsAsApplied: defineProblem({
    says: "{file} counts as applied to {ref} and does not run: others applied `{name}` as version {rowVersion}, with the same content. {remedy}.",
    means:
      "Warning. The history has the name and content of a migration under a later version, as the migrations endpoint records it.",
    remedy: "To have one version everywhere, give the file the version {rowVersion}",
  }),
  countsAsRenamed: defineProblem({
    says: "{file} counts as applied to {ref} and does not run: it was applied as version {rowVersion}, with the same name and content. {remedy}.",
    means:
      "Warning. An applied file got another version, for example that of its row in another database. The row keeps the version under which the file was applied.",
    remedy: "Leave the file as it is",
  }),
  mayCount: defineProblem({
    says: "the history of {ref} has `{name}` as version {rowVersion}, and {file} has the same name. {remedy}.",
    means: "Note of a preview. The state does not have the content of the row.",
    remedy:
      "The update compares the content: if it is the same, the file counts as applied; otherwise nothing is applied",
  }),
  severalTransactions: defineProblem({
    says: "{file} has {count} transactions. If one fails, those before it stay, and the file is not recorded as applied. {remedy}.",
    means: "Warning. A pending file has several `begin` and `commit`, so it cannot run in one transaction.",
    remedy:
      "The next run continues with the transaction that failed. To have all or nothing, put each into its own file",
  }),
  partFailed: defineProblem({
    says: "{file}{place} failed on {ref}{answer}. Its earlier transactions and earlier migrations stay applied, and the file is not recorded as applied. {remedy}.",
    means: "The database rejected one of several transactions of a migration.",
    remedy:
      "Correct the transaction that failed, leave those before it as they are, and run again. The run continues with it",
  }),
  partlyApplied: defineProblem({
    says: "{file} was changed after {done} of its transactions had been applied to {ref}. Nothing was applied. {remedy}.",
    means: "A run applied some of the transactions of a migration, and these have changed since.",
    remedy:
      "Restore them. If the database no longer has their changes, run `delete from {marks} where version = '{version}'` and run again: the file then runs from its beginning",
  }),
  noRollback: defineProblem({
    says: "{file} cannot be rolled back on {ref}, because it has no rollback: {remedy}",
    means: "`rollbackTo` requires the rollback of a migration that has none.",
    remedy: "Add its rollback as `rollbacks/<version>_<name>.sql`, or add a new migration that undoes it",
  }),
  laterOfOthers: defineProblem({
    says: "Nothing was rolled back on {ref}: {names}, which this program does not have, was applied later. {remedy}.",
    means: "The rollback would include a migration of another program.",
    remedy: "Add these migrations to the program, or undo the change with a new migration",
  }),
  failed: defineProblem({
    says: "{file}{place} failed on {ref} and was rolled back{answer}. Earlier migrations stay applied. {remedy}.",
    means: "The database rejected a migration. The state has the migrations before it.",
    remedy: "Correct it and run again. The run continues with this file",
  }),
  rollbackFailed: defineProblem({
    says: "{files} could not be rolled back on {ref}{answer}. {remedy}.",
    means: "The service or the database rejected a rollback.",
    remedy: "Correct the rollback or keep the migration, then run again",
  }),
  notRecorded: defineProblem({
    says: "The service accepted {file} but does not list it among the migrations of {ref}. {remedy}.",
    means: "The history lacks a migration that the service reported as applied.",
    remedy: "Check whether the database has its changes before you run again",
  }),
  closed: defineProblem({
    says: "The service denied access to the migrations endpoint of {ref}{answer}: it is available to selected OAuth applications, and on some plans to personal tokens. {remedy}.",
    means:
      "The service answered 403: the plan or the application may not use the endpoint, or the token lacks a permission.",
    remedy:
      "Omit `via` to apply migrations through the query endpoint, or use a token with the permissions `database_migrations_read` and `database_migrations_write`",
  }),
  queryClosed: defineProblem({
    says: "The service denied access to the query endpoint of {ref}{answer}. {remedy}.",
    means: "The service answered 403: the token lacks a permission for the query endpoint.",
    remedy:
      'Use a token with the permissions `database_read` and `database_write`. With a token of a selected OAuth application, set `via: "migrations"`, which needs these permissions only for statements outside a transaction',
  }),
  rowsForPsql: defineProblem({
    says: "{file}, line {line}, has `{statement}`, whose rows only psql can send: {remedy}",
    means: "A file has `copy … from stdin`, as in a dump. The platform's own tool cannot apply it either.",
    remedy: "Write the rows as inserts, as `pg_dump --rows-per-insert=1000` does",
  }),
  psqlCommand: defineProblem({
    says: "{file}, line {line}, has `{statement}`, a command that only psql understands: {remedy}",
    means:
      "A file has a backslash outside of literals and comments. Only the lines `\\restrict` and `\\unrestrict` of a dump are ignored.",
    remedy: "Write it in SQL, or remove it",
  }),
  ownTransaction: defineProblem({
    says: "{file}, line {line}, has `{statement}`, which does not pair into transactions: {remedy}",
    means:
      "SQL has a statement about transactions other than a plain `begin` and its `commit`, such as `rollback`, `savepoint` or `begin isolation level`, or only one of the two.",
    remedy: "Remove it, or write `begin` and `commit` around what is one transaction",
  }),
  standsAlone: defineProblem({
    says: "{file}, line {line}, has `{statement}`, which cannot run in a transaction or beside other statements: {remedy}",
    means:
      "A statement that cannot run in a transaction, such as `create index concurrently`, is not alone in its file.",
    remedy: "Move it to its own file",
  }),
  neverClosed: defineProblem({
    says: "{file}, line {line}, has `{statement}`, in which a quote, a comment or a parenthesis is never closed: {remedy}",
    means: "The last statement of SQL ends within a literal, a comment or a parenthesis.",
    remedy: "Close it",
  }),
  rollbackInParts: defineProblem({
    says: "{file} has several transactions, but a rollback runs in one: {remedy}",
    means: "A rollback has several `begin` and `commit`.",
    remedy: "Remove them",
  }),
  rollbackAlone: defineProblem({
    says: "{file}, line {line}, cannot be repeated after a killed run, because `{statement}` cannot run in a transaction: {remedy}",
    means: "A rollback has a statement that cannot run in a transaction and fails when it is repeated.",
    remedy: "Add `if exists`, or omit `concurrently`",
  }),
  rollbackByEndpoint: defineProblem({
    says: "{file}, line {line}, has `{statement}`, which cannot run in a transaction, but the migrations endpoint rolls back in one: {remedy}",
    means: 'With `via: "migrations"`, a rollback has a statement that cannot run in a transaction.',
    remedy: "Omit `concurrently`, or omit `via` to roll back through the query endpoint",
  }),
  unanswered: defineProblem({
    says: "{what} had no answer on {ref}, and nothing shows that it was applied. Earlier migrations stay applied. {remedy}. {error}",
    means:
      "A gateway or the connection failed while a migration ran, and the deadline has passed or the service failed several times. The database was looked at before each attempt.",
    remedy:
      "Run again: the run looks at the history first, and does not repeat what it has. If SQL takes longer than the deadline, raise `timeouts`",
  }),
  needsWebhooks: defineProblem({
    says: "The schema `{schema}` comes with the database webhooks of the project: {remedy}.",
    means: "A migration uses the platform's schema of webhooks, which is not there before they are enabled.",
    remedy:
      "Add a `DatabaseWebhooks` resource, and name it in `dependsOn` of the migrations. In a `PreviewEnvironment`, set `databaseWebhooks: true`",
  }),
  needsRole: defineProblem({
    says: "No migration before it has created the role `{role}`: {remedy}.",
    means: "A migration names a role that the database does not have. Roles are not copied to branches.",
    remedy:
      "Create the role in an earlier migration, or in a `SqlScript` that the migrations name in `dependsOn`. In a `PreviewEnvironment`, create it in a file of `setup`",
  }),
  aloneFailed: defineProblem({
    says: "{file}{place} failed on {ref} outside a transaction{answer} and is not recorded as applied. Earlier migrations stay applied. {remedy}.",
    means:
      "The database rejected a statement that cannot run in a transaction. The next run drops an invalid index that it left.",
    remedy: "Correct it and run again. The run continues with this file",
  }),
  maybeDone: defineProblem({
    says: "Whether {file} was applied to {ref} is unknown: it runs outside a transaction, and it had no answer or its run was killed. The provider does not repeat it. {remedy}.",
    means: "The database does not show whether a statement outside a transaction was executed.",
    remedy:
      "Check the database. If the statement was executed, undo it or make it repeatable (`if exists`). Then, in both cases, run `delete from {marks} where version = '{version}'` and run again",
  }),
  endUnseen: defineProblem({
    says: "{what} had no answer. The database was seen at work on it until it ended, so it counts as applied. {remedy}.",
    means:
      "Warning. A gateway did not wait for `vacuum`, `cluster` or `reindex`. It changes no schema and no data, and it would take as long again.",
    remedy: "If it must have succeeded, run the statement again by hand",
  }),
  leftInvalid: defineProblem({
    says: "{file} was not recorded as applied: the index `{index}` on {ref} is invalid. Another session began to build it, and Postgres skips an existing name. {remedy}.",
    means:
      "`create index concurrently if not exists` found an invalid index from a failed build of another session.",
    remedy: "Run `drop index concurrently {name}`, unless someone is building it, then run again",
  }),
  twoHistories: defineProblem({
    says: "{ref} has two tables of the same history, {tables}, and which one is valid is unknown. Nothing was changed. {remedy}.",
    means: "The database has the history table, or one of this provider's tables beside it, in two schemas.",
    remedy:
      "Set the schema that the service uses in the names file (`schemas`, `svc_migrations`). The other table then stays as it is, and none of its rows counts",
  }),
  otherHistory: defineProblem({
    says: 'The names file has "{named}" as the schema of the migration history, but {ref} has it in "{found}". Nothing was changed. {remedy}.',
    means: "The migration history is in another schema than the names file says.",
    remedy: "Correct `svc_migrations` in `schemas` of the names file",
  }),
  noBaseline: defineProblem({
    says: "{ref} has tables ({tables}) but {history}, so which of {files} it already has is unknown. Nothing was applied. {remedy}.",
    means:
      "The database was built without these migrations, for example in a dashboard, or its history was lost or is that of others. Applying all files could repeat changes.",
    remedy:
      'Set `baseline` to the version of the last migration that the database has, to `"all"` or to `"none"`. These migrations are recorded as applied without running',
  }),
  baselineWithoutEffect: defineProblem({
    says: "`baseline` has no effect on {files}, because the history of {ref} has other files of this program. Nothing was applied. {remedy}.",
    means:
      "`baseline` covers pending files, but it applies only to a database whose history has none of the program's files.",
    remedy:
      "If the database does not have their changes, remove `baseline` to run them. If it has them, first record them as applied with the platform's own tool",
  }),
  unseenTables: defineProblem({
    says: "{ref} has no migration history of these files, and the token may not check whether it has tables, so which files it already has is unknown. Nothing was applied. {remedy}.",
    means:
      'With `via: "migrations"`, the query endpoint answered 403, so the provider cannot check whether a database without a history is empty.',
    remedy:
      'Give the token the permission `database_read`, or set `baseline: "none"` if the database is empty',
  }),
  othersDiffer: defineProblem({
    says: "{ref} has other versions of {files}, applied by others. They count as applied and are not applied again. {remedy}.",
    means:
      "Warning. A row of the history from another tool has another text or name than the file of the same version.",
    remedy: "If the difference matters, add a new migration",
  }),
  appliedByOthers: defineProblem({
    says: "{names} was applied to {ref} by others, and this program does not have it. {remedy}.",
    means:
      "Warning. The history has migrations that the program does not have. A refresh shows them as drift.",
    remedy:
      "To have it in every database, add it to the program as `<version>_<name>.sql` with the version and the SQL that the history has. It does not run again on {ref}",
  }),
  schemaStays: defineProblem({
    says: "the schema of {ref} and its migration history stay. The resource was only removed from Pulumi's state. {remedy}.",
    means: "Warning. Deleting the resource leaves the schema.",
    remedy:
      "To undo migrations, set `rollbackTo` before you delete the resource. If its project or branch is deleted with it, set the resource option `deletedWith` to that",
  }),
};

/** What is said of a single `Migration` only. */
export const singleMigrationProblems = {
  countsAlone: defineProblem({
    says: "{file} counts as applied to {ref} and does not run: others applied `{name}` as version {rowVersion}, with the same content. {remedy}.",
    means:
      "Warning. The history has the name and content of the migration under a later version, as the migrations endpoint records it.",
    remedy: "Leave its version as it is",
  }),
};
