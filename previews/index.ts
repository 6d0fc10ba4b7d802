export { IncompleteListingError, type PreviewBranch, type WhichBranches } from "./preview-branch";
export { PullRequestsError, readPullRequests } from "./pull-requests";
export { removePreview, type Removal, type RemovalOptions, type RemoveStack } from "./removal";
export { removeByStack, type StackOptions } from "./stacks";
export { previewStatus, type PreviewStatus, type StatusOptions } from "./status";
export { sweepPreviews, type SweepOptions, type Swept } from "./sweep";
export { MOST_TTL_HOURS, TTL_SECRET } from "../provider/components/preview-environment/lifetime";
