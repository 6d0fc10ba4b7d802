import { sha256Hex } from "../world/derived-bytes";
import { DEFAULT_USER } from "./tokens";

/** Who a call comes from, as far as business rules ask. */
export interface CallSource {
  /** Rate-limit identity: `app:<client id>`, `user:<name>` or `ip:<address>`. */
  readonly identity: string;
  /** The client's IP address. */
  readonly address: string;
  /** Whose token it is, also where an application sends it; absent without a token. */
  readonly user?: string;
  /** The only organization that its token reaches; absent for all. */
  readonly organizationSlug?: string;
  /** Whether what is in other organizations is not there to it, in place of forbidden. */
  readonly seesNoOther?: true;
  /** All that its fine-grained token may do; absent for a token that may do everything. */
  readonly permissions?: readonly string[];
}

/** Who runs the operations that come through the control. */
export const operator: CallSource = { identity: "user:operator", address: "127.0.0.1" };

/** The user behind a call: an application acts for the one who approved it (service, Access). */
export function userNameOf({ user, identity }: CallSource): string {
  return user ?? identity.replace(/^user:/, "");
}

/** Id of a user by name: a UUID that is the same on every start. */
export function userIdOf(userName: string): string {
  const hex = sha256Hex(`user ${userName}`);
  // Version and variant of a name-based UUID, so that strict readers take it.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** Number of a user by name, where the service numbers its users; one in four billion shares it. */
export function userNumberOf(userName: string): number {
  return Number.parseInt(sha256Hex(`user ${userName}`).slice(0, 8), 16);
}

/** The user who acts: an operator stands for the first one. */
export function actingUser(caller: CallSource): string {
  return caller.identity === operator.identity ? DEFAULT_USER : userNameOf(caller);
}

/** Whether the caller's token reaches an organization: an application may be approved for one only, and a token see one only. */
export function reaches({ organizationSlug }: CallSource, slug: string): boolean {
  return organizationSlug === undefined || organizationSlug === slug;
}
