import { z } from "zod";
import { networkRestrictionsRequest } from "../../../../spec/operations/network";
import { InvalidInputError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Api } from "../../../define/context";
import { formatCodeList } from "../../../define/format-code-list";
import { defineSettings } from "../../../settings/settings";
import { toCanonicalCidr, cidrProblems, cidrSet, isWithin } from "../shared/cidrs";
import { getNetworkLists, isApplied, isInPlan, networkProblems } from "../shared/network-lists";

type Answer = Awaited<ReturnType<Api["getNetworkRestrictions"]>>;

function fromWire({ config, entitlement, status, updated_at, applied_at }: Answer): object {
  const lists = Object.entries(config ?? {}).filter(([, list]) => list !== null);
  return { ...Object.fromEntries(lists), entitlement, status, updatedAt: updated_at, appliedAt: applied_at };
}

/** In canonical spelling, whatever the service makes of host bits. */
function toWire(cidrs: readonly string[]): string[] {
  return [...new Set(cidrs.map(toCanonicalCidr))];
}

/** The entries with which a new project lets everybody in. */
const EVERYBODY = ["0.0.0.0/0", "::/0"];

function normalizeCidrList(list: unknown): string[] {
  return Array.isArray(list) ? toWire(list.map(String)) : [];
}

/** The list without what was declared and with what was found, unless that lets somebody in who is not in now. */
function narrowOriginals(
  found: readonly string[],
  declared: readonly string[],
  current: readonly string[],
): string[] | undefined {
  const others = current.filter((cidr) => !declared.includes(cidr));
  const back = [...new Set([...others, ...found])];
  return back.every((cidr) => current.some((wider) => isWithin(cidr, wider))) ? back : undefined;
}

const problems = {
  ...networkProblems,
  noCidrV4: cidrProblems.noCidrV4,
  noCidrV6: cidrProblems.noCidrV6,
  nobodyAllowed: defineProblem({
    says: "the declared lists are empty, so nobody could connect to the database: {remedy}",
    means: "`allowedCidrs` and `allowedCidrsV6` allow no address.",
    remedy: "Add an entry to either list, or set `denyAll: true` if that is what you want",
  }),
  hasOthers: defineProblem({
    says: "the project {ref} also allows {entries}, which neither the program nor Pulumi's state has. Writing the list would remove them. Nothing was changed. {remedy}.",
    means:
      "The lists have entries from another program or from the console. The entries `0.0.0.0/0` and `::/0` of a new project are removed without asking.",
    remedy:
      "Declare them too, or manage only your own entries with `AllowedCidr`. To remove them, set `replaceOthers: true`",
  }),
  staysNarrow: defineProblem({
    says: "{settings} of the project {ref} were not restored: the earlier lists are unknown or would allow more addresses. {remedy}.",
    means:
      "Warning. The program no longer declares the resource or a list. The earlier lists are restored only if that allows no additional addresses.",
    remedy: "To allow more addresses, declare their ranges or set the lists in the service's console",
  }),
};

/** Which addresses may connect to a project's database. */
export const networkRestrictions = defineSettings({
  type: "NetworkRestrictions",
  description:
    "The complete lists of IP addresses that may connect to a project's database. Entries that the program does not declare are removed. The provider waits until a change is applied. If you delete the resource or remove a list, the earlier list is restored only if it allows no additional addresses; otherwise the current list stays, with a warning. To manage single entries, use `AllowedCidr`.",
  settings: {
    allowedCidrs: cidrSet(
      "v4",
      "Ranges of IPv4 addresses that may connect, in CIDR notation. An empty list allows none. An omitted list is left alone.",
    ).optional(),
    allowedCidrsV6: cidrSet(
      "v6",
      "Ranges of IPv6 addresses that may connect, in CIDR notation. An empty list allows none. An omitted list is left alone.",
    ).optional(),
  },
  options: {
    denyAll: z
      .boolean()
      .describe(
        "Consent to allow no address at all. Required if all declared lists are empty. Default: `false`.",
      )
      .optional(),
    replaceOthers: z
      .boolean()
      .describe(
        "Consent to remove entries of other programs, which neither the program nor Pulumi's state has. Otherwise such entries are an error, except for `0.0.0.0/0` and `::/0`. Default: `false`.",
      )
      .optional(),
  },
  outputs: {
    entitlement: z
      .string()
      .describe("Whether the plan includes network restrictions: `allowed` or `disallowed`."),
    status: z.string().describe("`applied` if the lists are in effect, `stored` until then."),
    updatedAt: z.string().describe("Time of the last change, ISO 8601.").optional(),
    appliedAt: z.string().describe("Time when the lists took effect, ISO 8601.").optional(),
  },
  // A list that an answer leaves out is not known to be empty.
  showsAll: true,
  wireNames: { allowedCidrs: "dbAllowedCidrs", allowedCidrsV6: "dbAllowedCidrsV6" },
  body: networkRestrictionsRequest,
  timeouts: { create: 600, update: 600, delete: 600 },
  problems,
  manages: { collection: "network restrictions", extent: "whole" },
  mode: "replace",
  services: ["db"],
  check({ allowedCidrs, allowedCidrsV6, denyAll }, isUnknown) {
    const lists = [allowedCidrs, allowedCidrsV6].filter((list) => list !== undefined);
    const mayAllow = ["allowedCidrs", "allowedCidrsV6", "denyAll"].some(isUnknown);
    if (denyAll === true || mayAllow || lists.length === 0 || lists.some(({ length }) => length > 0))
      return [];
    const path = allowedCidrs === undefined ? "allowedCidrsV6" : "allowedCidrs";
    return [{ path, reason: problems.nobodyAllowed.message() }];
  },
  consents({ allowedCidrs, allowedCidrsV6 }) {
    const lists = [allowedCidrs, allowedCidrsV6].filter(Array.isArray);
    return lists.length > 0 && lists.every(({ length }) => length === 0) ? { denyAll: true } : {};
  },
  get: async (ctx, ref) => fromWire(await getNetworkLists(ctx, ref)),
  refusal: (seen, ref) =>
    isInPlan(seen) ? undefined : new InvalidInputError("projectRef", problems.notInPlan.message({ ref })),
  put: async (ctx, ref, { dbAllowedCidrs, dbAllowedCidrsV6, ...others }) => {
    const body = {
      ...others,
      ...(dbAllowedCidrs === undefined ? {} : { dbAllowedCidrs: toWire(dbAllowedCidrs) }),
      ...(dbAllowedCidrsV6 === undefined ? {} : { dbAllowedCidrsV6: toWire(dbAllowedCidrsV6) }),
    };
    return fromWire(await ctx.api.applyNetworkRestrictions({ ref, body }));
  },
  isInForce: isApplied,
  givesBack: {
    value: (found, { declared, current }) =>
      Array.isArray(found)
        ? narrowOriginals(normalizeCidrList(found), normalizeCidrList(declared), normalizeCidrList(current))
        : undefined,
    says: (ref, settings) => problems.staysNarrow.message({ ref, settings }),
  },
  refuseLoss({ ref, current, wanted, known, options: { replaceOthers } }) {
    if (replaceOthers === true) return;
    const entries = Object.keys(wanted).flatMap((name) => {
      const shown = [...normalizeCidrList(wanted[name]), ...normalizeCidrList(known[name]), ...EVERYBODY];
      return normalizeCidrList(current[name]).filter((cidr) => !shown.includes(cidr));
    });
    if (entries.length === 0) return;
    throw new InvalidInputError(
      "replaceOthers",
      problems.hasOthers.message({ ref, entries: formatCodeList(entries) }),
    );
  },
});
