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
  sizeRefused: defineProblem({
    says: "The compute size of the project {ref} was not set to {size}: {answer} {remedy}.",
    means: "The service refused the size, for example because something of the project needs a larger one.",
    remedy:
      "If point-in-time recovery, a read replica or another add-on needs a larger size, remove it from the program and run `pulumi up`. Then change the size",
  }),
  onPaidPlan: defineProblem({
    says: "The project {ref} was not paused: only projects on the free plan can be paused (the service says: {answer}). {remedy}.",
    means: "`paused: true` is declared for a project on a paid plan.",
    remedy: "Remove `paused: true` from the program, or move the project to an organization on the free plan",
  }),
  deletedWhilePaused: defineProblem({
    says: "The paused project {ref} was not deleted: {answer} {remedy}.",
    means: "The service refused to delete a project while it is paused.",
    remedy:
      "Declare `paused: false` in the Project and run `pulumi up`, or restore it in the service's console. Then run the same command again",
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
  provenGone: defineProblem({
    says: "the project {ref} is gone: the service no longer has it. The next `pulumi up` creates a new, empty one. {remedy}.",
    means:
      "Warning of a refresh. The service says that the project was removed, or its organization no longer lists it.",
    remedy:
      "If it still exists, do not run `pulumi up`: use a token of the account that it belongs to, whose access is not limited to some projects, and restore the state of before the refresh",
  }),
  transferNotConfirmed: defineProblem({
    says: "A transfer of the project {ref} from the organization {from} to {to} needs consent. Nothing was changed{given}. {remedy}.\nThe service's preview of it, with the fingerprint {fingerprint}:\n{shown}",
    means:
      "The project belongs to another organization than `organizationSlug` says, because of an edit or because it was moved outside Pulumi, and `confirm` is not the fingerprint of the service's preview of this transfer.",
    remedy:
      'To leave the project where it is, declare `organizationSlug: "{from}"`. Or, if it may be moved, set `confirm` to the fingerprint',
  }),
  transferNotValid: defineProblem({
    says: "The project {ref} cannot be moved from the organization {from} to {to}: {why}. Nothing was changed. {remedy}.",
    means: "The service's preview of the transfer is not valid.",
    remedy: 'Resolve what it names and run again, or declare `organizationSlug: "{from}"`',
  }),
  transfersNotServed: defineProblem({
    says: "This service has no transfers of projects: it answers 404{answer}. The project {ref} was not moved from the organization {from} to {to}. {remedy}.",
    means: "Some installations do not have these operations.",
    remedy:
      'Move the project in the service\'s console, run `pulumi refresh`, then declare the slug that it shows. To leave it where it is, declare `organizationSlug: "{from}"`',
  }),
  transferNotFound: defineProblem({
    says: "The service answers 404 to a transfer of the project {ref} from the organization {from} to {to}{answer}. The project was not moved. {remedy}.",
    means:
      "The organization does not exist, or the token's owner is not a member of both. Some installations have no transfers.",
    remedy: "Check `organizationSlug`, and use a token of a member of both organizations",
  }),
  transferNeedsPlan: defineProblem({
    says: "The plan does not include a transfer of the project {ref} from the organization {from} to {to}: the service answers 402{answer}. The project was not moved. {remedy}.",
    means: "The service answered 402 to the transfer or to its preview.",
    remedy:
      'Change the plan of the organization that the message names, or declare `organizationSlug: "{from}"`',
  }),
  transfersDisabled: defineProblem({
    says: "The service does not allow to move the project {ref} from the organization {from} to {to}{answer}. The project was not moved. {remedy}.",
    means: "The service answered 403: transfers are disabled.",
    remedy: 'Have them enabled by the service\'s operator, or declare `organizationSlug: "{from}"`',
  }),
  movedOutOfSight: defineProblem({
    says: "The service answers 404 for the project {ref}, which its program has moved to another organization, or was about to move. This does not prove that it was deleted: the access token may not see that organization. It stays in Pulumi's state. {remedy}.",
    means:
      "A project that its program has moved to another organization counts as gone only if the service says that it was removed.",
    remedy:
      "Use a token that can see the organization and run again. If you deleted the project, remove it from the state with `pulumi state delete '{urn}' --target-dependents`",
  }),
  protectedNotFound: defineProblem({
    says: "The service answers 404 for the project {ref}, which is protected from deletion. This does not prove that it was deleted: it may have been moved to an organization that the access token cannot see, or the token may be of another account. It stays in Pulumi's state. {remedy}.",
    means:
      "An adopted, imported or protected project counts as gone only if the service says that it was removed.",
    remedy:
      "Use a token that can see the project. If you deleted it, remove it from the state with `pulumi state delete '{urn}' --target-dependents`",
  }),
  notFound: defineProblem({
    says: "The service answers 404 for the project {ref}, and {why}, so nothing proves that it was deleted. It stays in Pulumi's state. {remedy}.",
    means:
      "A token of another account, or with fewer permissions, gets the same answer as for a deleted project. The provider then looks for it in its organization.",
    remedy:
      "Use a token that can see the project and has the permission `organization_projects_read`. If you deleted it, remove it from the state with `pulumi state delete '{urn}' --target-dependents`",
  }),
  forbidden: defineProblem({
    says: "The service answers 403 for the project {ref}{said}. Either the access token lacks the permission `project_admin_read`, or the project was deleted: the service gives this answer for a deleted project too, for a time. It stays in Pulumi's state. {remedy}.",
    means: "The project could not be read. A deleted project answers 403 after a while, and 404 later.",
    remedy:
      "Give the token the permission. If you deleted the project, remove it from the state with `pulumi state delete '{urn}' --target-dependents`",
  }),
};
