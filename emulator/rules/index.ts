import type { Handlers } from "../handler";
import { actionRunHandlers } from "./action-runs";
import { addonHandlers } from "./addons";
import { analyticsHandlers } from "./analytics";
import { advisorHandlers } from "./advisors";
import { apiKeyHandlers } from "./api-keys";
import { authConfigHandlers } from "./auth-config";
import { backupHandlers } from "./backups";
import { branchActionHandlers } from "./branch-actions";
import { branchHandlers } from "./branches";
import { cryptoExtensionHandlers } from "./crypto-extension";
import { customHostnameHandlers } from "./custom-hostname";
import { diskHandlers } from "./disk";
import { databaseAccessHandlers } from "./database-access";
import { functionHandlers } from "./functions";
import { jitAccessHandlers } from "./jit-access";
import { migrationHandlers } from "./migrations";
import { networkBanHandlers } from "./network-bans";
import { networkRestrictionHandlers } from "./network-restrictions";
import { oauthHandlers } from "./oauth";
import { legacyApiKeyHandlers } from "./legacy-api-keys";
import { legacySigningKeyHandlers } from "./legacy-signing-key";
import { organizationHandlers } from "./organizations";
import { poolerHandlers } from "./pooler";
import { postgresConfigHandlers } from "./postgres-config";
import { projectHandlers } from "./projects";
import { readReplicaHandlers } from "./read-replicas";
import { realtimeHandlers } from "./realtime";
import { regionHandlers } from "./regions";
import { restLayerHandlers } from "./rest-layer";
import { secretHandlers } from "./secrets";
import { signingKeyHandlers } from "./signing-keys";
import { snippetHandlers } from "./snippets";
import { sslEnforcementHandlers } from "./ssl-enforcement";
import { sqlHandlers } from "./sql";
import { ssoProviderHandlers } from "./sso-providers";
import { thirdPartyAuthHandlers } from "./third-party-auth";
import { storageHandlers } from "./storage";
import { upgradeHandlers } from "./upgrades";
import { vanitySubdomainHandlers } from "./vanity-subdomain";

/** The business rules of every operation that concerns the state: a missing one does not compile. */
export const ruleHandlers: Handlers = {
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
  ...functionHandlers,
  ...jitAccessHandlers,
  ...migrationHandlers,
  ...networkBanHandlers,
  ...networkRestrictionHandlers,
  ...oauthHandlers,
  ...legacyApiKeyHandlers,
  ...legacySigningKeyHandlers,
  ...organizationHandlers,
  ...poolerHandlers,
  ...postgresConfigHandlers,
  ...projectHandlers,
  ...readReplicaHandlers,
  ...realtimeHandlers,
  ...regionHandlers,
  ...restLayerHandlers,
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
