import type { Samples } from "../sample";
import { actionRunSamples } from "./action-runs";
import { advisorSamples } from "./advisors";
import { analyticsSamples } from "./analytics";
import { apiKeySamples } from "./api-keys";
import { authConfigSamples } from "./auth-config";
import { backupSamples } from "./backups";
import { billingSamples } from "./billing";
import { branchSamples } from "./branches";
import { cryptoExtensionSamples } from "./crypto-extension";
import { customHostnameSamples } from "./custom-hostname";
import { databaseAccessSamples } from "./database-access";
import { databaseSamples } from "./database";
import { diskSamples } from "./disk";
import { functionSamples } from "./functions";
import { jitAccessSamples } from "./jit-access";
import { migrationSamples } from "./migrations";
import { networkSamples } from "./network";
import { oauthSamples } from "./oauth";
import { organizationSamples } from "./organizations";
import { poolerSamples } from "./pooler";
import { projectSamples } from "./projects";
import { readReplicaSamples } from "./read-replicas";
import { realtimeSamples } from "./realtime";
import { restLayerSamples } from "./rest-layer";
import { secretSamples } from "./secrets";
import { signingKeySamples } from "./signing-keys";
import { snippetSamples } from "./snippets";
import { sqlSamples } from "./sql";
import { sslEnforcementSamples } from "./ssl-enforcement";
import { ssoProviderSamples } from "./sso-providers";
import { storageSamples } from "./storage";
import { thirdPartyAuthSamples } from "./third-party-auth";
import { upgradeSamples } from "./upgrades";
import { vanitySubdomainSamples } from "./vanity-subdomain";

/** For each operation what a call that succeeds needs. */
export const samples: Samples = {
  ...actionRunSamples,
  ...advisorSamples,
  ...analyticsSamples,
  ...apiKeySamples,
  ...authConfigSamples,
  ...backupSamples,
  ...billingSamples,
  ...branchSamples,
  ...cryptoExtensionSamples,
  ...customHostnameSamples,
  ...databaseAccessSamples,
  ...databaseSamples,
  ...diskSamples,
  ...functionSamples,
  ...jitAccessSamples,
  ...migrationSamples,
  ...networkSamples,
  ...oauthSamples,
  ...organizationSamples,
  ...poolerSamples,
  ...projectSamples,
  ...readReplicaSamples,
  ...realtimeSamples,
  ...restLayerSamples,
  ...secretSamples,
  ...signingKeySamples,
  ...snippetSamples,
  ...sqlSamples,
  ...sslEnforcementSamples,
  ...ssoProviderSamples,
  ...storageSamples,
  ...thirdPartyAuthSamples,
  ...upgradeSamples,
  ...vanitySubdomainSamples,
};
