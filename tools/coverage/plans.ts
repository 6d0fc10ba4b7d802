import type { OperationName } from "../../spec/table";

/** Why nothing in the provider calls an operation. */
export type Plan =
  | `later: ${"resource" | "function" | "action"} ${string}`
  /** The client and the emulator have it, and no resource will. */
  | `client only: ${string}`;

/** Every operation that no resource, function or action calls: what will, or why none does. */
export const plans: Readonly<Partial<Record<OperationName, Plan>>> = {
  applyMigration: "later: resource Migration",
  authorize: "client only: a step of a person in a browser",
  authorizeJitAccess: "later: action AuthorizeJitAccess",
  authorizeProjectClaim: "client only: a step of a person in a browser",
  cancelRestore: "later: action CancelRestore",
  countActionRuns: "client only: the listing of the runs is read whole, which counts them",
  createFunction: "client only: deprecated, functions are deployed",
  deleteLoginRoles: "later: action DeleteLoginRoles",
  disableBranching: "client only: would remove branches that other programs manage",
  disableReadonlyMode: "later: action DisableReadonlyMode",
  exchangeToken: "client only: the client exchanges the provider's own OAuth tokens by it",
  getActionRun: "client only: the listing of a branch's runs carries it",
  getApiKey: "client only: the listing carries it, in one call for all keys",
  getBranch: "client only: the listing carries it, in one call for all branches",
  getDatabaseContext: "client only: deprecated",
  getFunction: "client only: the listing carries it, in one call for all functions",
  getFunctionStats: "later: function getFunctionStats",
  getJitUser: "client only: the listing carries it, in one call for all users",
  getLogs: "later: function getLogs",
  getMigration: "later: resource Migration",
  getSnippet: "later: function getSnippet",
  getThirdPartyAuth: "client only: the listing carries it, in one call for all integrations",
  getUsageApiCounts: "later: function getUsage",
  getUsageApiRequestsCount: "later: function getUsage",
  listBackups: "later: function getBackups",
  listNetworkBans: "client only: the enriched listing carries it, with the databases",
  listProjects: "client only: the organization's listing is more precise, and comes in pages",
  listRestoreVersions: "later: function getRestoreVersions",
  listSnippets: "later: function getSnippets",
  mergeBranch: "later: action MergeBranch",
  pushBranch: "later: action PushBranch",
  removeNetworkBans: "later: action RemoveNetworkBans",
  resetBranch: "later: action ResetBranch",
  restorePitr: "later: action RestorePitr",
  revokeToken: "client only: would end the authorization that the provider itself uses",
  rollbackMigrations: "later: resource Migration",
  runQuery: "later: action RunQuery",
  shutDownRealtime: "later: action ShutDownRealtime",
  updateActionRunStatus: "client only: reported by whoever carries out the run",
  updateMigration: "later: resource Migration",
  upsertMigration: "later: resource Migration",
};
