import ipaddr from "ipaddr.js";
import { Refusal } from "../../handler";
import type { JitRole } from "../records/jit";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Networks = JitRole["allowed_networks"];

/** The remote host as an address; an IPv4 address that is written as an IPv6 one counts as IPv4. */
export function readAddress(rhost: string): Address {
  if (!ipaddr.isValid(rhost)) throw new Refusal(400, `rhost: Expected an IP address, received ${rhost}`);
  return ipaddr.process(rhost);
}

/** Unknown what empty lists mean: here a role without any network may be assumed from everywhere. */
export function isAllowedFrom(address: Address, networks: Networks): boolean {
  const cidrs = [...(networks?.allowed_cidrs ?? []), ...(networks?.allowed_cidrs_v6 ?? [])];
  if (cidrs.length === 0) return true;
  return cidrs.some(({ cidr }) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

/** Which of the networks is no CIDR of its list's family, as a sentence; undefined when all are. */
export function faultOf(networks: Networks): string | undefined {
  const v4 = networks?.allowed_cidrs?.find(({ cidr }) => !ipaddr.IPv4.isValidCIDR(cidr));
  if (v4 !== undefined) return `allowed_cidrs: ${v4.cidr} is no IPv4 network in CIDR notation`;
  const v6 = networks?.allowed_cidrs_v6?.find(({ cidr }) => !ipaddr.IPv6.isValidCIDR(cidr));
  return v6 && `allowed_cidrs_v6: ${v6.cidr} is no IPv6 network in CIDR notation`;
}
