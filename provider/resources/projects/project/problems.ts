import { defineProblem } from "../../../client/errors/problem";
import { realtimeProblems, restProblems } from "../../../define/problems";

export const problems = {
  ...restProblems,
  ...realtimeProblems,
  noPassword: defineProblem({
    says: "No project has the name {name}, and `dbPass` is missing for a new one. Nothing was created. {remedy}.",
    means: "`adopt: true` found nothing, and `dbPass` is missing.",
    remedy: "Correct the name, or declare `dbPass` to create the project",
  }),
  pausedUndeclared: defineProblem({
    says: "The project {ref} is paused (INACTIVE), but the program does not declare it. {remedy}.",
    means: "The project is paused, so it cannot be used or changed.",
    remedy: "Declare `paused: false` to restore it, or `paused: true` to keep it paused",
  }),
  notWhilePaused: defineProblem({
    says: "{path}: the project {ref} is paused and does not accept this change. {remedy}.",
    means: "Password, compute size and version can change only while the project is active.",
    remedy: "Declare `paused: false` for this run. Pause it again afterwards",
  }),
  onPaidPlan: defineProblem({
    says: "The project {ref} was not paused: only projects on the free plan can be paused (the service says: {answer}). {remedy}.",
    means: "`paused: true` is declared for a project on a paid plan.",
    remedy: "Remove `paused: true` from the program, or move the project to an organization on the free plan",
  }),
  pausedAgain: defineProblem({
    says: "Restoring the project {ref} failed: the service has paused it again (INACTIVE). {remedy}.",
    means: "After a failed restore, the project is `INACTIVE` again.",
    remedy: "Run again. If it fails again, ask the service's support",
  }),
  notUpgradable: defineProblem({
    says: "The project {ref} was not upgraded to Postgres {wanted}: {why}. {remedy}.",
    means:
      "The service does not offer the version, or something blocks the upgrade. Other changes of the same update may have been made.",
    remedy: "Resolve this, then run again",
  }),
  noWayBack: defineProblem({
    says: "postgresVersion: the project {ref} runs Postgres {running} and cannot be downgraded to {wanted}. {remedy}.",
    means: "The declared major version is lower than the running one.",
    remedy: "Declare the running version or a later one, or create a new project and move the data",
  }),
};
