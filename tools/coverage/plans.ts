import type { OperationName } from "../../spec/table";

/** Why nothing in the provider calls an operation. */
export type Plan =
  | `later: ${"resource" | "function" | "action"} ${string}`
  /** The client and the emulator have it, and no resource will. */
  | `client only: ${string}`;

/** Every operation that no resource, function or action calls: what will, or why none does. */
export const plans: Readonly<Partial<Record<OperationName, Plan>>> = {
  authorize: "client only: a step of a person in a browser, at the address that getAuthorizeUrl makes",
  authorizeProjectClaim: "client only: a step of a person in a browser",
  claimProject: "later: action ProjectClaim",
  countActionRuns: "client only: the listing of the runs is read whole, which counts them",
  createClaimToken: "later: resource ProjectClaimToken",
  createFunction: "client only: deprecated, functions are deployed",
  createRestorePoint: "later: action RestorePoint",
  deleteClaimToken: "later: resource ProjectClaimToken",
  deleteLoginRoles: "client only: would end the logins of other programs; each ends by itself in minutes",
  disableBranching: "client only: would remove branches that other programs manage",
  exchangeToken: "client only: the client exchanges the provider's own OAuth tokens by it",
  getApiKey: "client only: the listing carries it, in one call for all keys",
  getBackupSchedule: "later: resource BackupSchedule",
  getBranch: "client only: the listing carries it, in one call for all branches",
  getClaimToken: "later: resource ProjectClaimToken",
  getDatabaseContext: "client only: deprecated",
  getDatabaseOpenapi: "later: function getDatabaseOpenapi",
  getEntitlements: "later: function getEntitlements",
  getFunction: "client only: the listing carries it, in one call for all functions",
  getJitUser: "client only: the listing carries it, in one call for all users",
  getProfile: "later: function getProfile",
  getProjectClaim: "later: action ProjectClaim",
  getRestorePoint: "later: function getRestorePoints",
  getThirdPartyAuth: "client only: the listing carries it, in one call for all integrations",
  listNetworkBans: "client only: the enriched listing carries it, with the databases",
  listProjects: "client only: the organization's listing is more precise, and comes in pages",
  restoreBackup: "later: action BackupRestore",
  revokeToken: "client only: would end the authorization that the provider itself uses",
  undoToRestorePoint: "later: action RestorePointUndo",
  updateActionRunStatus: "client only: reported by whoever carries out the run",
  updateBackupSchedule: "later: resource BackupSchedule",
};
