import { createHash } from "node:crypto";

/** Who a call comes from, as far as business rules ask. */
export interface CallSource {
  /** Rate-limit identity: `app:<client id>`, `user:<name>` or `ip:<address>`. */
  readonly identity: string;
  /** The client's IP address. */
  readonly address: string;
}

/** Who runs the operations that come through the control. */
export const operator: CallSource = { identity: "user:operator", address: "127.0.0.1" };

/** Id of the account behind an identity: a UUID that is the same on every start. */
export function userIdOf(identity: string): string {
  const hex = createHash("sha256").update(`account ${identity}`).digest("hex");
  // Version 5 and the usual variant, so that strict readers take it.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
