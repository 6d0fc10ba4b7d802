import { Refusal } from "../../handler";
import { faultOf } from "./jit-access-networks";
import type { JitRole } from "../records/jit";

/** Seconds since the epoch reach this in the year 5138: what is greater was meant in milliseconds. */
const GREATEST_SECONDS = 1e11;

/** Unknown in which unit `expires_at` is: here seconds since the epoch, as other times of the database are. */
export function requireValidRoles(roles: readonly JitRole[], now: number): void {
  const seen = new Set<string>();
  for (const [index, { role, expires_at: expiresAt, allowed_networks: networks }] of roles.entries()) {
    if (seen.has(role)) throw new Refusal(400, `roles.${index}: the role ${role} is given twice`);
    seen.add(role);
    if (expiresAt !== undefined && expiresAt > GREATEST_SECONDS) {
      throw new Refusal(400, `roles.${index}.expires_at: ${expiresAt} is no time in seconds since the epoch`);
    }
    if (expiresAt !== undefined && expiresAt * 1_000 <= now) {
      throw new Refusal(400, `roles.${index}.expires_at: ${expiresAt} is over already`);
    }
    const fault = faultOf(networks);
    if (fault !== undefined) throw new Refusal(400, `roles.${index}.allowed_networks.${fault}`);
  }
}
