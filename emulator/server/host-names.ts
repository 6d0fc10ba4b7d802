import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** Whether a request names this emulator by a name that a page of another site cannot point here. */
export type HostCheck = (incoming: IncomingMessage) => boolean;

/**
 * A page can let its own name resolve to this machine and is then of the emulator's origin for the browser. So only names
 * count that nobody else can give away: loopback, the address that the call came in at, and what the operator allows.
 */
export function hostCheck(allowed: readonly (string | undefined)[]): HostCheck {
  const names = new Set(allowed.flatMap((name) => (name === undefined ? [] : [canonicalName(name)])));
  return ({ headers, socket }) => {
    const name = canonicalName(headers.host?.replace(/:\d*$/, "") ?? "");
    if (name === "") return false;
    return names.has(name) || isLoopback(name) || name === canonicalName(socket.localAddress ?? "");
  };
}

/** Addresses in one spelling, without brackets; names in lower case, without the root's dot. */
function canonicalName(text: string): string {
  const name = text.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(name) ? ipaddr.process(name).toString() : name.replace(/\.$/, "");
}

function isLoopback(name: string): boolean {
  if (ipaddr.isValid(name)) return ipaddr.process(name).range() === "loopback";
  // No resolver hands these names to anybody else (RFC 6761, 6.3).
  return name === "localhost" || name.endsWith(".localhost");
}
