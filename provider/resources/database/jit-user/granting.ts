import { ApiError, InvalidInputError } from "../../../client/errors/errors";
import { listDifferingPaths } from "../../../define/compare";
import type { Context } from "../../../define/context";
import { writeOnce } from "../../../waiting/write-once";
import {
  forgetJitUsers,
  listJitUsersOnce,
  putRoles,
  sendInvitation,
  withdrawInvitation,
  type JitInvitation,
} from "./calls";
import { findPerson, isOver, type Person, type Remembered } from "./people";
import { problems } from "./problems";
import { requireNoStranger } from "./strangers";
import { fromWire, omitUndeclared, rolesInput, toWholeRoles, type GrantedRole } from "./roles";

/** How often an invitation may turn out to be gone: each time the service is asked anew who has the address. */
const MOST_LOOKS = 3;

/** Whom roles are granted to by an address. */
interface Grant {
  readonly ref: string;
  readonly email: string;
  readonly remembered?: Remembered | undefined;
  /** Without those that have expired. */
  readonly roles: readonly GrantedRole[];
}

async function lookUpPerson(ctx: Context, { ref, email, remembered }: Omit<Grant, "roles">): Promise<Person> {
  return findPerson(await listJitUsersOnce(ctx, ref), email, remembered);
}

/**
 * Gives the user of an address the roles. Where nobody has the address yet, an invitation with these roles is kept or sent. No
 * invitation with other roles is left, and an earlier one is taken back first: at no time two of them can be accepted. Returns who has
 * the roles; undefined where somebody is invited to them. Throws where they would replace what somebody else has granted.
 */
export async function grantByEmail(ctx: Context, grant: Grant): Promise<string | undefined> {
  const { ref, roles } = grant;
  const earlier = new Map<string, JitInvitation>();
  for (let look = 1; ; look += 1) {
    const person = await lookUpPerson(ctx, grant);
    requireNoStranger(grant, person);
    const { user, invitations } = person;
    for (const each of invitations) if (each.id !== undefined) earlier.set(each.id, each);
    const kept = user === undefined ? invitations.findLast((each) => isFitting(ctx, each, roles)) : undefined;
    if (user !== undefined) await putRoles(ctx, ref, user.id, roles);
    const others = invitations.filter((each) => each !== kept);
    const areWithdrawn = await withdrawAll(ctx, grant, others, look);
    if (user !== undefined) return user.id;
    if (kept !== undefined || (areWithdrawn && roles.length === 0)) return undefined;
    // Whoever accepted one meanwhile is a user by now.
    if (areWithdrawn) {
      await invite(ctx, grant, [...earlier.values()]);
      return undefined;
    }
  }
}

/** Leaves the address without any invitation, but for one that fits. An answer that was lost, or repeated, may have left two. */
export async function keepOneInvitation(ctx: Context, grant: Grant): Promise<Person> {
  const person = await lookUpPerson(ctx, grant);
  const { user, invitations } = person;
  if (invitations.length < (user === undefined ? 2 : 1)) return person;
  const kept = invitations.findLast((each) => isFitting(ctx, each, grant.roles)) ?? invitations.at(-1);
  const others = invitations.filter((each) => user !== undefined || each !== kept);
  await withdrawAll(ctx, grant, others, 1);
  return { ...person, invitations: invitations.filter((each) => !others.includes(each)) };
}

/** Takes back everything that was sent to an address, and returns who has it now. */
export async function withdrawFrom(ctx: Context, of: Omit<Grant, "roles">): Promise<Person> {
  for (let look = 1; ; look += 1) {
    const person = await lookUpPerson(ctx, of);
    if (await withdrawAll(ctx, of, person.invitations, look)) return person;
  }
}

/** Whether the service had all of them: one that it has no more may have been accepted. */
async function withdrawAll(
  ctx: Context,
  { ref, email }: Omit<Grant, "roles">,
  invitations: readonly JitInvitation[],
  look: number,
): Promise<boolean> {
  let hadAll = true;
  for (const { id = "", expiresAt } of invitations) {
    const wasThere = await withdrawInvitation(ctx, ref, id);
    // What nobody can accept any more may be listed for a while.
    hadAll &&= wasThere || isOver({ expiresAt }, ctx.clock.now());
  }
  if (hadAll || look < MOST_LOOKS) return hadAll;
  throw new InvalidInputError("email", problems.notWithdrawn.message({ email }));
}

/** Whether an invitation can be accepted and has the roles. */
function isFitting(ctx: Context, invitation: JitInvitation, roles: readonly GrantedRole[]): boolean {
  if (isOver(invitation, ctx.clock.now())) return false;
  const granted = omitUndeclared(fromWire(invitation.record), roles);
  return listDifferingPaths(rolesInput, granted, roles).length === 0;
}

/** An answer of 500 is final: some plans have no invitations and answer so (service, Just-in-time access). */
async function invite(
  ctx: Context,
  { ref, email, roles }: Grant,
  earlier: readonly JitInvitation[],
): Promise<void> {
  const sent = toWholeRoles(
    roles,
    earlier.flatMap(({ record }) => record.user_roles),
  );
  const known = new Set(earlier.map(({ id }) => id));
  const isInvited = async (): Promise<true | undefined> => {
    forgetJitUsers(ctx, ref);
    const { user, invitations } = await lookUpPerson(ctx, { ref, email });
    const isNew = (each: JitInvitation): boolean => !known.has(each.id) && isFitting(ctx, each, roles);
    return user !== undefined || invitations.some(isNew) ? true : undefined;
  };
  await writeOnce<true>(ctx, {
    send: async () => {
      try {
        await sendInvitation(ctx, ref, email, sent);
        return true;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 500) throw error;
        if ((await isInvited()) === true) return true;
        throw new InvalidInputError("email", problems.notInvited.message({ error: error.message, email }));
      }
    },
    findResult: isInvited,
    isPatient: true,
  });
}
