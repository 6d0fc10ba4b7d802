import { causes, type Cause } from "./cause";

/** What can go wrong with one function. */
export const functionCauses: readonly Cause[] = causes("where it is said", [
  [
    "There is neither a project nor a branch with the reference",
    "functions/asking.ts",
    "404: `projectRef` leads to nothing that the token's owner may see.",
    "Check it, and that the project has not been deleted.",
  ],
  [
    "There is no project with the reference",
    "functions/projects/get-project.ts",
    "404: there is no such project, or it is a branch.",
    "Check the reference; a branch is read with `getBranch`.",
  ],
  [
    "There is no organization with the slug",
    "functions/asking.ts",
    "404: there is no such organization, or the token's owner is no member.",
    "Check the slug.",
  ],
  [
    "has no project named",
    "functions/projects/get-project.ts",
    "No project of the organization bears exactly this name.",
    "Check `name`, in which upper and lower case differ, or give `ref`.",
  ],
  [
    "projects named",
    "functions/projects/get-project.ts",
    "Several projects bear the name; the message lists them.",
    "Give `ref` of the one that is meant.",
  ],
  [
    "has no branch with the",
    "functions/branches/get-branch.ts",
    "The project has no such branch.",
    "Check it, and that the branch has not been deleted.",
  ],
  [
    "No custom hostname is configured for the project",
    "functions/domains/get-custom-hostname.ts",
    "The project has none, or there is no such project.",
    "Declare a `CustomHostname` for it, or check `projectRef`.",
  ],
]);
