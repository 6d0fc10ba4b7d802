import { z } from "zod";
import { signingKeyStatus } from "../../../spec/operations/signing-keys";
import { instanceSize, regionCode } from "../../../spec/shared-fields";
import { authBehaviour } from "./records/auth";
import { branchRecord } from "./records/branch";
import { mapOf } from "./records/fields";
import { oauthRecords } from "./records/oauth";
import { organizationRecord, plan } from "./records/organization";
import { projectRecord, type ProjectRecord } from "./records/project";
import { snippetRecord } from "./records/snippets";

export type * from "./records/auth";
export type * from "./records/branch";
export type * from "./records/domains";
export type * from "./records/functions";
export type * from "./records/oauth";
export type { OrganizationRecord, OrganizationPlan } from "./records/organization";
export type * from "./records/project";
export type * from "./records/snippets";

/** A personal access token (service, Access). */
const accessTokenRecord = z.strictObject({
  /** `full` holds every privilege of the user, `fine-grained` only the permissions listed. */
  kind: z.enum(["full", "fine-grained"]),
  user: z.string(),
  permissions: z.array(z.string()),
  /** The only organization that it sees; null for all. */
  organizationSlug: z.string().nullable().default(null),
});

/** `current`: as measured (service, How it was measured). A month: as the documents of that month and the exchanges recorded by then say. */
export const serviceVersion = z.enum(["current", "2026-06"]);
export type ServiceVersion = z.infer<typeof serviceVersion>;

/**
 * All that the emulated service knows, as plain data: times are milliseconds since the epoch, and null stands for
 * "none". What settles is stored as what was begun and when; its present state follows from the clock and the pace, so
 * any field may be edited at any time. The fields after `samlMetadata` steer what the service decides by itself.
 */
export const stateSchema = z.strictObject({
  /** By slug. */
  organizations: mapOf(z.string(), organizationRecord),
  /** By ref: projects, and the preview projects of branches (`branchId`). */
  projects: mapOf(z.string(), projectRecord),
  /** By id. */
  branches: mapOf(z.string(), branchRecord),
  /** Personal access tokens that are valid now. */
  accessTokens: mapOf(z.string(), accessTokenRecord),
  oauth: oauthRecords,
  /** By id. */
  snippets: mapOf(z.string(), snippetRecord),
  /** TXT records that the world can look up, by name. */
  dnsTxt: mapOf(z.string(), z.array(z.string())),
  /** Metadata that identity providers serve, by URL; another URL serves metadata whose entity is the URL itself. */
  samlMetadata: mapOf(z.string(), z.string()),
  /** Functions that each project may have under a plan; null for any number. */
  functionQuotas: z.record(plan, z.number().nullable()),
  /** Projects that an organization may have active at once under a plan; null for any number. */
  activeProjectQuotas: z.record(plan, z.number().nullable()),
  /** Which states a signing key can be set to from each. */
  signingKeyMoves: z.record(signingKeyStatus, z.array(signingKeyStatus)),
  auth: authBehaviour,
  /** How the service behaves where measurements contradict the documents of 2026-06. */
  service: serviceVersion,
  /** Whether answers carry the fields that no document lists, and bodies take them. */
  newer: z.boolean(),
  /** Whether the answer to creating an SSO provider lacks the ids of nested objects. */
  ssoNestedIdsOmitted: z.boolean(),
  /** Whether it has the operations beyond the documents; 404 when not. */
  newerOperationsOffered: z.boolean(),
  /** Whether a branch's configuration shows user, password and JWT secret, which are optional. */
  branchCredentialsShown: z.boolean(),
  /** Client ids of the OAuth applications that may work on migrations; null for everybody. */
  migrationPartners: z.array(z.string()).nullable(),
  /** How long a preview branch may be unused before it pauses by itself; null for ever. */
  idleBranchPauseMs: z.number().nullable(),
  /** Whether sizes of Postgres settings come back in kB: `131072kB` for `128MB`. */
  postgresSizesNormalised: z.boolean(),
  /** Whether the database restarts by itself for Postgres settings that need it and for SSL enforcement. */
  settingsRestartDatabase: z.boolean(),
  /** How long the password of a login role lasts, which no document says. */
  loginRoleSeconds: z.int().min(1),
  /** Whether SSL enforcement and replaced network lists are in force only a while after the answer. */
  changesApplyLater: z.boolean(),
  /** Whether `jit-access` answers the state in place of the caller, as it does where `newer` is set. */
  jitAccessShowsState: z.boolean(),
  /** By region: the size from which on it has no room for a new project; a region that is not named has room for all. */
  regionsFullFrom: z.partialRecord(regionCode, instanceSize),
  /** Whether the security advisor checks the configuration as well; there are no such lints in a new project. */
  configurationLinted: z.boolean(),
  /** Number of the project made last. */
  lastProjectNumber: z.number(),
});

/** Whether the service behaves as it was measured last, and not as its documents of 2026-06 say. */
export function isAsMeasured({ service }: Pick<WorldState, "service">): boolean {
  return service === "current";
}

export interface WorldState extends Omit<z.infer<typeof stateSchema>, "projects"> {
  readonly projects: Map<string, ProjectRecord>;
}
