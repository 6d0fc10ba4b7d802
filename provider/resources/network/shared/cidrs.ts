import ipaddr from "ipaddr.js";
import { z } from "zod";
import { defineProblem } from "../../../client/errors/problem";
import { asSet, comparedBy } from "../../../define/markers";

/** Ranges of addresses are of one family or the other. */
export type CidrFamily = "v4" | "v6";

/** What can go wrong with every range of addresses. */
export const cidrProblems = {
  noCidrV4: defineProblem({
    says: "expected a range of IPv4 addresses in CIDR notation, as `203.0.113.0/24`",
    means: "An entry is not a range of IPv4 addresses in CIDR notation.",
    remedy: "Write a single address with `/32`. For IPv6, use the other list",
  }),
  noCidrV6: defineProblem({
    says: "expected a range of IPv6 addresses in CIDR notation, as `2001:db8::/32`",
    means: "An entry is not a range of IPv6 addresses in CIDR notation.",
    remedy: "Write a single address with `/128`. For IPv4, use the other list",
  }),
  noCidr: defineProblem({
    says: "expected a range of IPv4 or IPv6 addresses in CIDR notation, as `203.0.113.0/24`",
    means: "The value is not a range of addresses in CIDR notation.",
    remedy: "Write a single address with `/32`, or with `/128` for IPv6",
  }),
};

/** The one spelling of a range, host bits cleared, with its family; undefined where a text is none. */
export function parseCidr(text: string): { readonly family: CidrFamily; readonly cidr: string } | undefined {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) {
    const [, prefix] = ipaddr.IPv4.parseCIDR(text);
    return { family: "v4", cidr: `${ipaddr.IPv4.networkAddressFromCIDR(text).toString()}/${prefix}` };
  }
  // A zone has no place in a range.
  if (text.includes("%") || !ipaddr.IPv6.isValidCIDR(text)) return undefined;
  const [, prefix] = ipaddr.IPv6.parseCIDR(text);
  return { family: "v6", cidr: `${ipaddr.IPv6.networkAddressFromCIDR(text).toRFC5952String()}/${prefix}` };
}

/** The one spelling of a range; what is no range stays as it is. */
export function toCanonicalCidr(text: string): string {
  return parseCidr(text)?.cidr ?? text;
}

/** Whether every address of a range is in another one; what is no range is in itself alone. */
export function isWithin(text: string, wider: string): boolean {
  const [inner, outer] = [parseCidr(text), parseCidr(wider)];
  if (inner === undefined || outer === undefined) return text === wider;
  const [address, prefix] = ipaddr.parseCIDR(inner.cidr);
  const [network, widerPrefix] = ipaddr.parseCIDR(outer.cidr);
  return inner.family === outer.family && prefix >= widerPrefix && address.match(network, widerPrefix);
}

/** The same for a value of any type, and for each element of a list. */
export function toCanonicalCidrs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCanonicalCidrs);
  return typeof value === "string" ? toCanonicalCidr(value) : value;
}

/** A set of ranges of one family, compared by what they mean, with `least` elements or more. */
export function cidrSet(family: CidrFamily, description: string, least = 0) {
  const error = family === "v4" ? cidrProblems.noCidrV4.message() : cidrProblems.noCidrV6.message();
  const element = z.string().refine((text) => parseCidr(text)?.family === family, { error });
  return asSet(comparedBy(z.array(element).min(least).describe(description), toCanonicalCidrs));
}
