import { previewPermissions } from "../permissions.generated";
import type { Initialised } from "./init";

/** What is still to be done, for people. */
export function afterInit({ forge, written, unchanged }: Initialised): string {
  return [
    ...(written.length === 0 ? [] : ["Written:", ...written.map((path) => `  ${path}`)]),
    ...(unchanged.length === 0 ? [] : ["There already:", ...unchanged.map((path) => `  ${path}`)]),
    "",
    "Next:",
    "1. Run `npm install` in preview/, and commit package-lock.json with these files to the default branch.",
    "   preview/index.ts takes database/migrations, database/seed.sql and functions where they are; change it to yours.",
    "2. Make an access token of the service with exactly these fine-grained permissions:",
    ...previewPermissions.map((permission) => `     ${permission}`),
    ...(forge === "github" ? onGitHub : onGitLab),
    "",
  ].join("\n");
}

const values = (indent: string): string[] =>
  [
    "MANAGEMENT_BASE_URL       the service's address",
    "PARENT_PROJECT_REF        the project to branch from",
  ].map((line) => `${indent}${line}`);

const secrets = (indent: string): string[] =>
  [
    "MANAGEMENT_ACCESS_TOKEN   that token",
    "PULUMI_BACKEND_URL        where the stacks' states are, such as s3://states, which may hold a password; empty for Pulumi Cloud",
    "PULUMI_CONFIG_PASSPHRASE  a long random text, or PULUMI_ACCESS_TOKEN with Pulumi Cloud",
  ].map((line) => `${indent}${line}`);

const onGitHub = [
  "3. In the repository's settings, under Secrets and variables, Actions, set",
  "   variables",
  ...values("     "),
  "   secrets",
  ...secrets("     "),
  "4. Open a pull request: its preview is in a comment on it.",
];

const onGitLab = [
  "3. In the project's settings, under CI/CD, Variables, set, none of them protected,",
  "   visible",
  ...values("     "),
  "   masked",
  ...secrets("     "),
  "     GITLAB_TOKEN              a project access token with the scope api, for the comment",
  "4. Under Build, Pipeline schedules, make one of the default branch, every hour: it sweeps.",
  "5. Open a merge request: its preview is in a comment on it.",
];
