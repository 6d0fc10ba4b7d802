import { z } from "zod";
import { isObject } from "../../../../spec/is-object";
import { jitRole } from "../../../../spec/operations/jit-access";
import { ResponseSchemaError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Api, Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject, UUID } from "../../../define/list";
import { asSet, comparedBy, formed, replaces } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { refuseEmptyListing } from "../../../lookup/unproven-absence";
import { defineResource, type CheckFailure } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { mergeUnknown } from "../../../settings/mapping/keep-unknown";
import { callWhenReady } from "../../../waiting/project-health";
import { toCanonicalCidr, cidrProblems, cidrSet, type CidrFamily } from "../../network/shared/cidrs";

const networks = (family: CidrFamily) =>
  cidrSet(
    family,
    `IP${family} networks from which the user may assume the role, in CIDR notation, a set. Default: every network, if both lists are omitted.`,
    1,
  );

export const role = z
  .strictObject({
    role: z.string().min(1).describe("Name of the database role."),
    expiresAt: formed(
      z.iso.datetime({ offset: true }),
      "a time in ISO 8601 with `Z` or an offset",
      "2027-01-31T18:00:00Z",
    )
      .describe("Time until which the user may assume the role, ISO 8601, to the second. Default: no limit.")
      .optional(),
    allowedCidrs: networks("v4").optional(),
    allowedCidrsV6: networks("v6").optional(),
    branchesOnly: z
      .boolean()
      .describe(
        "Whether the user may assume the role on branches only, not on the project itself. If it is omitted, the role keeps the value that it has. Some installations ignore it.",
      )
      .optional(),
  })
  .meta({ id: "JitUserRole", description: "A database role that a user may assume." });

const rolesInput = comparedBy(
  asSet(
    z
      .array(role)
      .min(1)
      .describe(
        "All roles that the user may assume, a set. Roles granted elsewhere are drift and are revoked. Expired roles are ignored, with a warning.",
      ),
  ),
  normalizeRoles,
);

const inputs = z.strictObject({
  projectRef,
  userId: replaces(
    formed(z.uuid(), "a UUID", "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50").describe(
      "Identifier of the user, a UUID.",
    ),
  ),
  roles: rolesInput,
  ...everyResource,
});

type Inputs = z.output<typeof inputs>;

const problems = {
  noCidrV4: cidrProblems.noCidrV4,
  noCidrV6: cidrProblems.noCidrV6,
  roleTwice: defineProblem({
    says: "the role {role} is declared twice: {remedy}",
    means: "Two elements of `roles` have the same role.",
    remedy: "Declare it once, with all its networks",
  }),
  everywhere: defineProblem({
    says: "the role {role} can now be assumed from every network, because its lists of networks were removed. {remedy}.",
    means: "Warning. The program no longer declares any list of networks for a role.",
    remedy: "To restrict it, declare `allowedCidrs` or `allowedCidrsV6`",
  }),
  forEver: defineProblem({
    says: "the role {role} no longer expires, because `expiresAt` was removed. {remedy}.",
    means: "Warning. The program no longer declares `expiresAt` for a role.",
    remedy: "To let it expire, declare `expiresAt`",
  }),
  expired: defineProblem({
    says: "the access of user {user} to {roles} has expired. The provider ignores it. {remedy}.",
    means: "Warning. The `expiresAt` of a declared role is in the past.",
    remedy: "Remove the role from the program, or set a later `expiresAt`",
  }),
};

/** The database roles that a user may assume just in time. */
export const jitUser = defineResource({
  type: "JitUser",
  description:
    "The database roles that a user may assume just in time, with expiry and networks. The resource manages all roles of the user, and deleting it revokes them all. `JitAccess` enables just-in-time access.",
  inputs,
  outputs: z.object({}),
  timeouts: { create: 300, update: 300, delete: 300 },
  isRepeatable: true,
  uniqueBy: ["userId"],
  importId: inProject("userId", "`getMembers`"),
  list: listInProject(
    async (ctx, ref) => Array.from((await listJitUsersOnce(ctx, ref)).keys(), (id) => ({ id, name: id })),
    UUID,
  ),
  problems,

  check: ({ roles = [] }, _, before) => ({
    failures: listDoubles(roles),
    warnings: listWidened(roles, before),
  }),

  async find(ctx, { projectRef: ref, userId }) {
    const record = (await listJitUsersOnce(ctx, ref)).get(normalizeUserId(userId));
    const granted = record === undefined ? [] : fromWire(record);
    if (granted.length === 0) return [];
    return [{ id: userId, label: granted.map(({ role }) => role).join(", ") }];
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const { roles: declared = [] } = state;
    const record = (await listJitUsersOnce(ctx, ref)).get(normalizeUserId(id));
    const expired = declared.filter((role) => isExpired(role, ctx.clock.now()));
    const isOver = declared.length > 0 && expired.length === declared.length;
    if (record === undefined && !isOver) return undefined;
    warnOfExpired(ctx, id, expired);
    const granted = record === undefined ? [] : omitUndeclared(fromWire(record), declared);
    // The service may drop what has expired.
    const missing = expired.filter(({ role }) => granted.every((one) => one.role !== role));
    return { inputs: { projectRef: ref, userId: id, roles: [...granted, ...missing] }, outputs: {} };
  },

  async create(ctx, declared) {
    await putUser(ctx, declared);
    return { id: declared.userId };
  },

  async update(ctx, { inputs: declared }) {
    const { projectRef: ref } = declared;
    if ((await listJitUsersOnce(ctx, ref)).size === 0) await refuseEmptyListing(ctx, ref, "users");
    await putUser(ctx, declared);
    return {};
  },

  delete: (ctx, { id, state }) => revokeRoles(ctx, requireProjectRef(state), id),
});

async function putUser(ctx: Context, { projectRef: ref, userId, roles }: Inputs): Promise<void> {
  warnOfExpired(
    ctx,
    userId,
    roles.filter((role) => isExpired(role, ctx.clock.now())),
  );
  await putRoles(ctx, ref, { user_id: userId, roles: listLasting(ctx, roles).map(toWire) });
}

type GrantedRole = z.output<typeof role>;

/** Whether a declared role is limited to branches is nobody's business where the program does not say. */
function omitUndeclared(granted: readonly GrantedRole[], declared: readonly GrantedRole[]): GrantedRole[] {
  return granted.map(({ branchesOnly, ...role }) => {
    const known = declared.find((one) => one.role === role.role);
    const isOpen = known !== undefined && known.branchesOnly === undefined;
    return branchesOnly === undefined || isOpen ? role : { ...role, branchesOnly };
  });
}

function listLasting(ctx: Context, roles: readonly GrantedRole[]): GrantedRole[] {
  return roles.filter((role) => !isExpired(role, ctx.clock.now()));
}

function warnOfExpired(ctx: Context, user: string, expired: readonly GrantedRole[]): void {
  if (expired.length === 0) return;
  const roles = expired.map(({ role, expiresAt = "" }) => `${role} (${expiresAt})`).join(", ");
  ctx.warn(problems.expired.message({ user, roles }));
}

function listDoubles(roles: readonly GrantedRole[]): CheckFailure[] {
  return roles.flatMap(({ role }, index) => {
    const isSecond = roles.findIndex((one) => one.role === role) < index;
    return isSecond ? [{ path: `roles[${index}].role`, reason: problems.roleTwice.message({ role }) }] : [];
  });
}

/** Roles that lose a restriction when a line of it is taken out; no plan is to do that in passing. */
function listWidened(
  roles: readonly GrantedRole[],
  before: Readonly<Record<string, unknown>> = {},
): string[] {
  const were = rolesInput.safeParse(before["roles"]).data ?? [];
  return roles.flatMap(({ role, expiresAt, allowedCidrs, allowedCidrsV6 }) => {
    const was = were.find((one) => one.role === role);
    const wasLimited = was?.allowedCidrs !== undefined || was?.allowedCidrsV6 !== undefined;
    const isLimited = allowedCidrs !== undefined || allowedCidrsV6 !== undefined;
    return [
      ...(wasLimited && !isLimited ? [problems.everywhere.message({ role })] : []),
      ...(was?.expiresAt !== undefined && expiresAt === undefined
        ? [problems.forEver.message({ role })]
        : []),
    ];
  });
}

/** A user with the roles that it may assume, as the service lists it. */
type JitUserRecord = Awaited<ReturnType<Api["listJitUsers"]>>[number];

const listKey = (ref: string): string => `jit-users:${ref}`;

/** The users of a project by id: one listing for all resources of a run, until one of them is changed. */
async function listJitUsersOnce(ctx: Context, ref: string): Promise<Map<string, JitUserRecord>> {
  return ctx.shared.list(listKey(ref), async () => {
    const users = new Map<string, JitUserRecord>();
    for (const user of await ctx.api.listJitUsers({ ref })) {
      const { user_id: id, user_roles: roles } = user;
      // Who is only invited has no id yet (service, Just-in-time access); left out, a user would look as if gone.
      if (id === undefined || !Array.isArray(roles))
        throw createMissingPartError(id === undefined ? "user_id" : "user_roles");
      if (id !== null) users.set(normalizeUserId(id), user);
    }
    return users;
  });
}

/** UUIDs are the same in either case. */
function normalizeUserId(userId: string): string {
  return userId.toLowerCase();
}

type JitUserBody = Parameters<Api["updateJitUser"]>[0]["body"];

/** Replaces all roles of the user; doing so twice is doing it once. What this version does not know of a role stays. */
async function putRoles(ctx: Context, ref: string, { user_id: id, roles }: JitUserBody): Promise<void> {
  const present = (await listJitUsersOnce(ctx, ref)).get(normalizeUserId(id))?.user_roles ?? [];
  const whole = roles.map((role) => {
    const now = present.find((one) => one.role === role.role);
    const only = now?.branches_only;
    // Undeclared it stays: no change is to let a user onto the project in passing.
    return mergeUnknown(jitRole, now, only == null ? role : { branches_only: only, ...role });
  });
  const send = (): Promise<unknown> => ctx.api.updateJitUser({ ref, body: { user_id: id, roles: whole } });
  await callWhenReady(ctx, ref, ["db"], send).finally(() => ctx.shared.forget(listKey(ref)));
}

async function revokeRoles(ctx: Context, ref: string, userId: string): Promise<void> {
  const send = (): Promise<unknown> => ctx.api.deleteJitUser({ ref, user_id: userId });
  await callWhenReady(ctx, ref, ["db"], send).finally(() => ctx.shared.forget(listKey(ref)));
}

function createMissingPartError(part: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `listJitUsers failed: a user in the answer has no ${part}. All users are treated as still present. Run again.`,
    "listJitUsers",
    part,
  );
}

/** Spellings of one instant and of one network mean the same, and so do no networks and none given. */
export function normalizeRoles(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((one: unknown) => {
    if (!isObject(one)) return one;
    const { role: name, expiresAt, allowedCidrs, allowedCidrsV6, branchesOnly } = one;
    const networks = [normalizeCidrs(allowedCidrs), normalizeCidrs(allowedCidrsV6)];
    return [name, toSeconds(expiresAt) ?? null, ...networks, branchesOnly ?? null];
  });
}

function normalizeCidrs(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? [];
  return [...new Set(value.map((cidr) => toCanonicalCidr(String(cidr))))].sort();
}

/** What is no time is compared as it is. */
function toSeconds(time: unknown): unknown {
  if (typeof time !== "string") return time;
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : Math.floor(ms / 1_000);
}

function isExpired({ expiresAt }: GrantedRole, nowMs: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs;
}

function toWire({
  role: name,
  expiresAt,
  allowedCidrs,
  allowedCidrsV6,
  branchesOnly,
}: GrantedRole): JitUserBody["roles"][number] {
  const toCidrEntries = (cidrs: readonly string[]) => cidrs.map((cidr) => ({ cidr }));
  const isLimited = allowedCidrs !== undefined || allowedCidrsV6 !== undefined;
  return {
    role: name,
    ...(expiresAt === undefined ? {} : { expires_at: Math.floor(Date.parse(expiresAt) / 1_000) }),
    ...(isLimited
      ? {
          allowed_networks: {
            allowed_cidrs: toCidrEntries(allowedCidrs ?? []),
            allowed_cidrs_v6: toCidrEntries(allowedCidrsV6 ?? []),
          },
        }
      : {}),
    ...(branchesOnly === undefined ? {} : { branches_only: branchesOnly }),
  };
}

export function fromWire({ user_roles: roles }: JitUserRecord): GrantedRole[] {
  return roles.map(({ role: name, expires_at: at, allowed_networks: allowed, branches_only: only }) => {
    const allowedCidrs = allowed?.allowed_cidrs?.map(({ cidr }) => cidr) ?? [];
    const allowedCidrsV6 = allowed?.allowed_cidrs_v6?.map(({ cidr }) => cidr) ?? [];
    return {
      role: name,
      ...(at == null ? {} : { expiresAt: toIsoTime(at) }),
      ...(allowedCidrs.length === 0 ? {} : { allowedCidrs }),
      ...(allowedCidrsV6.length === 0 ? {} : { allowedCidrsV6 }),
      ...(only == null ? {} : { branchesOnly: only }),
    };
  });
}

/** Seconds since the epoch reach this in the year 5138: what is greater was meant in milliseconds. */
const GREATEST_SECONDS = 1e11;

/** A time in ISO 8601, of seconds or of milliseconds since the epoch. */
export function toIsoTime(sinceEpoch: number): string {
  return new Date(sinceEpoch > GREATEST_SECONDS ? sinceEpoch : sinceEpoch * 1_000).toISOString();
}
