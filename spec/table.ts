import { actionRunsOperations } from "./operations/action-runs";
import { apiKeysOperations } from "./operations/api-keys";
import { billingOperations } from "./operations/billing";
import { branchesOperations } from "./operations/branches";
import { customHostnameOperations } from "./operations/custom-hostname";
import { databaseOperations } from "./operations/database";
import { functionsOperations } from "./operations/functions";
import { oauthOperations } from "./operations/oauth";
import { organizationsOperations } from "./operations/organizations";
import { projectsOperations } from "./operations/projects";
import { secretsOperations } from "./operations/secrets";
import { signingKeysOperations } from "./operations/signing-keys";
import { ssoProvidersOperations } from "./operations/sso-providers";
import { upgradesOperations } from "./operations/upgrades";
import type { Operation } from "./operation";

/** The operation table: every endpoint by its name. */
export const operations = {
  ...actionRunsOperations,
  ...apiKeysOperations,
  ...billingOperations,
  ...branchesOperations,
  ...customHostnameOperations,
  ...databaseOperations,
  ...functionsOperations,
  ...oauthOperations,
  ...organizationsOperations,
  ...projectsOperations,
  ...secretsOperations,
  ...signingKeysOperations,
  ...ssoProvidersOperations,
  ...upgradesOperations,
} satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
