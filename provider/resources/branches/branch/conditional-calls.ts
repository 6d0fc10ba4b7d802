import { REALTIME_LAST, REFUSED } from "../../../waiting/starting-calls";
import type { ConditionalCall } from "../../../define/conditional-call";

export const conditionalCalls: readonly ConditionalCall[] = [
  ["getRealtimeConfig", ["create", "update"], REALTIME_LAST],
  ["listSecrets", ["create", "read", "update"], "with `secrets`"],
  ["createSecrets", ["update"], "when `secrets` changes"],
  ["deleteSecrets", ["update"], "when a name leaves `secrets`"],
  ["getActionRunLogs", ["create", "update"], "when a step that fills the branch failed"],
  ["listApiKeys", ["create", "read", "update"], "with `withKeys: true`"],
  ["listPoolerConfigs", ["create", "read", "update"], "with `withPooler: true`"],
  ["restoreBranch", ["create", "update"], "when its deletion is scheduled"],
  ["restoreProject", ["create", "update"], "when it has paused by itself"],
  ["getProject", ["create"], REFUSED],
  ["getBranchConfig", ["delete"], "when listing the branches is forbidden"],
  ["updateBranch", ["create"], "with `requestReview: true`"],
  ["updateBranch", ["delete"], "when it is persistent"],
];
