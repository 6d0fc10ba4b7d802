import { REALTIME_LAST, REFUSED } from "../../../waiting/starting-calls";
import type { ConditionalCall } from "../../../define/conditional-call";

const SIZED = "with `instanceSize`";

export const conditionalCalls: readonly ConditionalCall[] = [
  ["getRealtimeConfig", ["create", "update"], REALTIME_LAST],
  ["listOrganizationProjects", ["read", "update"], SIZED],
  ["listAddons", ["read"], `${SIZED}, when the organization's listing does not show it`],
  ["listAddons", ["create", "update"], SIZED],
  ["applyAddon", ["create", "update"], "when `instanceSize` differs"],
  ["removeAddon", ["create", "update"], "when `instanceSize` becomes the smallest"],
  ["pauseProject", ["create", "update"], "with `paused: true`"],
  ["restoreProject", ["create", "update"], "with `paused: false`"],
  ["updateDatabasePassword", ["update"], "when `dbPass` changes"],
  ["getUpgradeEligibility", ["create", "update"], "when `postgresVersion` rises"],
  ["startUpgrade", ["create", "update"], "when `postgresVersion` rises"],
  ["getUpgradeStatus", ["create", "update"], "when `postgresVersion` rises, or an upgrade is under way"],
  ["listApiKeys", ["create", "read", "update"], "with `withKeys: true`"],
  ["listPoolerConfigs", ["create", "read", "update"], "with `withPooler: true`"],
  ["updateBranch", ["delete"], "when a persistent branch is left"],
  ["deleteBranch", ["delete"], "when a branch is left"],
  ["getBranchConfig", ["read"], "when what is imported or adopted is no project"],
  ["getBranchConfig", ["create", "update"], REFUSED],
  ["getBranchConfig", ["delete"], "when listing its branches is forbidden"],
];
