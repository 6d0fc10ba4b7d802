import type { ManagementClient } from "../provider/client";
import { MOST_TTL_HOURS, TTL_SECRET } from "../provider/resources/branches/shared/preview-lifetime";
import { sha256 } from "../provider/core/sha256";
import type { PreviewBranch } from "./preview-branch";

/** After how many hours a branch is to end; undefined where nobody has set that. One call. */
export async function readTtlHours(
  client: ManagementClient,
  { ref }: PreviewBranch,
): Promise<number | undefined> {
  const secrets = await client.listSecrets({ ref });
  const hash = secrets.find(({ name }) => name === TTL_SECRET)?.value?.toLowerCase();
  return hash == null ? undefined : findHours(hash);
}

/** The service shows no value of a secret, only its SHA-256. */
function findHours(hash: string): number | undefined {
  for (let hours = 1; hours <= MOST_TTL_HOURS; hours += 1) {
    if (sha256(String(hours)) === hash) return hours;
  }
  return undefined;
}
