import { z } from "zod";
import type { Context } from "../../../define/context";
import { listDifferingPaths } from "../../../define/compare";
import { inProject } from "../../../define/import-id";
import { listInProject, UUID, type ImportableObject } from "../../../define/list";
import { comparedBy, formed, replaces } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import {
  defineResource,
  NotListedError,
  type CheckFailure,
  type ObservedResource,
  type ResourceState,
} from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { refuseEmptyListing } from "../../../lookup/unproven-absence";
import {
  listJitUsersOnce,
  normalizeUserId,
  putRoles,
  revokeRoles,
  type JitListing,
  type JitUserRecord,
} from "./calls";
import { grantByEmail, keepOneInvitation, withdrawFrom } from "./granting";
import {
  describePerson,
  findPerson,
  hasAddress,
  isOver,
  normalizeEmail,
  type Person,
  type Remembered,
} from "./people";
import { problems } from "./problems";
import { warnOfStranger } from "./strangers";
import { fromWire, isExpired, omitUndeclared, rolesInput, type GrantedRole, type JitRecord } from "./roles";

const EXACTLY_ONE = "Exactly one of `userId` and `email` is required.";

const inputs = z.strictObject({
  projectRef,
  userId: replaces(
    formed(z.uuid(), "a UUID", "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50").describe(
      `Identifier of the user, a UUID. ${EXACTLY_ONE}`,
    ),
  ).optional(),
  email: replaces(
    comparedBy(
      formed(z.email(), "an e-mail address", "ana@example.com").describe(
        `Address of the user, compared without regard to case. A user of this address who has just-in-time access already gets the roles. Anybody else is invited. Some installations and plans have no invitations. ${EXACTLY_ONE}`,
      ),
      (value) => (typeof value === "string" ? normalizeEmail(value) : value),
    ),
  ).optional(),
  roles: rolesInput,
  ...everyResource,
});

const outputs = z.object({
  status: z
    .enum(["pending", "expired", "accepted"])
    .meta({
      id: "JitInvitationStatus",
      description: "What became of an invitation to just-in-time access.",
    })
    .describe(
      "With `email`: `pending` until the invitation is accepted, then `accepted`. An invitation that has `expired` is replaced by the next `pulumi up`.",
    )
    .optional(),
  invitationExpiresAt: z
    .string()
    .describe("Time until which a pending invitation can be accepted, ISO 8601.")
    .optional(),
  acceptedBy: z
    .string()
    .describe("With `email`: identifier of the user who has the roles, a UUID. Absent before that.")
    .optional(),
});

const bookkeeping = z.object({
  /** Whether the service lists an invitation beside the one that counts, as a lost request that arrives late may leave. */
  __hasSurplus: z.literal(true).optional(),
  /** The invitation that counts: while it is listed, nobody has accepted it. */
  __invitationId: z.string().optional(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs> & z.output<typeof bookkeeping>;
type ObservedUser = ObservedResource<Inputs, Outputs>;
type State = ResourceState<Inputs, Outputs>;

/** An identifier of a user, or an address that is safe in a path, a command and a program. */
const USER_OR_ADDRESS = new RegExp(String.raw`${UUID.source}|^[\w.%+-]+@[\w.-]+$`, "i");

const byUserOrAddress = inProject("userIdOrEmail", "`getMembers`; or the address of somebody who is invited");

/** The database roles that a user may assume just in time. */
export const jitUser = defineResource({
  type: "JitUser",
  description:
    "The database roles that a user may assume just in time, with expiry and networks. The resource manages all roles of the user, and deleting it revokes them all. With `email` it also manages every invitation of this address. Once a user has accepted, it manages the roles of this user, even if the address changes. The service cannot change an invitation: a change of the roles withdraws it and sends another one. `JitAccess` enables just-in-time access.",
  inputs,
  outputs,
  bookkeeping,
  timeouts: { create: 300, update: 300, delete: 300 },
  // Each request for an invitation sends one.
  isRepeatable: ({ email }) => email === undefined,
  uniqueBy: ["email", "userId"],
  importId: {
    ...byUserOrAddress,
    parse(importId) {
      const parts = byUserOrAddress.parse(importId);
      return parts && { ...parts, id: UUID.test(parts.id) ? parts.id : normalizeEmail(parts.id) };
    },
  },
  list: listInProject(async (ctx, ref) => listImportable(await listJitUsersOnce(ctx, ref)), USER_OR_ADDRESS),
  problems,

  check: ({ userId, email, roles = [] }, isUnknown, before) => ({
    failures: [
      ...checkPerson({ userId, email }, isUnknown("userId") || isUnknown("email")),
      ...listDoubles(roles),
    ],
    warnings: listWidened(roles, before),
  }),

  diff(state, { roles }, nowMs) {
    const { email, status, invitationExpiresAt: expiresAt } = state;
    if (email === undefined || status === undefined) return {};
    const notes = bookkeepingOf(state).__hasSurplus === true ? [problems.surplus.message({ email })] : [];
    const surplus = notes.length > 0 ? { renewed: ["status"] as const, notes } : {};
    if (status === "accepted") return surplus;
    const isLasting = roles === undefined || roles.some((role) => !isExpired(role, nowMs));
    const isToRenew = isLasting && (status === "expired" || isOver({ expiresAt }, nowMs));
    const isChanged = roles !== undefined && listDifferingPaths(rolesInput, state.roles, roles).length > 0;
    return {
      ...surplus,
      ...(isToRenew ? { renewed: ["status", "invitationExpiresAt"] as const } : {}),
      ...(isToRenew || isChanged ? { notes: [problems.invitedAnew.message({ email })] } : {}),
    };
  },

  // Whoever accepted an invitation has one set of roles: what declares the same user by `userId` can only come after.
  deletesFirst: ({ acceptedBy }, { userId }) =>
    typeof acceptedBy === "string" && typeof userId === "string" && isSameUser(acceptedBy, userId),

  async find(ctx, { projectRef: ref, userId, email }) {
    const listing = await listJitUsersOnce(ctx, ref);
    if (email !== undefined) {
      const label = describePerson(findPerson(listing, email));
      return label === undefined ? [] : [{ id: normalizeEmail(email), label }];
    }
    const id = userId ?? "";
    const user = listing.users.get(normalizeUserId(id));
    const granted = user === undefined ? [] : fromWire(user.record);
    if (granted.length === 0) return [];
    return [{ id, label: granted.map(({ role }) => role).join(", ") }];
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const listing = await listJitUsersOnce(ctx, ref);
    const observed = UUID.test(id)
      ? observeUser(ctx, listing.users.get(normalizeUserId(id)), id, state)
      : observePerson(ctx, listing, id, state);
    return observed && { ...observed, inputs: { ...observed.inputs, projectRef: ref } };
  },

  async create(ctx, declared) {
    await grant(ctx, declared);
    const { userId = "", email } = declared;
    return { id: email === undefined ? userId : normalizeEmail(email) };
  },

  // An answer to an invitation shows neither when it ends nor whether another one was sent.
  async settle(ctx, { state, inputs: declared }) {
    const { projectRef: ref, email } = declared;
    if (email === undefined) return { inputs: {}, outputs: {} };
    const roles = listLasting(ctx, declared.roles);
    const grant = { ref, email, remembered: remember(state), roles };
    return { inputs: {}, outputs: toOutputs(ctx, await keepOneInvitation(ctx, grant)) };
  },

  async update(ctx, { state, inputs: declared }) {
    const { projectRef: ref, email } = declared;
    const listing = await listJitUsersOnce(ctx, ref);
    if (listing.users.size + listing.invitations.length === 0) await refuseEmptyListing(ctx, ref, "users");
    const remembered = remember(state);
    const acceptedBy = await grant(ctx, declared, remembered);
    if (email === undefined) return {};
    warnOfStranger(ctx, { email, remembered }, findPerson(listing, email, remembered));
    return acceptedBy === undefined ? {} : { outputs: { status: "accepted" as const, acceptedBy } };
  },

  async delete(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    if (UUID.test(id)) return revokeUnlessLeft(ctx, id, { id, state });
    const of = { ref, email: id, remembered: remember(state) };
    const listed = findPerson(await listJitUsersOnce(ctx, ref), id, of.remembered);
    if (describePerson(listed) === undefined) {
      warnOfStranger(ctx, of, listed);
      throw new NotListedError();
    }
    const person = await withdrawFrom(ctx, of);
    if (person.user !== undefined) await revokeUnlessLeft(ctx, person.user.id, { id, state });
    const next = ctx.program.successor?.["userId"];
    const isDeclaredNext = typeof next === "string" && isSameUser(next, person.stranger?.id ?? "");
    if (!isDeclaredNext) warnOfStranger(ctx, of, person);
  },
});

/** What an earlier run has seen of the person; undefined where none has. */
function remember(state: State): Remembered | undefined {
  const { status, acceptedBy } = state;
  return status && { acceptedBy, invitationId: bookkeepingOf(state).__invitationId };
}

/** Returns the user who has the roles by an address. */
async function grant(
  ctx: Context,
  { projectRef: ref, userId = "", email, roles }: Inputs,
  remembered?: Remembered,
): Promise<string | undefined> {
  warnOfExpired(
    ctx,
    email ?? userId,
    roles.filter((role) => isExpired(role, ctx.clock.now())),
  );
  const lasting = listLasting(ctx, roles);
  if (email !== undefined) return grantByEmail(ctx, { ref, email, remembered, roles: lasting });
  await putRoles(ctx, ref, userId, lasting);
  return undefined;
}

async function revokeUnlessLeft(ctx: Context, userId: string, replaced: ReplacedUser): Promise<void> {
  if (!(await isLeftToSuccessor(ctx, userId, replaced)))
    await revokeRoles(ctx, requireProjectRef(replaced.state), userId);
}

/** What is deleted. */
interface ReplacedUser {
  readonly id: string;
  readonly state: State;
}

/** Whether a resource that names the same user otherwise was made before this one is deleted. One of the same name comes after it. */
async function isLeftToSuccessor(
  ctx: Context,
  userId: string,
  { id, state }: ReplacedUser,
): Promise<boolean> {
  const ref = requireProjectRef(state);
  const { projectRef = ref, userId: next, email } = ctx.program.successor ?? {};
  if (projectRef !== ref) return false;
  if (typeof next === "string") {
    const isAfterwards = [id, state.acceptedBy ?? ""].some((each) => isSameUser(each, userId));
    return isSameUser(next, userId) && !isAfterwards;
  }
  if (typeof email !== "string" || normalizeEmail(email) === id) return false;
  const user = (await listJitUsersOnce(ctx, ref)).users.get(normalizeUserId(userId));
  if (user === undefined || user.email !== undefined) return user !== undefined && hasAddress(user, email);
  ctx.warn(problems.leftWithoutAddress.message({ user: userId, email }));
  return true;
}

function isSameUser(one: string, other: string): boolean {
  return normalizeUserId(one) === normalizeUserId(other);
}

/** The roles of a user by its identifier, or of nobody whose roles have all expired: the service may drop those. */
function observeUser(
  ctx: Context,
  user: JitUserRecord | undefined,
  id: string,
  state: State,
): ObservedUser | undefined {
  const roles = observeRoles(ctx, user?.record, id, state);
  return roles && { inputs: { userId: id, email: null, roles }, outputs: {} };
}

function observePerson(
  ctx: Context,
  listing: JitListing,
  id: string,
  state: State,
): ObservedUser | undefined {
  const remembered = remember(state);
  const person = findPerson(listing, id, remembered);
  const { user } = person;
  warnOfStranger(ctx, { email: id, remembered }, person);
  const sent = user === undefined ? pickInvitation(ctx, person) : undefined;
  if (sent !== undefined && isOver(sent, ctx.clock.now()))
    ctx.warn(problems.invitationExpired.message({ email: id, time: sent.expiresAt ?? "" }));
  const record = user?.record ?? sent?.record;
  const roles = observeRoles(ctx, record, id, state);
  if (roles === undefined) return undefined;
  return { inputs: { userId: null, email: id, roles }, outputs: toOutputs(ctx, person) };
}

/** Undefined where the service has nothing of somebody who is to have something. */
function observeRoles(
  ctx: Context,
  record: JitRecord | undefined,
  id: string,
  { roles: declared = [] }: State,
): GrantedRole[] | undefined {
  const expired = declared.filter((role) => isExpired(role, ctx.clock.now()));
  const areOver = declared.length > 0 && expired.length === declared.length;
  if (record === undefined && !areOver) return undefined;
  warnOfExpired(ctx, id, expired);
  const granted = record === undefined ? [] : omitUndeclared(fromWire(record), declared);
  // The service may drop what has expired.
  const missing = expired.filter(({ role }) => granted.every((one) => one.role !== role));
  return [...granted, ...missing];
}

function bookkeepingOf(state: object): z.output<typeof bookkeeping> {
  return bookkeeping.safeParse(state).data ?? {};
}

/** Of several invitations one that can be accepted. */
function pickInvitation(ctx: Context, { invitations }: Person): Person["invitations"][number] | undefined {
  return invitations.findLast((each) => !isOver(each, ctx.clock.now())) ?? invitations.at(-1);
}

function toOutputs(ctx: Context, person: Person): ObservedUser["outputs"] {
  const { user, invitations } = person;
  const surplus = invitations.length > (user === undefined ? 1 : 0) ? ({ __hasSurplus: true } as const) : {};
  if (user !== undefined) return { status: "accepted", acceptedBy: user.id, ...surplus };
  const sent = pickInvitation(ctx, person);
  if (sent === undefined) return {};
  const status = isOver(sent, ctx.clock.now()) ? "expired" : "pending";
  return { status, invitationExpiresAt: sent.expiresAt, __invitationId: sent.id, ...surplus };
}

function listImportable({ users, invitations }: JitListing): ImportableObject[] {
  const named = [...users.values()].map(({ id, email }) => ({
    id: normalizeUserId(id),
    name: email ?? id,
  }));
  const ofUsers = new Set([...users.values()].map(({ email }) => normalizeEmail(email ?? "")));
  const addresses = new Set(
    invitations.flatMap(({ email }) => (email == null ? [] : [normalizeEmail(email)])),
  );
  const invited = [...addresses].filter((address) => !ofUsers.has(address));
  return [...named, ...invited.map((address) => ({ id: address, name: `${address} (invited)` }))];
}

function listLasting(ctx: Context, roles: readonly GrantedRole[]): GrantedRole[] {
  return roles.filter((role) => !isExpired(role, ctx.clock.now()));
}

function warnOfExpired(ctx: Context, user: string, expired: readonly GrantedRole[]): void {
  if (expired.length === 0) return;
  const roles = expired.map(({ role, expiresAt = "" }) => `${role} (${expiresAt})`).join(", ");
  ctx.warn(problems.expired.message({ user, roles }));
}

function checkPerson({ userId, email }: Partial<Inputs>, isAnyUnknown: boolean): CheckFailure[] {
  if (userId !== undefined && email !== undefined)
    return [{ path: "email", reason: problems.twoPersons.message() }];
  if (userId !== undefined || email !== undefined || isAnyUnknown) return [];
  return [{ path: "userId", reason: problems.noPerson.message() }];
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
