import type { Samples } from "../sample";
import { backupSamples } from "./backups";
import { billingSamples } from "./billing";
import { actionRunSamples, branchSamples } from "./branches";
import { customHostnameSamples } from "./custom-hostname";
import { databaseSamples } from "./database";
import { diskSamples } from "./disk";
import { functionSamples } from "./functions";
import { apiKeySamples, signingKeySamples } from "./keys";
import { networkSamples } from "./network";
import { organizationSamples } from "./organizations";
import { poolerSamples } from "./pooler";
import { projectSamples } from "./projects";
import { readReplicaSamples } from "./read-replicas";
import { realtimeSamples } from "./realtime";
import { restLayerSamples } from "./rest-layer";
import { secretSamples } from "./secrets";
import { sslEnforcementSamples } from "./ssl-enforcement";
import { ssoProviderSamples } from "./sso-providers";
import { storageSamples } from "./storage";
import { upgradeSamples } from "./upgrades";

/** For each operation what a call that succeeds needs. */
export const samples: Partial<Samples> = {
  ...backupSamples,
  ...billingSamples,
  ...branchSamples,
  ...actionRunSamples,
  ...customHostnameSamples,
  ...databaseSamples,
  ...diskSamples,
  ...functionSamples,
  ...apiKeySamples,
  ...signingKeySamples,
  ...networkSamples,
  ...organizationSamples,
  ...poolerSamples,
  ...projectSamples,
  ...readReplicaSamples,
  ...realtimeSamples,
  ...restLayerSamples,
  ...secretSamples,
  ...sslEnforcementSamples,
  ...ssoProviderSamples,
  ...storageSamples,
  ...upgradeSamples,
};
