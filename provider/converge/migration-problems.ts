import { defineProblem } from "../client/problem";

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
    remedy: "Add its `.down.sql` beside it, or add a new migration that undoes it",
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
      'Set `via: "query"`, which applies migrations through the query endpoint, or use a token of such an application with the permissions `database_migrations_read` and `database_migrations_write`',
  }),
  queryClosed: defineProblem({
    says: "The service refuses the query endpoint of {ref}{answer}. {remedy}.",
    means: '403: with `via: "query"` the token lacks a permission.',
    remedy:
      "Use a token with the permissions `database_read` and `database_write`, or, with one of a selected OAuth application, leave `via` out",
  }),
  standsAlone: defineProblem({
    says: "{file} cannot run in one transaction with its row of the history, because of `{statement}`: {remedy}",
    means:
      'With `via: "query"` a migration begins or ends a transaction, or has a statement that Postgres runs in none, as `create index concurrently`.',
    remedy: "Take the statement out; what cannot run in a transaction is for another tool",
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
