import { newerPreviewPermissions, previewPermissions } from "../permissions.generated";
import type { Initialised } from "./init";
import { describePackageFile } from "./package-file";
import { describeSources } from "./repository-sources";
import { joinNames } from "../../spec/shown-text";
import {
  formatAllowOptions,
  formatProjectOption,
  formatPrefixOption,
  findBackendVariables,
  isOfPulumi,
  toShellWord,
  type WorkflowOptions,
} from "./workflow-options";

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

type Files = Pick<Initialised, "written" | "unchanged"> &
  Partial<Pick<Initialised, "ownProgram" | "outdated">>;

function formatFileLines({ written, unchanged, ownProgram, outdated = [] }: Files): string[] {
  return [
    ...(written.length === 0 ? [] : ["Written:", ...written.map((path) => `  ${path}`)]),
    ...(unchanged.length === 0 ? [] : ["There already:", ...unchanged.map((path) => `  ${path}`)]),
    ...(ownProgram === undefined
      ? []
      : [
          `Left as it is, because ${ownProgram.folder} has a program already, which --force would overwrite:`,
          ...ownProgram.left.map((path) => `  ${path}`),
        ]),
    ...(outdated.length === 0
      ? []
      : [
          "Written by `init` of an earlier version, whose work the workflow of the previews does now; remove it:",
          ...outdated.map((path) => `  ${path}`),
        ]),
  ];
}

/** What the jobs allow the repository's own program. */
function formatAllowedLines({ ownProgram, forge }: Initialised): string[] {
  const { allowed = [], notes = [] } = ownProgram ?? {};
  const names = joinNames(allowed);
  return [
    ...(allowed.length === 0
      ? []
      : [
          `   The jobs may run ${names} in a removal, with their secrets, because the program uses ${allowed.length === 1 ? "it" : "them"}${forge === "other" ? ": see step 4" : ""}.`,
          "   A pull request can then run such code as well: leave out each `--allow-package` that you do not need.",
        ]),
    ...notes.map((note) => `   ${note}`),
  ];
}

function formatIncludeLines(toInclude: string | undefined, stages = ["test"]): string[] {
  if (toInclude === undefined) return [];
  const quoted = stages.map((stage) => `\`${stage}\``).join(" and ");
  return [
    "   Add this to .gitlab-ci.yml, or the line to the `include` that it has:",
    "     include:",
    `       - local: ${toInclude}`,
    stages.length === 1
      ? `   The jobs are in the stage ${quoted}: if your \`stages\` have none, set their \`stage\` in .gitlab-ci.yml.`
      : `   The jobs are in the stages ${quoted}: if your \`stages\` lack one, set their \`stage\` in .gitlab-ci.yml.`,
  ];
}

/** What is still to be done for the workflows of the main branch. */
export function formatProductionSteps(
  { forge, written, unchanged, hasProgram, packageFile, toInclude }: Initialised,
  programDir: string,
  { backend, baseUrl, byHand = false }: WorkflowOptions = {},
): string {
  const isGitHub = forge === "github";
  // What an environment lacks would come from the repository, or from a variable of all environments.
  const keys = formatSecrets(backend, "     ", {
    prefix: MAIN,
    ofCloud: "https://api.pulumi.com for Pulumi Cloud",
  }).slice(1);
  const variables = formatVariables(backend, "     ", MAIN, baseUrl === undefined);
  const own = isGitHub
    ? [
        "2. In the repository's settings, under Environments, make `staging`, `production` and `production-plan`, and allow the",
        ...(byHand
          ? [
              "   branch main alone in each: a run of a pull request then cannot enter. On the free plan, private repositories have no",
              "   environments: do not use these workflows there.",
            ]
          : [
              "   branch main alone in each: a run of a pull request then cannot enter. For `production`, set the required reviewers;",
              "   `production-plan` has none. On the free plan, private repositories have no environments, and on most other plans they",
              "   have no required reviewers. Without reviewers, nobody is asked, and each merge changes production: run the command",
              "   again with --by-hand --force. Without environments, do not use these workflows.",
            ]),
        "   The workflow is for the branch `main`: if your default branch has another name, put that one into `branches` of production.yml,",
        "   and allow it in place of main.",
        "3. Set these secrets in all three, and nowhere for the whole repository. Take another backend, or another key of it, and",
        "   another passphrase than for previews: who can write a state can run code in the next job that uses it.",
        ...keys,
        "   Set in `staging` and in `production`, each for its project,",
        "     MAIN_MANAGEMENT_ACCESS_TOKEN  a token that may write that project",
        "   Set in `production-plan`",
        "     MAIN_MANAGEMENT_READ_TOKEN    a token that may only read, for the plan and the check for drift",
        ...(variables.length === 0 ? [] : ["   Set as variables in all three", ...variables]),
        ...(baseUrl === undefined
          ? [
              "   Everybody with write access can set such a variable by the forge's API, and would get production's token at their own",
              "   address: to have the address in the workflows, where it is reviewed, run the command again with --base-url and --force.",
            ]
          : [`   The workflows send the token to ${baseUrl} alone: review each change of them.`]),
        "   Set as a variable of the repository",
        "     DRIFT_ISSUE               the number of an issue that you open for the comment on drift",
        "   In a public repository, the check for drift stops after 60 days without a commit: switch it on again under Actions.",
      ]
    : [
        "2. Under Operate, Environments, make `staging`, `production` and `production-plan`. Under CI/CD, Protected environments,",
        "   protect `production`: who is allowed to deploy there starts the job. Where your plan has no protected environments,",
        "   everybody who may push to the protected branch starts it, and nobody is asked.",
        "3. Under CI/CD, Variables, set, all protected, and none for all environments. Take another backend, or another",
        "   key of it, and another passphrase than for previews: who can write a state can run code in the next job that uses it.",
        "   masked, for `staging`, and again for `production*`,",
        ...keys,
        "   masked, for `staging`, and for `production`, each for its project,",
        "     MAIN_MANAGEMENT_ACCESS_TOKEN  a token that may write that project",
        "   masked, for `production-plan`",
        "     MAIN_MANAGEMENT_READ_TOKEN    a token that may only read, for the plan and the check for drift",
        "   masked, for `production*`",
        "     MAIN_GITLAB_TOKEN             a project access token with the scope api, for the comment",
        ...(variables.length === 0
          ? []
          : ["   visible, for `staging`, and again for `production*`,", ...variables]),
        ...(baseUrl === undefined
          ? []
          : [`   The jobs send the token to ${baseUrl} alone: review each change of the pipeline.`]),
      ];
  return [
    ...formatFileLines({ written, unchanged }),
    "",
    "Next:",
    ...(hasProgram
      ? [
          `1. ${programDir} is the folder of your program, with package-lock.json. Its stacks are \`staging\` and \`production\`,`,
        ]
      : [
          `1. ${programDir} has no program yet. Write it there, with package-lock.json, or run the command again with --force and`,
          "   its folder in --program. Its stacks are `staging` and `production`,",
        ]),
    "   two projects of the service, with their settings in Pulumi.staging.yaml and Pulumi.production.yaml.",
    "   The program has pulumi-management among its dependencies, because the jobs run its commands.",
    "   No job makes a stack: run `pulumi stack init staging` and `pulumi stack init production` there, with the backend and the",
    "   passphrase of step 3, and commit these two files afterwards.",
    ...describePackageFile(packageFile, false),
    ...formatIncludeLines(toInclude, ["test", "deploy"]),
    ...own,
    ...(isGitHub
      ? []
      : [
          "4. Under Build, Pipeline schedules, make one of the default branch, every night, with the variable DRIFT=true.",
        ]),
    ...(byHand && isGitHub
      ? [
          "4. Merge something: staging gets it, and the run shows what production would get. To change production, start the workflow",
          "   Production by hand, under Actions. That run makes its own plan and applies it at once: nobody else is asked.",
        ]
      : [
          `${isGitHub ? 4 : 5}. Merge something: staging gets it, and the ${isGitHub ? "run" : "pipeline"} waits for the approval of production.`,
        ]),
    ...(byHand && !isGitHub
      ? ["   --by-hand changes nothing here: on GitLab, somebody starts the job `production` anyway."]
      : []),
    "",
  ].join("\n");
}

/** What is still to be done, for people; first, what the token reaches. */
export function formatPreviewSteps(
  initialised: Initialised,
  parent: string,
  { app, backend, dotenv }: WorkflowOptions = {},
): string {
  const { forge, sources, ownProgram, pulumiProject, packageFile, toInclude } = initialised;
  const folder = app === undefined ? "" : `${app}/`;
  return [
    ...formatFileLines(initialised),
    "",
    "What the token of the previews reaches:",
    "  Whoever can push to this repository can use it. It is not limited to previews: in the project",
    `  ${parent}, and in every other one that it is valid for, it can`,
    ...previewPermissions.map((permission) => `  - ${REACH[permission] ?? permission}`),
    "  So that project must not be production. Take one that was made for previews, and that has no data and",
    "  no secret that may not be lost or seen.",
    "",
    "Next:",
    `1. Run \`npm install\` in ${folder}preview/, and commit package-lock.json with these files to the default branch.`,
    ...describePackageFile(packageFile, ownProgram === undefined),
    ...(sources === undefined ? [] : describeSources(sources, folder)),
    ...formatAllowedLines(initialised),
    ...formatIncludeLines(toInclude),
    ...(dotenv === undefined
      ? []
      : [
          `   The job of a preview writes ${folder}${dotenv}: add it to .gitignore, and build your front end after that step.`,
        ]),
    "2. Make an access token of the service with exactly these fine-grained permissions. They are what the program",
    ownProgram === undefined
      ? "   uses as it is written; a personal token without such permissions can do all that its user can."
      : "   of `init` uses: add those of your own resources. A personal token without permissions can do all that its user can.",
    ...previewPermissions.map((permission) => `     ${permission}`),
    ...(newerPreviewPermissions.length === 0
      ? []
      : [
          "   A newer installation asks for these as well:",
          ...newerPreviewPermissions.map((permission) => `     ${permission}`),
        ]),
    "   To see which reads of the project succeed with it:",
    `     cd ${toShellWord(`${folder}preview`)} && npx management-previews check --project ${parent}`,
    ...{ github: formatGitHubSteps, gitlab: formatGitLabSteps, other: formatOtherSteps }[forge](backend, {
      parent,
      folder,
      options: [
        app === undefined ? "" : formatPrefixOption(app),
        formatAllowOptions(ownProgram?.allowed ?? []),
        formatProjectOption(pulumiProject),
      ].join(""),
    }),
    "",
  ].join("\n");
}

/** What the names of the main branch begin with. */
const MAIN = "MAIN_";

const padName = (name: string, what: string): string => `${name.padEnd(25)} ${what}`;

function formatVariables(
  backend: string | undefined,
  indent: string,
  prefix = "",
  hasAddress = true,
): string[] {
  const { vars = [] } = (backend === undefined ? undefined : findBackendVariables(backend)) ?? {};
  return [
    ...(hasAddress ? [padName(`${prefix}MANAGEMENT_BASE_URL`, "the service's address")] : []),
    ...vars.map((name) => padName(`${prefix}${name}`, "of the state backend")),
  ].map((line) => `${indent}${line}`);
}

interface SecretWords {
  /** Before the names, where those of previews have none. */
  readonly prefix?: string;
  /** What the address of the backend is for Pulumi Cloud. */
  readonly ofCloud?: string;
}

function formatSecrets(
  backend: string | undefined,
  indent: string,
  { prefix = "", ofCloud = "leave it out for Pulumi Cloud" }: SecretWords = {},
): string[] {
  const { secrets: keys = [] } = (backend === undefined ? undefined : findBackendVariables(backend)) ?? {};
  const address =
    backend ?? `where the stacks' states are, such as s3://states, which may hold a password; ${ofCloud}`;
  return [
    padName(`${prefix}MANAGEMENT_ACCESS_TOKEN`, "that token"),
    padName(`${prefix}PULUMI_BACKEND_URL`, address),
    ...keys.map((name) =>
      padName(`${prefix}${name}`, "of a key that may read and write the state backend, and nothing else"),
    ),
    padName(
      `${prefix}PULUMI_CONFIG_PASSPHRASE`,
      backend === undefined || isOfPulumi(backend)
        ? `a long random text, or ${prefix}PULUMI_ACCESS_TOKEN with Pulumi Cloud`
        : "a long random text",
    ),
  ].map((line) => `${indent}${line}`);
}

const formatGitHubSteps = (backend: string | undefined): string[] => [
  "3. In the repository's settings, under Secrets and variables, Actions, set",
  "   variables",
  ...formatVariables(backend, "     "),
  "   secrets",
  ...formatSecrets(backend, "     "),
  "4. Open a pull request: its preview is in a comment on it.",
];

const formatGitLabSteps = (backend: string | undefined): string[] => [
  "3. In the project's settings, under CI/CD, Variables, set, none of them protected,",
  "   visible",
  ...formatVariables(backend, "     "),
  "   masked",
  ...formatSecrets(backend, "     "),
  "     GITLAB_TOKEN              a project access token with the scope api, for the comment",
  "4. Under Build, Pipeline schedules, make one of the default branch, every hour: it sweeps.",
  "5. Open a merge request: its preview is in a comment on it.",
];

/** The command of a CI that has no workflow of ours. */
interface OtherCommand {
  readonly parent: string;
  /** Where the folder of the program is. */
  readonly folder: string;
  readonly options: string;
}

const formatOtherSteps = (
  backend: string | undefined,
  { parent, folder, options }: OtherCommand,
): string[] => [
  "3. In your CI, set, for the jobs of pull requests that are not from forks,",
  "   variables",
  ...formatVariables(backend, "     "),
  `     ${padName("PARENT_PROJECT_REF", parent)}`,
  "     REPOSITORY                the web address of the repository",
  "   secrets",
  ...formatSecrets(backend, "     "),
  "4. Let your CI run this for each push to a pull request, when it is closed, and every hour as the sweep:",
  `     cd ${toShellWord(`${folder}preview`)} && npm ci && exec node_modules/.bin/management-previews ci --comment-file comment.md${options}`,
  "   PREVIEW_EVENT says what for: push, recreate, close or sweep. PREVIEW_PULL_REQUEST and PREVIEW_GIT_BRANCH say for which",
  "   pull request; the sweep takes --open-pull-requests, a list of the open ones, in place of --comment-file. The scripts, and",
  "   what is the number and the branch in which CI, are in docs/any-ci.md of this package.",
];
