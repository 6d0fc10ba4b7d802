import { defineProblem } from "../../../client/errors/problem";
import { realtimeProblems, restProblems } from "../../../define/problems";
import { functionSecretProblems } from "../../functions/shared/function-secret-names";

export const problems = {
  ...restProblems,
  ...realtimeProblems,
  ...functionSecretProblems,
  defaultBranch: defineProblem({
    says: "The branch {name} is the default branch, which represents the project {ref} itself. It cannot be created, taken over or deleted. Nothing was changed. {advice}.",
    means: "The service creates a default branch along with the first branch.",
    remedy: "Use another `name`",
  }),
  ofBranch: defineProblem({
    says: "projectRef: {ref} is a branch, and a branch cannot have branches. {remedy}.",
    means: "`projectRef` is the reference of a branch.",
    remedy: "Use the reference of its parent project",
  }),
  ofAnotherPurpose: defineProblem({
    says: "The branch {name} ({ref}) exists and is not the preview of pull request {pullRequest}: {why}. Nothing was changed. {remedy}.",
    means: "`pullRequest` is declared, and a branch of the same name exists for another purpose.",
    remedy: "Use another `name` (in a `PreviewEnvironment`, another `namePrefix`), or rename that branch",
  }),
  ofAnotherParent: defineProblem({
    says: "The branch {ref} exists, but the project {parentRef} does not list it. Nothing was changed. {remedy}.",
    means: "The branch was moved to another project, or the listing is not up to date.",
    remedy:
      "Run again. If it belongs to another project now, remove it from the state with `pulumi state delete '{urn}'`, declare that project as its `projectRef`, and take it over with `adopt: true`",
  }),
  notWithDiskSize: defineProblem({
    says: "`{name}` cannot be combined with `diskSizeGb`: {remedy}",
    means:
      "The operation that creates a branch with a disk size takes no `secrets`, `postgresEngine` and `releaseChannel`.",
    remedy:
      "Remove one of them. For secrets, declare a `SecretSet` in the branch; for the disk, declare a `Disk` in the branch",
  }),
  notUsable: defineProblem({
    says: "The branch {name} ({ref}) is not usable: {why}. {remedy}.{ofNew} {log}",
    means:
      "A deployment step of the branch failed. The message includes the end of its log, without secrets. It says how to start again only if this run created the branch.",
    remedy: "Correct the cause, push the correction to the branch, and run again",
  }),
};
