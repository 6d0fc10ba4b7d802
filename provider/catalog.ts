import type { AnyFunction } from "./define/function";
import type { AnyResource } from "./define/resource";
import { apiKey } from "./resources/auth/api-key";
import { signingKey } from "./resources/auth/signing-key";
import { ssoProvider } from "./resources/auth/sso-provider";
import { branch } from "./resources/branches/branch";
import { postgresConfig } from "./resources/database/postgres-config";
import { customHostname } from "./resources/domains/custom-hostname";
import { edgeFunction } from "./resources/functions/edge-function";
import { secret } from "./resources/functions/secret";
import { project } from "./resources/projects/project";

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
export const functions: readonly AnyFunction[] = [];

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
