import { z } from "zod";
import { instanceSize } from "../../../spec/shared-fields";
import { secretName, secretValue } from "../../resources/functions/shared/function-secret-names";
import { BASELINE } from "../../resources/database/shared/migration-baseline";
import {
  DEFAULT_PREFIX,
  namePrefix,
  repositoryAddress,
} from "../../resources/branches/shared/preview-identity";
import { defineComponent, settingsFor } from "../../define/component";
import { formed, secret } from "../../define/markers";
import { anyRef } from "../../define/shared-inputs";
import { authConfig } from "../../resources/auth/auth-config/auth-config";
import { postgresConfig } from "../../resources/database/postgres-config/postgres-config";
import { apiOutputs, DIRECT_CONNECTION } from "../../resources/projects/project/connection";
import { MOST_TTL_HOURS } from "./lifetime";

const folder = z.string().min(1);

const inputs = z.strictObject({
  parentProjectRef: anyRef.describe(
    "Reference of the project to branch from: twenty lower-case letters. Nothing else is read from it.",
  ),
  repository: repositoryAddress.describe(
    "Web address of the repository, as `https://forge.example.com/acme/shop`. Previews of two repositories have other names, with one project and one state backend, too.",
  ),
  pullRequest: z.int().min(1).describe("Number of the pull request."),
  gitBranch: z.string().min(1).describe("Git branch of the pull request."),
  namePrefix: namePrefix
    .describe(
      `What the branch's name begins with, before the number of the pull request, as \`management-previews\` looks for it; \`${DEFAULT_PREFIX}\` if omitted.`,
    )
    .optional(),
  instanceSize: instanceSize.describe("Compute size of the branch; a change replaces the branch.").optional(),
  withData: z
    .boolean()
    .describe(
      "Whether to copy the project's data, which may be personal; `false` if omitted. A change replaces the branch.",
    )
    .optional(),
  migrations: folder
    .describe(
      "Folder of the migrations, relative to the program's folder, as of `MigrationSet`. They are applied through the query endpoint, each file once.",
    )
    .optional(),
  baseline: formed(z.string().regex(BASELINE), "a version of digits, `all` or `none`", "20260131120000")
    .describe("What a branch has already whose project was built without migrations, as of `MigrationSet`.")
    .optional(),
  seed: z
    .string()
    .min(1)
    .describe(
      "SQL file, relative to the program's folder, that is run once after the migrations, and again when it changes.",
    )
    .optional(),
  functions: folder
    .describe(
      "Folder with a folder for each edge function, relative to the program's folder, as of `FunctionSet`.",
    )
    .optional(),
  functionsConfigFile: z
    .string()
    .min(1)
    .describe(
      "Configuration file of the platform's tool, relative to the program's folder, whose sections of these functions count, as `configFile` of `FunctionSet`.",
    )
    .optional(),
  withKeys: z
    .boolean()
    .describe(
      "Whether `publishableKey` and `secretKey` are read, for which the token needs `api_gateway_keys_read`; `true` if omitted.",
    )
    .optional(),
  secrets: secret(
    z
      .record(secretName, secretValue)
      .describe("Secrets that the branch's edge functions read, by name, as of `SecretSet`."),
  ).optional(),
  envFile: z
    .string()
    .min(1)
    .describe("`.env` file, relative to the program's folder, whose variables are such secrets.")
    .optional(),
  auth: settingsFor(authConfig, {
    id: "PreviewEnvironmentAuth",
    description: "Auth settings of the branch, as of `AuthConfig`.",
  }).optional(),
  settings: settingsFor(postgresConfig, {
    id: "PreviewEnvironmentSettings",
    description: "Postgres settings of the branch, as of `PostgresConfig`.",
  }).optional(),
  ttlHours: z
    .int()
    .min(1)
    .max(MOST_TTL_HOURS)
    .describe(
      "Hours after its creation until `management-previews sweep` removes the branch although the pull request is open: from 1 to 8760.",
    )
    .optional(),
});

const outputs = z.object({
  ref: z
    .string()
    .describe("Reference of the branch, known once the branch and all below it are as declared."),
  branchName: z
    .string()
    .describe("Name of the branch: the prefix, the number, and what tells repository and project."),
  ...apiOutputs,
  connectionString: secret(z.string().describe(`${DIRECT_CONNECTION}.`)),
  pooledConnectionString: secret(
    z.string().describe("URL of the connection through the branch's pooler."),
  ).optional(),
  publishableKey: secret(
    z.string().describe("The branch's publishable API key named `default`; absent with `withKeys: false`."),
  ).optional(),
  secretKey: secret(
    z.string().describe("The branch's secret API key named `default`; absent with `withKeys: false`."),
  ).optional(),
  summary: z
    .string()
    .describe("What there is, without secrets, in Markdown: for a comment on the pull request."),
});

export type PreviewInputs = z.output<typeof inputs>;
export type PreviewOutputs = z.output<typeof outputs>;

/** A preview of a pull request: a branch of the project with all that the pull request needs on it. */
export const previewEnvironment = defineComponent({
  type: "PreviewEnvironment",
  description:
    "A preview environment of a pull request: a branch of the project with its migrations, seed, edge functions, secrets and settings. It uses the branch alone: it stops where the branch would be the project itself, its default or a persistent branch, or one that was made for something else. Deleting it deletes the branch with all that is on it.",
  inputs,
  outputs,
  makes: ["Branch", "PostgresConfig", "AuthConfig", "SecretSet", "MigrationSet", "SqlScript", "FunctionSet"],
});
