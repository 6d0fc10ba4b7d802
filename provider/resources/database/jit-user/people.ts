import { InvalidInputError, ResponseSchemaError } from "../../../client/errors/errors";
import {
  createMissingPartError,
  normalizeUserId,
  type JitInvitation,
  type JitListing,
  type JitUserRecord,
} from "./calls";
import { problems } from "./problems";
import { fromWire } from "./roles";

/** What a listing has of an address: the user whose roles are managed, and invitations that were sent to it. */
export interface Person {
  readonly user: JitUserRecord | undefined;
  readonly invitations: readonly JitInvitation[];
  /** A user who has the address, and whose roles did not come with it from this resource. */
  readonly stranger?: JitUserRecord | undefined;
}

/** What the state has of a person. */
export interface Remembered {
  /** Who has accepted the invitation, or had the address before one was sent. */
  readonly acceptedBy: string | undefined;
  /** The invitation that counts, where nobody has accepted it. */
  readonly invitationId: string | undefined;
}

/** Mail addresses are compared without regard to case. */
export function normalizeEmail(email: string): string {
  return email.toLowerCase();
}

export function hasAddress(record: { readonly email: string | null | undefined }, email: string): boolean {
  return record.email != null && normalizeEmail(record.email) === normalizeEmail(email);
}

/**
 * Who has accepted, whatever the address of this user is by now; otherwise whoever has the address. Throws where several users have it,
 * or where it cannot be known, as the listing lacks addresses.
 */
export function findPerson(listing: JitListing, email: string, remembered?: Remembered): Person {
  const { users } = listing;
  const invitations = listing.invitations.filter((each) => hasAddress(each, email));
  if (invitations.some(({ id }) => id === undefined)) throw createMissingPartError("invite_id");
  const accepted = users.get(normalizeUserId(remembered?.acceptedBy ?? ""));
  if (accepted !== undefined) {
    const stranger = [...users.values()].find((each) => each !== accepted && hasAddress(each, email));
    return { user: accepted, invitations, stranger };
  }
  const holder = findHolder(listing, email);
  return isStranger(holder, invitations, remembered)
    ? { user: undefined, invitations, stranger: holder }
    : { user: holder, invitations };
}

/** Whether the roles of whoever has the address came from elsewhere: our invitation waits, or somebody else has accepted it. */
function isStranger(
  holder: JitUserRecord | undefined,
  invitations: readonly JitInvitation[],
  remembered: Remembered | undefined,
): boolean {
  if (holder === undefined || remembered === undefined) return false;
  const { acceptedBy, invitationId } = remembered;
  if (acceptedBy !== undefined) return true;
  const isPending = invitations.some(({ id }) => invitationId === undefined || id === invitationId);
  return isPending && holder.record.user_roles.length > 0;
}

function findHolder({ users, invitations }: JitListing, email: string): JitUserRecord | undefined {
  const [user, ...others] = [...users.values()].filter((each) => hasAddress(each, email));
  if (user !== undefined && others.length > 0) {
    const ids = [user, ...others].map(({ id }) => id).join(", ");
    throw new InvalidInputError("email", problems.severalUsers.message({ email, users: ids }));
  }
  const everybody = [...users.values(), ...invitations];
  // Whoever has no address shown may be the one who is looked for.
  if (user === undefined && everybody.some((each) => each.email === undefined))
    throw new ResponseSchemaError(problems.noAddresses.message({ email }), "listJitUsers", "primary_email");
  return user;
}

/** Whether it can no longer be accepted. One whose end is not shown can. */
export function isOver({ expiresAt }: Pick<JitInvitation, "expiresAt">, nowMs: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs;
}

/** How a user recognises the person in a message; undefined where the service has nothing of it. */
export function describePerson({ user, invitations }: Person): string | undefined {
  const granted = user === undefined ? [] : fromWire(user.record);
  const parts = [
    ...(user === undefined || granted.length === 0
      ? []
      : [`user ${user.id} with ${granted.map(({ role }) => role).join(", ")}`]),
    ...invitations.map(({ record, expiresAt }) => {
      const roles = fromWire(record).map(({ role }) => role);
      return `invited to ${roles.join(", ") || "no role"}${expiresAt === undefined ? "" : ` until ${expiresAt}`}`;
    }),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}
