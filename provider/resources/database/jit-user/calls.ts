import { jitRole } from "../../../../spec/operations/jit-access";
import { ResponseSchemaError } from "../../../client/errors/errors";
import { withUnknownOf } from "../../../settings/keep-unknown";
import { whenReady } from "../../../waiting/project-health";
import type { Api, Context } from "../../../define/context";

/** A user with the roles that it may assume, as the service lists it. */
export type JitUserRecord = Awaited<ReturnType<Api["listJitUsers"]>>[number];
export type PutBody = Parameters<Api["updateJitUser"]>[0]["body"];

const listKey = (ref: string): string => `jit-users:${ref}`;

/** The users of a project by id: one listing for all resources of a run, until one of them is changed. */
export async function jitUsersOf(ctx: Context, ref: string): Promise<Map<string, JitUserRecord>> {
  return ctx.shared.list(listKey(ref), async () => {
    const users = new Map<string, JitUserRecord>();
    for (const user of await ctx.api.listJitUsers({ ref })) {
      const { user_id: id, user_roles: roles } = user;
      // Who is only invited has no id yet (service, Just-in-time access); left out, a user would look as if gone.
      if (id === undefined || !Array.isArray(roles))
        throw withoutPart(id === undefined ? "user_id" : "user_roles");
      if (id !== null) users.set(keyOf(id), user);
    }
    return users;
  });
}

/** UUIDs are the same in either case. */
export function keyOf(userId: string): string {
  return userId.toLowerCase();
}

/** Replaces all roles of the user; doing so twice is doing it once. What this version does not know of a role stays. */
export async function putRoles(ctx: Context, ref: string, { user_id: id, roles }: PutBody): Promise<void> {
  const present = (await jitUsersOf(ctx, ref)).get(keyOf(id))?.user_roles ?? [];
  const whole = roles.map((role) =>
    withUnknownOf(
      jitRole,
      present.find((one) => one.role === role.role),
      role,
    ),
  );
  const send = (): Promise<unknown> => ctx.api.updateJitUser({ ref, body: { user_id: id, roles: whole } });
  await whenReady(ctx, ref, ["db"], send).finally(() => ctx.shared.forget(listKey(ref)));
}

export async function revokeAll(ctx: Context, ref: string, userId: string): Promise<void> {
  const send = (): Promise<unknown> => ctx.api.deleteJitUser({ ref, user_id: userId });
  await whenReady(ctx, ref, ["db"], send).finally(() => ctx.shared.forget(listKey(ref)));
}

function withoutPart(part: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `listJitUsers: the service answered without the ${part} of a user; nothing is taken to be gone. Run again.`,
    "listJitUsers",
    part,
  );
}
