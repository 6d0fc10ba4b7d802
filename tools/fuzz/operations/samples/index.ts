import type { Samples } from "../sample";
import { analyticsSamples } from "./analytics";
import { authSamples } from "./auth";
import { billingSamples } from "./billing";
import { branchSamples } from "./branches";
import { databaseSamples } from "./database";
import { domainSamples } from "./domains";
import { functionSamples } from "./functions";
import { logDrainSamples } from "./log-drains";
import { networkSamples } from "./network";
import { oauthSamples } from "./oauth";
import { organizationSamples } from "./organizations";
import { projectSamples } from "./projects";
import { serviceSamples } from "./services";
import { webhookSamples } from "./webhooks";

/** For each operation what a call that succeeds needs. */
export const samples: Samples = {
  ...analyticsSamples,
  ...authSamples,
  ...billingSamples,
  ...branchSamples,
  ...databaseSamples,
  ...domainSamples,
  ...functionSamples,
  ...logDrainSamples,
  ...networkSamples,
  ...oauthSamples,
  ...organizationSamples,
  ...projectSamples,
  ...serviceSamples,
  ...webhookSamples,
};
