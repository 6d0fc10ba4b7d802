import type { AnyFunction } from "./define/function";
import type { AnyResource } from "./define/resource";
import { getApiKeys } from "./functions/auth/get-api-keys";
import { getSigningKeys } from "./functions/auth/get-signing-keys";
import { getSsoProviders } from "./functions/auth/get-sso-providers";
import { getBranch } from "./functions/branches/get-branch";
import { getPostgresConfig } from "./functions/database/get-postgres-config";
import { getCustomHostname } from "./functions/domains/get-custom-hostname";
import { getFunctions } from "./functions/functions/get-functions";
import { getOrganization } from "./functions/organizations/get-organization";
import { getAvailableRegions } from "./functions/projects/get-available-regions";
import { getHealth } from "./functions/projects/get-health";
import { getProject } from "./functions/projects/get-project";
import { getProjects } from "./functions/projects/get-projects";
import { getUpgradeEligibility } from "./functions/projects/get-upgrade-eligibility";
import { apiKey } from "./resources/auth/api-key/api-key";
import { signingKey } from "./resources/auth/signing-key/signing-key";
import { ssoProvider } from "./resources/auth/sso-provider/sso-provider";
import { branch } from "./resources/branches/branch/branch";
import { postgresConfig } from "./resources/database/postgres-config/postgres-config";
import { customHostname } from "./resources/domains/custom-hostname/custom-hostname";
import { edgeFunction } from "./resources/functions/edge-function/edge-function";
import { secret } from "./resources/functions/secret/secret";
import { project } from "./resources/projects/project/project";

/** Every resource of the provider. */
export const resources: readonly AnyResource[] = [
  project,
  branch,
  signingKey,
  apiKey,
  secret,
  edgeFunction,
  ssoProvider,
  customHostname,
  postgresConfig,
];

/** Every function of the provider. */
export const functions: readonly AnyFunction[] = [
  getProject,
  getProjects,
  getBranch,
  getApiKeys,
  getSigningKeys,
  getFunctions,
  getSsoProviders,
  getHealth,
  getPostgresConfig,
  getCustomHostname,
  getUpgradeEligibility,
  getAvailableRegions,
  getOrganization,
];

/** Throws when this version of the package has no such type. */
export function resourceByType(type: string): AnyResource {
  const resource = resources.find((candidate) => candidate.type === type);
  if (resource === undefined) {
    throw new Error(
      `pulumi-management has no resource type ${type}; it has ${resources.map((one) => one.type).join(", ")}. ` +
        "A newer version of the package may be needed.",
    );
  }
  return resource;
}

/** Throws when this version of the package has no such function. */
export function functionByName(name: string): AnyFunction {
  const found = functions.find((candidate) => candidate.name === name);
  if (found === undefined) {
    throw new Error(
      `pulumi-management has no function ${name}; it has ${functions.map((one) => one.name).join(", ")}. ` +
        "A newer version of the package may be needed.",
    );
  }
  return found;
}
