import ipaddr from "ipaddr.js";

/**
 * The canonical spelling of a range of IPv4 addresses, host bits cleared; undefined when it is none. Unknown whether the
 * service clears host bits or refuses private ranges: here it clears the former, as Postgres does, and takes the latter.
 */
export function canonicalCidrV4(text: string): string | undefined {
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) return undefined;
  const [, prefix] = ipaddr.IPv4.parseCIDR(text);
  return `${ipaddr.IPv4.networkAddressFromCIDR(text).toString()}/${prefix}`;
}

/** The same for IPv6; a zone has no place in a range. */
export function canonicalCidrV6(text: string): string | undefined {
  if (text.includes("%") || !ipaddr.IPv6.isValidCIDR(text)) return undefined;
  const [, prefix] = ipaddr.IPv6.parseCIDR(text);
  return `${ipaddr.IPv6.networkAddressFromCIDR(text).toRFC5952String()}/${prefix}`;
}

/** The canonical spelling of an address, IPv4 where IPv6 only wraps it; undefined when it is none. */
export function canonicalAddress(text: string): string | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  return ipaddr.process(text).toString();
}

export function isIpv4(address: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(address);
}

/** Whether a range, canonical as the address is, holds it. */
export function holds(cidr: string, address: string): boolean {
  const parsed = ipaddr.parse(address);
  const range = ipaddr.parseCIDR(cidr);
  return parsed.kind() === range[0].kind() && parsed.match(range);
}
