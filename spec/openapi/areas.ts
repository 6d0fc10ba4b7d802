import * as actionRuns from "../operations/action-runs";
import * as advisors from "../operations/advisors";
import * as analytics from "../operations/analytics";
import * as apiKeys from "../operations/api-keys";
import * as authConfig from "../operations/auth-config";
import * as backups from "../operations/backups";
import * as billing from "../operations/billing";
import * as branches from "../operations/branches";
import * as cryptoExtension from "../operations/crypto-extension";
import * as customHostname from "../operations/custom-hostname";
import * as database from "../operations/database";
import * as databaseAccess from "../operations/database-access";
import * as disk from "../operations/disk";
import * as functions from "../operations/functions";
import * as jitAccess from "../operations/jit-access";
import * as migrations from "../operations/migrations";
import * as network from "../operations/network";
import * as webhooks from "../operations/newer/webhooks";
import * as newerBackups from "../operations/newer/backups";
import * as newerBranches from "../operations/newer/branches";
import * as customHostnameRemoval from "../operations/newer/custom-hostname-removal";
import * as databaseOpenapi from "../operations/newer/database-openapi";
import * as entitlements from "../operations/newer/entitlements";
import * as jitInvitations from "../operations/newer/jit-invitations";
import * as logDrains from "../operations/newer/log-drains";
import * as profile from "../operations/newer/profile";
import * as projectClaims from "../operations/newer/project-claims";
import * as projectTransfers from "../operations/newer/project-transfers";
import * as oauth from "../operations/oauth";
import * as organizations from "../operations/organizations";
import * as pooler from "../operations/pooler";
import * as projects from "../operations/projects";
import * as readReplicas from "../operations/read-replicas";
import * as realtime from "../operations/realtime";
import * as restLayer from "../operations/rest-layer";
import * as secrets from "../operations/secrets";
import * as signingKeys from "../operations/signing-keys";
import * as snippets from "../operations/snippets";
import * as sql from "../operations/sql";
import * as sslEnforcement from "../operations/ssl-enforcement";
import * as ssoProviders from "../operations/sso-providers";
import * as storage from "../operations/storage";
import * as thirdPartyAuth from "../operations/third-party-auth";
import * as upgrades from "../operations/upgrades";
import * as vanitySubdomain from "../operations/vanity-subdomain";

/** What each area of the API exports, by the name that is its operations' tag in the document. */
export const areas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  organizations: { ...organizations, ...entitlements },
  profile,
  projects,
  "project-claims": projectClaims,
  "project-transfers": projectTransfers,
  branches: { ...branches, ...newerBranches },
  "action-runs": actionRuns,
  functions,
  secrets,
  "api-keys": apiKeys,
  "auth-config": authConfig,
  "signing-keys": signingKeys,
  "sso-providers": ssoProviders,
  "third-party-auth": thirdPartyAuth,
  database: { ...database, ...databaseOpenapi },
  "database-access": databaseAccess,
  sql,
  migrations,
  "jit-access": { ...jitAccess, ...jitInvitations },
  pooler,
  "ssl-enforcement": sslEnforcement,
  "read-replicas": readReplicas,
  backups: { ...backups, ...newerBackups },
  upgrades,
  network,
  disk,
  billing,
  storage,
  realtime,
  "rest-layer": restLayer,
  "crypto-extension": cryptoExtension,
  "custom-hostname": { ...customHostname, ...customHostnameRemoval },
  "vanity-subdomain": vanitySubdomain,
  advisors,
  analytics,
  "log-drains": logDrains,
  snippets,
  webhooks,
  oauth,
};
