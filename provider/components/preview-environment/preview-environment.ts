import { z } from "zod";
import { instanceSize } from "../../../spec/shared-fields";
import { secretName, secretValue } from "../../resources/functions/shared/function-secret-names";
import { DEFAULT_VIA, migrationVia } from "../../resources/database/shared/migration-history";
import { functionOptions } from "../../resources/functions/function-set/set-source";
import { functionSlug } from "../../resources/functions/shared/edge-functions/source-fields";
import { BASELINE } from "../../resources/database/shared/migration-baseline";
import {
  DEFAULT_PREFIX,
  namePrefix,
  repositoryAddress,
} from "../../resources/branches/shared/preview-identity";
import { defineComponent, createSettingsSchema } from "../../define/component";
import { formed, secret } from "../../define/markers";
import { openEnum } from "../../define/open-values";
import { anyRef, everyResource } from "../../define/shared-inputs";
import { vaultSecretName, vaultSecretValue } from "../../resources/database/vault-secret/vault-secret";
import { authConfig } from "../../resources/auth/auth-config/auth-config";
import { postgresConfig } from "../../resources/database/postgres-config/postgres-config";
import {
  apiOutputs,
  DIRECT_CONNECTION,
  SESSION_CONNECTION,
} from "../../resources/projects/project/connection";
import { MOST_TTL_HOURS } from "../../resources/branches/shared/preview-lifetime";

const folder = z.string().min(1);

const inputs = z.strictObject({
  parentProjectRef: anyRef.describe(
    "Reference of the parent project, 20 lowercase letters. Nothing else is read from it.",
  ),
  repository: repositoryAddress.describe(
    "Web address of the repository, such as `https://forge.example.com/acme/shop`. It is part of the branch's name, so several repositories can share a project and a state backend.",
  ),
  pullRequest: z.int().min(1).describe("Number of the pull request."),
  gitBranch: z.string().min(1).describe("Git branch of the pull request."),
  namePrefix: namePrefix
    .describe(
      `Prefix of the branch's name, before the number of the pull request. \`management-previews\` needs the same value. Default: \`${DEFAULT_PREFIX}\`.`,
    )
    .optional(),
  instanceSize: openEnum(instanceSize)
    .describe("Compute size of the branch. A change replaces the branch.")
    .optional(),
  withData: z
    .boolean()
    .describe(
      "Whether to copy the project's data, which may be personal. Default: `false`. A change replaces the branch.",
    )
    .optional(),
  migrations: folder
    .describe(
      "Folder of the migrations, relative to the program's folder, as in `MigrationSet`. Each file is applied once.",
    )
    .optional(),
  databaseWebhooks: z
    .boolean()
    .describe(
      "Whether to enable the database webhooks of the branch before the migrations, as `DatabaseWebhooks` does. Its value must be known when the program runs. Default: `false`.",
    )
    .optional(),
  setup: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe(
      "SQL file, or several in their order, relative to the program's folder, for what the migrations need and the branch does not have, such as roles. Each runs once before the migrations, and again when it changes, so write SQL that can be repeated. It is read as a migration is.",
    )
    .optional(),
  baseline: formed(z.string().regex(BASELINE), "a version of digits, `all` or `none`", "20260131120000")
    .describe(
      "Migrations that the branch already has if its project was built without migrations, as in `MigrationSet`.",
    )
    .optional(),
  accept: z
    .array(formed(z.string().regex(/^\d+$/), "a version of digits", "20260131120000"))
    .describe(
      "Versions of migrations that count as applied whatever the branch's history has for them, as in `MigrationSet`.",
    )
    .optional(),
  outOfOrder: z
    .boolean()
    .describe(
      "Whether a migration that comes before an applied one is applied late, as in `MigrationSet`. Default: `false`.",
    )
    .optional(),
  excludeMigrations: z
    .array(z.string().min(1))
    .describe("SQL files in `migrations` that are no migrations, as `exclude` in `MigrationSet`.")
    .optional(),
  via: migrationVia
    .describe(`Endpoint that applies the migrations, as in \`MigrationSet\`. Default: \`${DEFAULT_VIA}\`.`)
    .optional(),
  rollbackTo: formed(z.string().regex(/^\d+$/), "a version of digits", "20260131120000")
    .describe("Version to roll back to, or `0` to roll back everything, as in `MigrationSet`.")
    .optional(),
  seed: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe(
      "SQL file, or several in their order, relative to the program's folder. Each runs once after the migrations, and again when it changes. It is read as a migration is: in one transaction, or in those of its own.",
    )
    .optional(),
  transaction: z
    .boolean()
    .describe(
      "Whether each seed runs in one transaction, as in `SqlScript`. Set `false` for a single statement that cannot run in a transaction. Default: `true`.",
    )
    .optional(),
  functions: folder
    .describe(
      "Folder with one folder per edge function, relative to the program's folder, as in `FunctionSet`.",
    )
    .optional(),
  functionsConfigFile: z
    .string()
    .min(1)
    .describe(
      "Configuration file of the platform's tool with settings of these functions, relative to the program's folder, as `configFile` in `FunctionSet`.",
    )
    .optional(),
  functionOptions: z
    .record(functionSlug, functionOptions)
    .describe("Settings of individual functions, by slug, as `functions` in `FunctionSet`.")
    .optional(),
  only: z
    .array(z.string().min(1))
    .describe("Slugs of the functions to deploy, as in `FunctionSet`. Default: all of the folder.")
    .optional(),
  exclude: z
    .array(z.string().min(1))
    .describe("Folders of functions to leave out, as in `FunctionSet`.")
    .optional(),
  withKeys: z
    .boolean()
    .describe(
      "Whether to read `publishableKey` and `secretKey`, which needs the permission `api_gateway_keys_read`. Default: `true`.",
    )
    .optional(),
  secrets: secret(
    z
      .record(secretName, secretValue)
      .describe("Secrets of the branch's edge functions by name, as in `SecretSet`."),
  ).optional(),
  envFile: z
    .string()
    .min(1)
    .describe("`.env` file with more such secrets, relative to the program's folder.")
    .optional(),
  vaultSecrets: z
    .record(vaultSecretName, secret(vaultSecretValue))
    .describe(
      "Secrets in the vault of the branch's database by name, as in `VaultSecret`. They exist before the migrations and `setup`. The names must be known when the program runs; values may be outputs.",
    )
    .optional(),
  auth: createSettingsSchema(authConfig, {
    id: "PreviewEnvironmentAuth",
    description: "Auth settings of the branch, as in `AuthConfig`.",
  }).optional(),
  settings: createSettingsSchema(postgresConfig, {
    id: "PreviewEnvironmentSettings",
    description: "Postgres settings of the branch, as in `PostgresConfig`.",
  }).optional(),
  ttlHours: z
    .int()
    .min(1)
    .max(MOST_TTL_HOURS)
    .describe(
      "Maximum age of the branch in hours, from 1 to 8760. After that, `management-previews sweep` deletes it even if the pull request is open.",
    )
    .optional(),
  timeouts: everyResource.timeouts,
});

const outputs = z.object({
  ref: z
    .string()
    .describe("Reference of the branch. It is known when the branch and everything in it are complete."),
  branchName: z
    .string()
    .describe("Name of the branch: the prefix, the number, and a suffix for repository and project."),
  ...apiOutputs,
  connectionString: secret(z.string().describe(`${DIRECT_CONNECTION}.`)),
  pooledConnectionString: secret(
    z.string().describe("URL of the connection through the branch's pooler."),
  ).optional(),
  sessionConnectionString: secret(z.string().describe(`${SESSION_CONNECTION}.`)).optional(),
  publishableKey: secret(
    z.string().describe("The branch's publishable API key named `default`; absent with `withKeys: false`."),
  ).optional(),
  secretKey: secret(
    z.string().describe("The branch's secret API key named `default`; absent with `withKeys: false`."),
  ).optional(),
  summary: z
    .string()
    .describe("Markdown summary of the preview without secrets, for a comment on the pull request."),
});

export type PreviewInputs = z.output<typeof inputs>;
export type PreviewOutputs = z.output<typeof outputs>;

/** A preview of a pull request: a branch of the project with all that the pull request needs on it. */
export const previewEnvironment = defineComponent({
  type: "PreviewEnvironment",
  description:
    "A preview environment for a pull request: a branch of the project with its migrations, seed, edge functions, secrets and settings. It only changes its own branch: it fails if that would be the project itself, a default or persistent branch, or a branch with another purpose. Deleting it deletes the branch and everything in it.",
  inputs,
  outputs,
  startOver: "delete it and create it again, which deletes its branch and everything in it",
  passes: {
    Branch: { inputs: { projectRef: "parentProjectRef", name: "namePrefix" } },
    PostgresConfig: { every: "settings" },
    AuthConfig: { every: "auth" },
    VaultSecret: { inputs: { value: "vaultSecrets" } },
    MigrationSet: { inputs: { directory: "migrations", exclude: "excludeMigrations" } },
    SqlScript: { inputs: { query: "seed" } },
    FunctionSet: {
      inputs: { sourceDir: "functions", configFile: "functionsConfigFile", functions: "functionOptions" },
    },
  },
  makes: [
    "Branch",
    "PostgresConfig",
    "AuthConfig",
    "SecretSet",
    "VaultSecret",
    "DatabaseWebhooks",
    "MigrationSet",
    "SqlScript",
    "FunctionSet",
  ],
});
