import type { ManagementClient } from "../provider/client";
import { ManagementError } from "../provider/client/errors/errors";
import type { Previews } from "./preview";
import { findIntegrationBranch, filterPreviews, type PreviewBranch } from "./preview-branch";
import { HOUR_MS, type PullRequestState } from "./stale";
import { readTtlHours } from "./ttl";

export interface StatusOptions extends Previews {
  readonly client: ManagementClient;
  /** Asks for one pull request; where it throws, it is not known whether that is open. */
  readonly pullRequest?: (number: number) => Promise<PullRequestState>;
}

/** A preview as it is. */
export interface PreviewStatus extends PreviewBranch {
  /** Hours since its creation, in tenths: what its compute is charged for, unless it is paused. */
  readonly ageHours: number;
  /** After how many hours it is to end, where that is set and can be read. */
  readonly ttlHours?: number;
  /** Whether its pull request is open, where that is known. */
  readonly isOpen?: boolean;
  /** The branch that the service's own integration made for the same pull request. */
  readonly integrationBranch?: string;
}

/** All previews of a repository, oldest first. */
export async function previewStatus({ client, pullRequest, ...of }: StatusOptions): Promise<PreviewStatus[]> {
  const listed = await client.listBranches({ ref: of.project });
  const previews = filterPreviews(listed, of);
  return Promise.all(
    previews.map(async (branch): Promise<PreviewStatus> => {
      // A preview that is starting or gone meanwhile does not keep the others from being shown.
      const ttlHours = await readTtlHours(client, branch).catch((error: unknown) => {
        if (error instanceof ManagementError) return undefined;
        throw error;
      });
      const other = findIntegrationBranch(listed, branch);
      const asked = await pullRequest?.(branch.pullRequest).catch(() => undefined);
      return {
        ...branch,
        ageHours: Math.round(((Date.now() - branch.createdMs) / HOUR_MS) * 10) / 10,
        ...(ttlHours === undefined ? {} : { ttlHours }),
        ...(other === undefined ? {} : { integrationBranch: other }),
        ...(asked === undefined ? {} : { isOpen: asked.isOpen }),
      };
    }),
  );
}
