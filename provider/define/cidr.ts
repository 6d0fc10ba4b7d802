import ipaddr from "ipaddr.js";

/** The one spelling of a network: without host bits, an IPv6 address shortened; undefined for what is none in CIDR notation. */
export function canonicalCidr(text: string): string | undefined {
  const isFour = ipaddr.IPv4.isValidCIDRFourPartDecimal(text);
  if (!isFour && !ipaddr.IPv6.isValidCIDR(text)) return undefined;
  const network = isFour
    ? ipaddr.IPv4.networkAddressFromCIDR(text)
    : ipaddr.IPv6.networkAddressFromCIDR(text);
  const [, bits] = ipaddr.parseCIDR(text);
  return `${network.toString()}/${bits}`;
}
