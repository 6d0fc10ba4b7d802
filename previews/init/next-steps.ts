import { previewPermissions } from "../permissions.generated";
import type { Initialised } from "./init";

/** What who has the token can do by each of its permissions, in the parent as in its branches. */
export const REACH: Readonly<Record<string, string>> = {
  action_runs_read: "read the runs of its branches, with their logs",
  branching_development_create: "make branches of it, which cost",
  branching_development_delete: "delete its branches",
  branching_development_read: "read its branches, with the passwords of their databases",
  branching_development_write: "change and reset its branches, and merge them into it",
  database_pooling_config_read: "read the settings of its pooler",
  database_read: "read all data of its database",
  database_write: "change and delete all data of its database",
  edge_functions_read: "read its functions",
  edge_functions_secrets_read: "read names and hashes of its function secrets",
  edge_functions_secrets_write: "set and delete its function secrets",
  edge_functions_write: "replace and delete its functions, and read by those what its function secrets are",
  project_admin_read: "read its state and its name",
};

/** What is still to be done, for people; first, what the token reaches. */
export function afterInit(
  { forge, written, unchanged, configFile, toInclude }: Initialised,
  parent: string,
): string {
  return [
    ...(written.length === 0 ? [] : ["Written:", ...written.map((path) => `  ${path}`)]),
    ...(unchanged.length === 0 ? [] : ["There already:", ...unchanged.map((path) => `  ${path}`)]),
    "",
    "What the token of the previews reaches:",
    "  Whoever can push to this repository can use it. It is not limited to previews: in the project",
    `  ${parent}, and in every other one that it is valid for, it can`,
    ...previewPermissions.map((permission) => `  - ${REACH[permission] ?? permission}`),
    "  So that project must not be production. Take one that was made for previews, and that has no data and",
    "  no secret that may not be lost or seen.",
    "",
    "Next:",
    "1. Run `npm install` in preview/, and commit package-lock.json with these files to the default branch.",
    "   preview/index.ts takes database/migrations, database/seed.sql and functions where they are; change it to yours.",
    ...(toInclude === undefined
      ? []
      : [
          "   Add this to .gitlab-ci.yml, or the line to the `include` that it has:",
          "     include:",
          `       - local: ${toInclude}`,
          "   The jobs are in the stage `test`: if your `stages` have none, set their `stage` in .gitlab-ci.yml.",
        ]),
    ...(configFile === undefined
      ? []
      : [`   It names ${configFile}, whose settings of the functions count.`]),
    "2. Make an access token of the service with exactly these fine-grained permissions. They are what the program",
    "   uses as it is written; a personal token without such permissions can do all that its user can.",
    ...previewPermissions.map((permission) => `     ${permission}`),
    "   To see which reads of the project succeed with it:",
    `     npx --package pulumi-management management-previews check --project ${parent}`,
    ...(forge === "github" ? onGitHub(parent) : onGitLab(parent)),
    "",
  ].join("\n");
}

const values = (parent: string, indent: string): string[] =>
  ["MANAGEMENT_BASE_URL       the service's address", `PARENT_PROJECT_REF        ${parent}`].map(
    (line) => `${indent}${line}`,
  );

const secrets = (indent: string): string[] =>
  [
    "MANAGEMENT_ACCESS_TOKEN   that token",
    "PULUMI_BACKEND_URL        where the stacks' states are, such as s3://states, which may hold a password; leave it out for Pulumi Cloud",
    "PULUMI_CONFIG_PASSPHRASE  a long random text, or PULUMI_ACCESS_TOKEN with Pulumi Cloud",
  ].map((line) => `${indent}${line}`);

const onGitHub = (parent: string): string[] => [
  "3. In the repository's settings, under Secrets and variables, Actions, set",
  "   variables",
  ...values(parent, "     "),
  "   secrets",
  ...secrets("     "),
  "4. Open a pull request: its preview is in a comment on it.",
];

const onGitLab = (parent: string): string[] => [
  "3. In the project's settings, under CI/CD, Variables, set, none of them protected,",
  "   visible",
  ...values(parent, "     "),
  "   masked",
  ...secrets("     "),
  "     GITLAB_TOKEN              a project access token with the scope api, for the comment",
  "4. Under Build, Pipeline schedules, make one of the default branch, every hour: it sweeps.",
  "5. Open a merge request: its preview is in a comment on it.",
];
