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
  countActionRuns: "client only: the listing of the runs is read whole, which counts them",
  createFunction: "client only: deprecated, functions are deployed",
  deleteLoginRoles: "client only: would end the logins of other programs; each ends by itself in minutes",
  disableBranching: "client only: would remove branches that other programs manage",
  exchangeToken: "client only: the client exchanges the provider's own OAuth tokens by it",
  getApiKey: "client only: the listing carries it, in one call for all keys",
  getBranch: "client only: the listing carries it, in one call for all branches",
  getDatabaseContext: "client only: deprecated",
  getFunction: "client only: the listing carries it, in one call for all functions",
  getJitUser: "client only: the listing carries it, in one call for all users",
  getThirdPartyAuth: "client only: the listing carries it, in one call for all integrations",
  listNetworkBans: "client only: the enriched listing carries it, with the databases",
  listProjects: "client only: the organization's listing is more precise, and comes in pages",
  revokeToken: "client only: would end the authorization that the provider itself uses",
  updateActionRunStatus: "client only: reported by whoever carries out the run",
};
