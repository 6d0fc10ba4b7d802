import { isNotFound, ResponseSchemaError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { callWhenReady } from "../../../waiting/project-health";
import { toWholeRoles, type GrantedRole, type JitRecord } from "./roles";

/** A user with the roles that it may assume. */
export interface JitUserRecord {
  readonly id: string;
  /** Null for a user without an address, and undefined where the service shows none. */
  readonly email: string | null | undefined;
  readonly record: JitRecord;
}

/** Somebody who is invited, and no user yet. */
export interface JitInvitation {
  /** Undefined where the service does not show it. */
  readonly id: string | undefined;
  readonly email: string | null | undefined;
  readonly expiresAt: string | undefined;
  readonly record: JitRecord;
}

export interface JitListing {
  /** By id. */
  readonly users: ReadonlyMap<string, JitUserRecord>;
  readonly invitations: readonly JitInvitation[];
}

const listKey = (ref: string): string => `jit-users:${ref}`;

/** Users and invitations of a project: one listing for all resources of a run, until one of them is changed. */
export async function listJitUsersOnce(ctx: Context, ref: string): Promise<JitListing> {
  return ctx.shared.list(listKey(ref), async () => {
    const users = new Map<string, JitUserRecord>();
    const invitations: JitInvitation[] = [];
    for (const record of await ctx.api.listJitUsers({ ref })) {
      const { user_id: id, primary_email: email, invite_id, expires_at } = record;
      // Who is only invited has no id yet (service, Just-in-time access); left out, a user would look as if gone.
      if (id === undefined) throw createMissingPartError("user_id");
      if (id === null)
        invitations.push({ id: invite_id ?? undefined, email, expiresAt: expires_at ?? undefined, record });
      else users.set(normalizeUserId(id), { id, email, record });
    }
    return { users, invitations };
  });
}

export function forgetJitUsers(ctx: Context, ref: string): void {
  ctx.shared.forget(listKey(ref));
}

/** UUIDs are the same in either case. */
export function normalizeUserId(userId: string): string {
  return userId.toLowerCase();
}

/** Replaces all roles of the user; doing so twice is doing it once. */
export async function putRoles(
  ctx: Context,
  ref: string,
  id: string,
  roles: readonly GrantedRole[],
): Promise<void> {
  const { users } = await listJitUsersOnce(ctx, ref);
  const present = users.get(normalizeUserId(id))?.record.user_roles ?? [];
  const body = { user_id: id, roles: toWholeRoles(roles, present) };
  await change(ctx, ref, () => ctx.api.updateJitUser({ ref, body }));
}

export async function revokeRoles(ctx: Context, ref: string, userId: string): Promise<void> {
  await change(ctx, ref, () => ctx.api.deleteJitUser({ ref, user_id: userId }));
}

/** Sends an invitation. Each request sends one. */
export async function sendInvitation(
  ctx: Context,
  ref: string,
  email: string,
  roles: ReturnType<typeof toWholeRoles>,
): Promise<void> {
  await change(ctx, ref, () => ctx.api.inviteJitUser({ ref, body: { email, roles } }));
}

/** Takes an invitation back; false where the service has it no more, as it was accepted or taken back by somebody else. */
export async function withdrawInvitation(ctx: Context, ref: string, id: string): Promise<boolean> {
  try {
    await change(ctx, ref, () => ctx.api.deleteJitInvitation({ ref, invite_id: id }));
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
}

/** What was listed before a change is the past, whatever became of the change. */
async function change(ctx: Context, ref: string, send: () => Promise<unknown>): Promise<void> {
  await callWhenReady(ctx, ref, ["db"], send).finally(() => forgetJitUsers(ctx, ref));
}

export function createMissingPartError(part: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `listJitUsers failed: a user in the answer has no ${part}. All users are treated as still present. Run again.`,
    "listJitUsers",
    part,
  );
}
