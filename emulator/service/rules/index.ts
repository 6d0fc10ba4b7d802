import type { Handlers } from "./shared/handler";
import { actionRunHandlers } from "./branches/action-runs";
import { addonHandlers } from "./projects/addons";
import { analyticsHandlers } from "./services/analytics";
import { advisorHandlers } from "./database/advisors";
import { apiKeyHandlers } from "./auth/api-keys";
import { authConfigHandlers } from "./auth/auth-config";
import { backupHandlers } from "./database/backups";
import { branchActionHandlers } from "./branches/branch-actions";
import { branchHandlers } from "./branches/branches";
import { cryptoExtensionHandlers } from "./auth/crypto-extension";
import { customHostnameHandlers } from "./domains/custom-hostname";
import { diskHandlers } from "./database/disk";
import { databaseAccessHandlers } from "./database/database-access";
import { entitlementHandlers } from "./organizations/entitlements";
import { functionHandlers } from "./functions/functions";
import { jitAccessHandlers } from "./database/jit-access";
import { migrationHandlers } from "./database/migrations";
import { networkBanHandlers } from "./network/network-bans";
import { networkRestrictionHandlers } from "./network/network-restrictions";
import { oauthHandlers } from "./oauth/oauth";
import { legacyApiKeyHandlers } from "./auth/legacy-api-keys";
import { signingKeyHandlers } from "./auth/signing-keys";
import { organizationHandlers } from "./organizations/organizations";
import { withPausedAnswers } from "./projects/paused-answers";
import { poolerHandlers } from "./database/pooler";
import { postgresConfigHandlers } from "./database/postgres-config";
import { profileHandlers } from "./organizations/profile";
import { projectClaimHandlers } from "./organizations/project-claims";
import { projectConfigHandlers } from "./projects/project-config";
import { projectHandlers } from "./projects/projects";
import { projectRestoreHandlers } from "./projects/project-restore";
import { readReplicaHandlers } from "./database/read-replicas";
import { realtimeHandlers } from "./services/realtime";
import { regionHandlers } from "./projects/regions";
import { restLayerHandlers } from "./services/rest-layer";
import { restorePointHandlers } from "./database/restore-points";
import { secretHandlers } from "./functions/secrets";
import { snippetHandlers } from "./database/snippets";
import { sslEnforcementHandlers } from "./database/ssl-enforcement";
import { sqlHandlers } from "./database/sql";
import { ssoProviderHandlers } from "./auth/sso-providers";
import { thirdPartyAuthHandlers } from "./auth/third-party-auth";
import { storageHandlers } from "./services/storage";
import { upgradeHandlers } from "./projects/upgrades";
import { vanitySubdomainHandlers } from "./domains/vanity-subdomain";
import { withNewerFields } from "./newer/with-newer-fields";

const handlers: Handlers = {
  ...actionRunHandlers,
  ...addonHandlers,
  ...analyticsHandlers,
  ...advisorHandlers,
  ...apiKeyHandlers,
  ...authConfigHandlers,
  ...backupHandlers,
  ...branchActionHandlers,
  ...branchHandlers,
  ...cryptoExtensionHandlers,
  ...customHostnameHandlers,
  ...diskHandlers,
  ...databaseAccessHandlers,
  ...entitlementHandlers,
  ...functionHandlers,
  ...jitAccessHandlers,
  ...migrationHandlers,
  ...networkBanHandlers,
  ...networkRestrictionHandlers,
  ...oauthHandlers,
  ...legacyApiKeyHandlers,
  ...organizationHandlers,
  ...poolerHandlers,
  ...postgresConfigHandlers,
  ...profileHandlers,
  ...projectClaimHandlers,
  ...projectConfigHandlers,
  ...projectHandlers,
  ...projectRestoreHandlers,
  ...readReplicaHandlers,
  ...realtimeHandlers,
  ...regionHandlers,
  ...restLayerHandlers,
  ...restorePointHandlers,
  ...secretHandlers,
  ...signingKeyHandlers,
  ...snippetHandlers,
  ...sslEnforcementHandlers,
  ...sqlHandlers,
  ...ssoProviderHandlers,
  ...thirdPartyAuthHandlers,
  ...storageHandlers,
  ...upgradeHandlers,
  ...vanitySubdomainHandlers,
};

/** The business rules of every operation that concerns the state: a missing one does not compile. */
export const ruleHandlers: Handlers = withNewerFields(withPausedAnswers(handlers));
