import { defineProblem } from "../../../client/errors/problem";
import { migrationProblems } from "../shared/migration-problems";

export const problems = {
  ...migrationProblems,
  unreadable: defineProblem({
    says: "{path} cannot be read: {why}",
    means: "The folder or one of its files is not there, or no UTF-8 text.",
    remedy: "Correct the path, which is relative to the program's folder",
  }),
  misnamed: defineProblem({
    says: "{file} is no migration by its name: {remedy}",
    means: "A file of SQL in the folder would never be applied.",
    remedy: "Call it `<version>_<name>.sql`, with a version of digits, or move it elsewhere",
  }),
  sameVersion: defineProblem({
    says: "{file} has the version of {other}: {remedy}",
    means: "Two files have one version.",
    remedy: "Give the later one a version of its own",
  }),
  empty: defineProblem({
    says: "{file} is empty: {remedy}",
    means: "A file has no SQL.",
    remedy: "Write the migration, or remove the file",
  }),
  emptied: defineProblem({
    says: "{directory} has no migration any more: {remedy}",
    means: "A folder that had migrations has none: a build may have failed, or the path be another one.",
    remedy:
      "Correct the path or put the files back. What was applied stays; to manage it no longer, take the resource out",
  }),
  downAlone: defineProblem({
    says: "{file} takes nothing back: {remedy}",
    means: "A rollback has no migration.",
    remedy: "Add the migration of the same version and name, or remove it",
  }),
  twoRollbacks: defineProblem({
    says: "{file} has two rollbacks, {first} and {second}: {remedy}",
    means: "A migration has a `.down.sql` beside it and a file in `rollbacks`.",
    remedy: "Remove one of them",
  }),
  appliedByTool: defineProblem({
    says: "the platform's own tool would apply {files} as a migration. {remedy}.",
    means:
      "A warning: a `.down.sql` beside a migration is a rollback here, and a migration of the same version for the tool that reads the same folder.",
    remedy:
      "Move each rollback to `rollbacks/<version>_<name>.sql` in the folder of the migrations, where the tool does not look; nothing is applied again for that",
  }),
  noSuchVersion: defineProblem({
    says: "no file has the version {version}: {remedy}",
    means: "`rollbackTo` names a version that the folder does not have.",
    remedy: "Name the version of a file, or `0` to take all back",
  }),
  noSuchBaseline: defineProblem({
    says: "no file has the version {version}: {remedy}",
    means: "`baseline` names a version that the folder does not have.",
    remedy: "Name the version of a file, `all` or `none`",
  }),
  changedMeanwhile: defineProblem({
    says: "{directory} changed after the preview, so nothing was applied. {remedy}.",
    means: "The files are no longer those that the preview showed.",
    remedy: "Run again",
  }),
};
