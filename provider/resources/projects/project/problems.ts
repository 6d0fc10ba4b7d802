import { defineProblem } from "../../../client/errors/problem";
import { realtimeProblems, restProblems } from "../../../define/problems";

export const problems = {
  ...restProblems,
  ...realtimeProblems,
  noPassword: defineProblem({
    says: "There is no project called {name} to adopt, and a new one is made with a password, which is not declared. Nothing was created. {remedy}.",
    means: "`adopt: true` found nothing, and `dbPass` is missing.",
    remedy: "Correct the name, or declare `dbPass` to make the project",
  }),
  pausedUndeclared: defineProblem({
    says: "The project {ref} is paused (INACTIVE), which is not declared. {remedy}.",
    means: "The project is paused, so it cannot be used or changed.",
    remedy: "Declare `paused: false` to have it restored, or `paused: true` to leave it so",
  }),
  notWhilePaused: defineProblem({
    says: "{path}: the project {ref} is paused, and a paused project does not take this change. {remedy}.",
    means: "Password, size and version change only while the project is active.",
    remedy: "Declare `paused: false` for this run; it can be paused again afterwards",
  }),
  onPaidPlan: defineProblem({
    says: "The project {ref} was not paused: the service pauses projects of the free plan only (it says: {answer}). {remedy}.",
    means: "`paused: true` is declared for a project of a paid organization.",
    remedy: "Take `paused: true` out of the program, or move the project to an organization on the free plan",
  }),
  pausedAgain: defineProblem({
    says: "Restoring the project {ref} failed: the service has paused it again (INACTIVE). {remedy}.",
    means: "After a failed restore the project is `INACTIVE` again.",
    remedy: "Run again to try once more; if it fails again, ask the service's support",
  }),
  notUpgradable: defineProblem({
    says: "The project {ref} cannot be upgraded to Postgres {wanted}: {why}. {remedy}; it was not upgraded.",
    means:
      "The service does not offer the version or reports what blocks the upgrade. Other changes of the same step may have been made.",
    remedy: "Resolve this, then run again",
  }),
  noWayBack: defineProblem({
    says: "postgresVersion: the project {ref} runs Postgres {running} and cannot go back to {wanted}. {remedy}.",
    means: "The declared major version is lower than the running one.",
    remedy: "Declare the running version or a later one, or make a new project and move the data there",
  }),
};
