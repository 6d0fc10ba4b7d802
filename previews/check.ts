import type { ManagementClient } from "../provider/client";
import { ApiError, ForbiddenError, UnauthorizedError } from "../provider/client/errors/errors";
import { operations, type OperationName } from "../spec/table";
import { alignColumns } from "./aligned";
import type { Forge } from "./forge/forge";
import { checkForgeSettings } from "./forge-settings";
import { filterIntegrationBranches, SWITCH_ONE_OFF } from "./preview-branch";
import { previewPermissions } from "./permissions.generated";
import type { OutputStreams } from "./redaction";

interface AccessCheck {
  readonly operation: OperationName;
  /** What who holds the token gets by it. */
  readonly shows: string;
  readonly call: (client: ManagementClient, ref: string) => Promise<unknown>;
}

/** What is worth knowing of a project; each changes nothing. */
const READS: readonly AccessCheck[] = [
  createReadCheck("listProjects", "which projects there are", (client) => client.listProjects()),
  createReadCheck("getProject", "the project itself", (client, ref) => client.getProject({ ref })),
  createReadCheck("listBranches", "its branches", (client, ref) => client.listBranches({ ref })),
  createReadCheck("runReadOnlyQuery", "all data of its database", (client, ref) =>
    client.runReadOnlyQuery({ ref, body: { query: "select 1" } }),
  ),
  createReadCheck("listApiKeys", "its API keys", (client, ref) => client.listApiKeys({ ref })),
  createReadCheck("listSecrets", "names and hashes of its function secrets", (client, ref) =>
    client.listSecrets({ ref }),
  ),
  createReadCheck("listFunctions", "its functions", (client, ref) => client.listFunctions({ ref })),
  createReadCheck("getAuthConfig", "its auth settings, with the credentials in them", (client, ref) =>
    client.getAuthConfig({ ref }),
  ),
  createReadCheck("listSigningKeys", "its signing keys", (client, ref) => client.listSigningKeys({ ref })),
  createReadCheck("getRestLayerConfig", "its JWT secret, with the REST layer's settings", (client, ref) =>
    client.getRestLayerConfig({ ref }),
  ),
  createReadCheck("getPostgresConfig", "its Postgres settings", (client, ref) =>
    client.getPostgresConfig({ ref }),
  ),
  createReadCheck("listPoolerConfigs", "its pooler's settings", (client, ref) =>
    client.listPoolerConfigs({ ref }),
  ),
  createReadCheck("getStorageConfig", "its storage settings", (client, ref) =>
    client.getStorageConfig({ ref }),
  ),
  createReadCheck("getNetworkRestrictions", "who may connect to it", (client, ref) =>
    client.getNetworkRestrictions({ ref }),
  ),
  createReadCheck("listBackups", "its backups", (client, ref) => client.listBackups({ ref })),
];

function createReadCheck(operation: OperationName, shows: string, call: AccessCheck["call"]): AccessCheck {
  return { operation, shows, call };
}

const REFUSED = "refused";
const NOT_FOUND = "answers 404";
const LACKING =
  "The service refused a read that previews need. Give the token the permissions that `init` prints.";
const UNANSWERED = "A read that previews need failed. Correct the cause shown above, then run again.";
const formatMissing = (project: string): string =>
  `The service finds no project ${project} with this token: compare the reference with that in the service's console. MANAGEMENT_BASE_URL may be of another installation, or the token of other projects.`;
const MORE =
  "The token can read more than previews need. Create one with only the permissions that `init` prints.";
const WHAT_IS_NOT_KNOWN = [
  "This check writes nothing, so it does not know what the token may write. Compare its permissions with those that `init` prints.",
  "A personal access token without fine-grained permissions can do everything that its user can, in all of the user's projects.",
];

/**
 * Says which reads of the parent succeed with the configured token, and what the forge lacks; 1 where a read that previews need does
 * not, or something is still to be set.
 */
export async function checkToken(
  client: ManagementClient,
  project: string,
  { out }: Pick<OutputStreams, "out">,
  forge?: Forge,
): Promise<number> {
  const rows: string[][] = [];
  let isMissing = false;
  const verdict = new Set<string>();
  for (const { operation, shows, call } of READS) {
    const isNeeded = isNeededBy(operation);
    const answer = await describeAnswer(() => call(client, project));
    isMissing ||= operation === "getProject" && answer === NOT_FOUND;
    if (isNeeded && answer !== "succeeds")
      verdict.add(isMissing ? formatMissing(project) : answer === REFUSED ? LACKING : UNANSWERED);
    if (!isNeeded && answer === "succeeds") verdict.add(MORE);
    rows.push([operation, answer, isNeeded ? "yes" : "no", shows]);
  }
  const others = await listIntegrationBranches(client, project);
  if (others.length > 0) {
    const shown = others.map(({ name, pullRequest }) => `${name} (pull request ${pullRequest})`).join(", ");
    verdict.add(
      `The service's own integration with a forge makes branches of this project: ${shown}. ${SWITCH_ONE_OFF}`,
    );
  }
  const settings = await checkForgeSettings(forge);
  const table = alignColumns([["read", "with this token", "needed", "what it shows"], ...rows]);
  out(`${[...table, "", ...verdict, settings.says, ...WHAT_IS_NOT_KNOWN].join("\n")}\n`);
  return isMissing || verdict.has(LACKING) || verdict.has(UNANSWERED) || settings.isComplete === false
    ? 1
    : 0;
}

/** None where the listing is refused: the table says so. */
async function listIntegrationBranches(client: ManagementClient, ref: string) {
  try {
    return filterIntegrationBranches(await client.listBranches({ ref }));
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

function isNeededBy(operation: OperationName): boolean {
  const { permissions }: { readonly permissions: readonly (readonly string[])[] } = operations[operation];
  return permissions.some((all) => all.every((permission) => previewPermissions.includes(permission)));
}

async function describeAnswer(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return "succeeds";
  } catch (error) {
    if (error instanceof ForbiddenError) return REFUSED;
    // A wrong token or an address that does not answer is the same for every read.
    if (error instanceof ApiError && !(error instanceof UnauthorizedError)) return `answers ${error.status}`;
    throw error;
  }
}
