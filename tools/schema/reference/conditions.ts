import type { OperationName } from "../../../spec/table";
import type { Step } from "./code-facts";

/** In every step, or in the named ones while the others call it always. */
export type Condition = string | Readonly<Partial<Record<Step, string>>>;

type Conditions = Readonly<Partial<Record<OperationName, Condition>>>;

/** A write that a project refuses, as it is starting or paused, looks at its state and waits for its health. */
const REFUSED = "when a project that is starting refuses a write";
const starting: Conditions = {
  getProject: REFUSED,
  getBranchConfig: "when a branch that is starting refuses a write",
  getHealth: REFUSED,
};

/** When a step calls an operation that it otherwise does without, by type of resource or name of function. */
export const conditions: Readonly<Record<string, Conditions>> = {
  Project: {
    listOrganizationProjects: { read: "with `desiredInstanceSize`", update: "with `desiredInstanceSize`" },
    listAddons: {
      read: "with `desiredInstanceSize`, when the organization's listing does not show it",
      create: "with `desiredInstanceSize`",
      update: "with `desiredInstanceSize`",
    },
    applyAddon: "when `desiredInstanceSize` differs",
    removeAddon: "when `desiredInstanceSize` becomes the smallest",
    pauseProject: "with `paused: true`",
    restoreProject: "with `paused: false`",
    updateDatabasePassword: "when `dbPass` changes",
    getUpgradeEligibility: "when `postgresVersion` rises",
    startUpgrade: "when `postgresVersion` rises",
    getUpgradeStatus: "when `postgresVersion` rises, or an upgrade is under way",
    updateBranch: "when a persistent branch is left",
    deleteBranch: "when a branch is left",
    getBranchConfig: {
      read: "when what is imported or adopted is no project",
      create: REFUSED,
      update: REFUSED,
      delete: "when listing its branches is forbidden",
    },
  },
  Branch: {
    listSecrets: "with `secrets`",
    createSecrets: "when `secrets` changes",
    deleteSecrets: "when a name leaves `secrets`",
    getActionRunLogs: "when a step that fills the branch failed",
    restoreBranch: "when its deletion is scheduled",
    restoreProject: "when it has paused by itself",
    getProject: REFUSED,
    getBranchConfig: { delete: "when listing the branches is forbidden" },
    updateBranch: { delete: "when it is persistent" },
  },
  SigningKey: {
    ...starting,
    getSigningKey: "when the listing does not show a new key yet",
    updateSigningKey: {
      create: "when the key does not have the declared `status` yet",
      delete: "when it is not revoked yet",
    },
  },
  ApiKey: starting,
  Secret: starting,
  EdgeFunction: {
    ...starting,
    updateFunction: "when nothing but `name` or `verifyJwt` changes",
    getFunctionBody: "when it is imported",
    updateFunctions: "when nothing but `name` or `verifyJwt` changes, in several functions",
  },
  SsoProvider: {
    ...starting,
    listSsoProviders: {
      update: "with `attributeMapping`, or when the service answers 404",
      delete: "when the service answers 404",
    },
    getSsoProvider: "when the listing leaves the metadata document out",
  },
  CustomHostname: {
    ...starting,
    reverifyCustomHostname: "with `activate: true`",
    activateCustomHostname: "with `activate: true`",
  },
  PostgresConfig: {
    getHealth: `after a restart, or ${REFUSED}`,
    getBranchConfig: "when a branch that is starting refuses a write",
  },
  getProject: { listOrganizationProjects: "with `name`" },
};
