import { defineProblem } from "../client/errors/problem";

/** What can go wrong where a script is run. */
export const scriptProblems = {
  standsAlone: defineProblem({
    says: "it cannot run in one transaction with its record, because of `{statement}`: {remedy}",
    means:
      "A script begins or ends a transaction, or has a statement that Postgres runs in none, as `create index concurrently`.",
    remedy: "Set `transaction: false`, or take the statement out",
  }),
  forPsql: defineProblem({
    says: "line {line} has `{statement}`, which only psql understands: {remedy}",
    means:
      "A script has rows of a dump, `copy … from stdin`, or a command of psql, which begins with a backslash.",
    remedy: "Write rows as inserts, as `pg_dump --rows-per-insert=1000` does, and take commands out",
  }),
  undoStandsAlone: defineProblem({
    says: "it cannot run in one transaction with the removal of its record, because of `{statement}`: {remedy}",
    means: "`onDelete` begins or ends a transaction, or has a statement that Postgres runs in none.",
    remedy: "Take the statement out",
  }),
  nothingToRecord: defineProblem({
    says: "a script that only reads leaves nothing: {remedy}",
    means: "`onDelete` or `transaction` is given with `readOnly`.",
    remedy: "Take it out, or `readOnly`",
  }),
  failed: defineProblem({
    says: "The script{place} failed on {ref}: {left}{answer}. {remedy}.",
    means: "The database refused the script.",
    remedy: "Correct it and run again",
  }),
  undoFailed: defineProblem({
    says: "`onDelete`{place} failed on {ref}, so nothing of it was done{answer}. {remedy}.",
    means: "The database refused what was to be run on deletion. The resource stays in the state.",
    remedy: "Correct it with an `up` that keeps the resource, and delete again",
  }),
  unknown: defineProblem({
    says: "Whether the script was run on {ref} is not known: it was sent outside of a transaction and had no answer, or the run that sent it was killed. It is not sent again by itself. {remedy}.",
    means: "With `transaction: false` nothing in the database shows that a script was done.",
    remedy:
      'Look at the database. If it was done, add `adoptId: "{name}"` to the resource; if not, change `triggers`. Then run again',
  }),
  resultLost: defineProblem({
    says: "the script was run on {ref} once, but its answer was lost: it has no `result`. {remedy}.",
    means: "A warning: the record says that the script was done, and nothing says what it returned.",
    remedy: "Where the result is needed, read it by another query",
  }),
  otherRun: defineProblem({
    says: "A script named {name} was run on {ref} by others meanwhile; nothing was done. {remedy}.",
    means: "The database records a run of a script of this name that another program made.",
    remedy: "Give the script another name",
  }),
  otherQuery: defineProblem({
    says: "The database of {ref} records a run named {name} of another query, or one without `adopt`: nothing was done. {remedy}.",
    means: "With `adopt` a recorded run is taken over where its query and `triggers` are the declared ones.",
    remedy:
      'Give the script another name to run it, or take what was run as done with `adoptId: "{name}"`; a preview can be removed and made anew',
  }),
  otherName: defineProblem({
    says: "it has to be the script's name, {name}: {remedy}",
    means: "`adoptId` names another script.",
    remedy: "Correct it, or take it out",
  }),
  closed: defineProblem({
    says: "The service refuses the query endpoint of {ref}{answer}. {remedy}.",
    means: "403: the token lacks a permission.",
    remedy: "Use a token with the permissions `database_read` and `database_write`",
  }),
};
