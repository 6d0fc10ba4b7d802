import { ManagementError, type ManagementClient } from "../provider/client";
import { isOpen, listPreviews, type PreviewBranch, type WhichBranches } from "./preview-branch";
import { HOUR_MS } from "./stale";
import { ttlHoursOf } from "./ttl";

export interface StatusOptions extends WhichBranches {
  readonly client: ManagementClient;
  /** Numbers of the open pull requests, where they are known. */
  readonly open?: ReadonlySet<number>;
}

/** A preview as it is. */
export interface PreviewStatus extends PreviewBranch {
  /** Hours since its creation, in tenths: what its compute is charged for, unless it is paused. */
  readonly ageHours: number;
  /** After how many hours it is to end, where that is set and can be read. */
  readonly ttlHours?: number;
  /** Whether its pull request is open, where that is known. */
  readonly isOpen?: boolean;
}

/** All previews of a project, oldest first. */
export async function previewStatus({ client, open, ...which }: StatusOptions): Promise<PreviewStatus[]> {
  const previews = await listPreviews(client, which);
  return Promise.all(
    previews.map(async (branch): Promise<PreviewStatus> => {
      // A preview that is starting or gone meanwhile does not keep the others from being shown.
      const ttlHours = await ttlHoursOf(client, branch).catch((error: unknown) => {
        if (error instanceof ManagementError) return undefined;
        throw error;
      });
      return {
        ...branch,
        ageHours: Math.round(((Date.now() - branch.createdMs) / HOUR_MS) * 10) / 10,
        ...(ttlHours === undefined ? {} : { ttlHours }),
        ...(open === undefined ? {} : { isOpen: isOpen(branch, open) }),
      };
    }),
  );
}
