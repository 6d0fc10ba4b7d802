import { z } from "zod";
import { networkRestrictionsRequest } from "../../../../spec/operations/network";
import type { Api } from "../../../define/context";
import { defineSettings } from "../../../settings/settings";
import { cidrSet } from "../shared/cidrs";
import {
  getNetworkLists,
  isApplied,
  pendingChange,
  readPending,
  UNKNOWN_TIME,
} from "../shared/network-lists";
import { adjustRestrictions, problems, toCanonicalList } from "./plan";

type Answer = Awaited<ReturnType<Api["getNetworkRestrictions"]>>;

function fromWire(answer: Answer): object {
  const { config, entitlement, status, updated_at, applied_at } = answer;
  const lists = Object.entries(config ?? {}).filter(([, list]) => list !== null);
  const times = { updatedAt: updated_at, appliedAt: applied_at };
  return { ...Object.fromEntries(lists), entitlement, status, ...times, ...readPending(answer) };
}

const settings = defineSettings(
  {
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
      pending: pendingChange.optional(),
      appliedAt: z.string().describe("Time when the lists took effect, ISO 8601.").optional(),
    },
    wireNames: { allowedCidrs: "dbAllowedCidrs", allowedCidrsV6: "dbAllowedCidrsV6" },
    body: networkRestrictionsRequest,
    timeouts: { create: 600, update: 600, delete: 600 },
    problems,
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
    get: async (ctx, ref) => fromWire(await getNetworkLists(ctx, ref)),
    put: async (ctx, ref, { dbAllowedCidrs, dbAllowedCidrsV6, ...others }) => {
      const body = {
        ...others,
        ...(dbAllowedCidrs === undefined ? {} : { dbAllowedCidrs: toCanonicalList(dbAllowedCidrs) }),
        ...(dbAllowedCidrsV6 === undefined ? {} : { dbAllowedCidrsV6: toCanonicalList(dbAllowedCidrsV6) }),
      };
      const answer = await ctx.api.applyNetworkRestrictions({ ref, body });
      const { pending } = readPending(answer);
      if (pending === undefined) return fromWire(answer);
      ctx.warn(problems.awaitsReview.message({ ref, time: pending.requestedAt ?? UNKNOWN_TIME }));
      // The lists that are enforced are no sign that this write was lost.
      return fromWire({ ...answer, config: {} });
    },
    isInForce: isApplied,
  },
  { adjustPlan: adjustRestrictions },
);

/** Which addresses may connect to a project's database. */
export const networkRestrictions: typeof settings = {
  ...settings,
  manages: { collection: "network restrictions", extent: "whole" },
  importId: {
    ...settings.importId,
    consents({ allowedCidrs, allowedCidrsV6 }) {
      const lists = [allowedCidrs, allowedCidrsV6].filter(Array.isArray);
      return lists.length > 0 && lists.every(({ length }) => length === 0) ? { denyAll: true } : {};
    },
  },
};
