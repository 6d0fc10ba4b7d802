import { actionRunsOperations } from "./operations/action-runs";
import { advisorsOperations } from "./operations/advisors";
import { analyticsOperations } from "./operations/analytics";
import { apiKeysOperations } from "./operations/api-keys";
import { authConfigOperations } from "./operations/auth-config";
import { backupsOperations } from "./operations/backups";
import { billingOperations } from "./operations/billing";
import { branchesOperations } from "./operations/branches";
import { cryptoExtensionOperations } from "./operations/crypto-extension";
import { customHostnameOperations } from "./operations/custom-hostname";
import { databaseOperations } from "./operations/database";
import { databaseAccessOperations } from "./operations/database-access";
import { diskOperations } from "./operations/disk";
import { functionsOperations } from "./operations/functions";
import { jitAccessOperations } from "./operations/jit-access";
import { migrationsOperations } from "./operations/migrations";
import { networkOperations } from "./operations/network";
import { logsOperations } from "./operations/current/logs";
import { metricsOperations } from "./operations/current/metrics";
import { postgresSettingsOperations } from "./operations/current/postgres-settings";
import { projectConfigOperations } from "./operations/current/project-config";
import { webhooksOperations } from "./operations/newer/webhooks";
import { newerBackupsOperations } from "./operations/newer/backups";
import { newerBranchesOperations } from "./operations/newer/branches";
import { customHostnameRemovalOperations } from "./operations/newer/custom-hostname-removal";
import { databaseOpenapiOperations } from "./operations/newer/database-openapi";
import { entitlementsOperations } from "./operations/newer/entitlements";
import { jitInvitationsOperations } from "./operations/newer/jit-invitations";
import { logDrainsOperations } from "./operations/newer/log-drains";
import { profileOperations } from "./operations/newer/profile";
import { projectClaimsOperations } from "./operations/newer/project-claims";
import { projectTransfersOperations } from "./operations/newer/project-transfers";
import { restartOperations } from "./operations/newer/restart";
import { oauthOperations } from "./operations/oauth";
import { organizationsOperations } from "./operations/organizations";
import { poolerOperations } from "./operations/pooler";
import { projectsOperations } from "./operations/projects";
import { readReplicasOperations } from "./operations/read-replicas";
import { realtimeOperations } from "./operations/realtime";
import { restLayerOperations } from "./operations/rest-layer";
import { secretsOperations } from "./operations/secrets";
import { signingKeysOperations } from "./operations/signing-keys";
import { snippetsOperations } from "./operations/snippets";
import { sqlOperations } from "./operations/sql";
import { sslEnforcementOperations } from "./operations/ssl-enforcement";
import { ssoProvidersOperations } from "./operations/sso-providers";
import { storageOperations } from "./operations/storage";
import { thirdPartyAuthOperations } from "./operations/third-party-auth";
import { upgradesOperations } from "./operations/upgrades";
import { vanitySubdomainOperations } from "./operations/vanity-subdomain";
import type { Operation } from "./operation";

/** The operations that the API's documents list. */
export const documentedOperations = {
  ...actionRunsOperations,
  ...advisorsOperations,
  ...analyticsOperations,
  ...apiKeysOperations,
  ...authConfigOperations,
  ...backupsOperations,
  ...billingOperations,
  ...branchesOperations,
  ...cryptoExtensionOperations,
  ...customHostnameOperations,
  ...databaseAccessOperations,
  ...databaseOperations,
  ...diskOperations,
  ...functionsOperations,
  ...jitAccessOperations,
  ...migrationsOperations,
  ...networkOperations,
  ...oauthOperations,
  ...organizationsOperations,
  ...poolerOperations,
  ...projectsOperations,
  ...readReplicasOperations,
  ...realtimeOperations,
  ...restLayerOperations,
  ...secretsOperations,
  ...signingKeysOperations,
  ...snippetsOperations,
  ...sqlOperations,
  ...sslEnforcementOperations,
  ...ssoProvidersOperations,
  ...storageOperations,
  ...thirdPartyAuthOperations,
  ...upgradesOperations,
  ...vanitySubdomainOperations,
} satisfies Record<string, Operation>;

/** Operations that the running service has beyond the documents: another installation may lack them (service, Newer operations). */
export const newerOperations = {
  ...newerBackupsOperations,
  ...newerBranchesOperations,
  ...customHostnameRemovalOperations,
  ...databaseOpenapiOperations,
  ...entitlementsOperations,
  ...jitInvitationsOperations,
  ...logDrainsOperations,
  ...profileOperations,
  ...projectClaimsOperations,
  ...projectTransfersOperations,
  ...restartOperations,
  ...webhooksOperations,
} satisfies Record<string, Operation>;

/** Operations that the service was measured or documented to have after 2026-06 (service, Current operations). */
export const currentOperations = {
  ...logsOperations,
  ...metricsOperations,
  ...postgresSettingsOperations,
  ...projectConfigOperations,
} satisfies Record<string, Operation>;

/** The operation table: every endpoint by its name. */
export const operations = { ...documentedOperations, ...newerOperations, ...currentOperations };

export type Operations = typeof operations;
export type OperationName = keyof Operations;

/** Whether an installation may lack it, as the documents do. */
export function isNewer(name: string): boolean {
  return Object.hasOwn(newerOperations, name) || isCurrent(name);
}

/** Whether the service of 2026-06 lacks it. */
export function isCurrent(name: string): boolean {
  return Object.hasOwn(currentOperations, name);
}
