export { NotThePreviewError, type Preview, type Previews } from "./preview";
export { IncompleteListingError, type PreviewBranch } from "./preview-branch";
export { removePreview, type Removal, type RemovalOptions, type RemovedPullRequest } from "./removal";
export { previewStacks, type PreviewStack, type PreviewStacks, type StackOptions } from "./stacks";
export type { PullRequestState } from "./stale";
export { previewStatus, type PreviewStatus, type StatusOptions } from "./status";
export { sweepPreviews, type SweepOptions, type Swept } from "./sweep";
export { MOST_TTL_HOURS, TTL_SECRET } from "../provider/resources/branches/shared/preview-lifetime";
export {
  DEFAULT_PREFIX,
  previewName,
  type PreviewKey,
} from "../provider/resources/branches/shared/preview-identity";
