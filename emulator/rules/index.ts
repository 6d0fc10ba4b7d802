import type { Handlers } from "../handler";
import { actionRunHandlers } from "./action-runs";
import { addonHandlers } from "./addons";
import { apiKeyHandlers } from "./api-keys";
import { backupHandlers } from "./backups";
import { branchHandlers } from "./branches";
import { customHostnameHandlers } from "./custom-hostname";
import { diskHandlers } from "./disk";
import { functionHandlers } from "./functions";
import { jitAccessHandlers } from "./jit-access";
import { networkBanHandlers } from "./network-bans";
import { networkRestrictionHandlers } from "./network-restrictions";
import { oauthHandlers } from "./oauth";
import { organizationHandlers } from "./organizations";
import { pendingHandlers } from "./pending";
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
import { ssoProviderHandlers } from "./sso-providers";
import { storageHandlers } from "./storage";
import { upgradeHandlers } from "./upgrades";
import { vanitySubdomainHandlers } from "./vanity-subdomain";

/** The business rules of every operation that concerns the state: a missing one does not compile. */
export const ruleHandlers: Handlers = {
  ...pendingHandlers,
  ...actionRunHandlers,
  ...addonHandlers,
  ...apiKeyHandlers,
  ...backupHandlers,
  ...branchHandlers,
  ...customHostnameHandlers,
  ...diskHandlers,
  ...functionHandlers,
  ...jitAccessHandlers,
  ...networkBanHandlers,
  ...networkRestrictionHandlers,
  ...oauthHandlers,
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
  ...ssoProviderHandlers,
  ...storageHandlers,
  ...upgradeHandlers,
  ...vanitySubdomainHandlers,
};
