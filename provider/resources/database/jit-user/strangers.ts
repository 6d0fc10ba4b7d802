import { InvalidInputError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import type { Person, Remembered } from "./people";
import { problems } from "./problems";
import { fromWire } from "./roles";

/** The address of a resource, and what its state has of it. */
interface RememberedAddress {
  readonly email: string;
  readonly remembered?: Remembered | undefined;
}

/** Says that the address is of a user whose roles are left as they are. */
export function warnOfStranger(ctx: Context, of: RememberedAddress, { user, stranger }: Person): void {
  if (stranger === undefined) return;
  if (user === undefined) ctx.warn(problems.grantedElsewhere.message(describeStranger(of, stranger)));
  else ctx.warn(problems.addressOfAnother.message({ email: of.email, user: user.id, other: stranger.id }));
}

/** Throws where roles could be granted to the address only in place of those that a user has from elsewhere. */
export function requireNoStranger(of: RememberedAddress, { user, stranger }: Person): void {
  if (user !== undefined || stranger === undefined) return;
  throw new InvalidInputError("email", problems.wouldOverwrite.message(describeStranger(of, stranger)));
}

function describeStranger(
  { email, remembered }: RememberedAddress,
  { id: user, record }: NonNullable<Person["stranger"]>,
): { readonly email: string; readonly user: string; readonly roles: string; readonly why: string } {
  const roles = fromWire(record).map(({ role }) => role);
  const acceptedBy = remembered?.acceptedBy;
  const why = acceptedBy === undefined ? "has not been accepted" : `was accepted by the user ${acceptedBy}`;
  return { email, user, roles: roles.join(", ") || "none", why };
}
