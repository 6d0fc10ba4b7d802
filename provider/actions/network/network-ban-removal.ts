import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import { defineAction, doneNow, everyAction, ranAt } from "../define-action";
import { whenReady } from "../../waiting/project-health";
import { startingCalls } from "../../waiting/starting-calls";
import { asSet, formed, replaces } from "../../define/markers";
import { projectRef } from "../../define/shared-inputs";

const problems = {
  nobody: defineProblem({
    says: "nobody is named whose ban is to end. {remedy}.",
    means: "`ipv4Addresses` is empty or missing, and `requesterIp` is not true.",
    remedy:
      "Give at least one address, or set `requesterIp` to true for the address that this provider calls from",
  }),
};

const inputs = z.strictObject({
  projectRef,
  ipv4Addresses: replaces(
    asSet(
      z
        .array(formed(z.ipv4(), "an IPv4 address", "192.0.2.7"))
        .describe("IPv4 addresses that may log in again; a set. One that is not banned is no error."),
    ),
  ).optional(),
  requesterIp: replaces(
    z.boolean().describe("Whether the address that this provider calls from may log in again, too."),
  ).optional(),
  databaseIdentifier: replaces(
    z
      .string()
      .min(1)
      .describe(
        "Reference of the project, or identifier of a read replica, at whose database the bans end; if omitted, they end at all.",
      ),
  ).optional(),
  ...everyAction,
});

/** Ends bans of addresses that failed to log in too often. */
export const networkBanRemoval = defineAction({
  type: "NetworkBanRemoval",
  description:
    "Ends the bans of IPv4 addresses that failed to log in to the database of a project too often. Addresses can be banned again afterwards.",
  inputs,
  outputs: z.object({ ranAt }),
  timeouts: { create: 300, update: 300, delete: 300 },
  target: "projectRef",
  // Who is not banned can log in, which is what was asked for.
  isRepeatable: true,
  problems,
  conditionalCalls: startingCalls("create"),

  check({ ipv4Addresses = [], requesterIp }, isUnknown) {
    const isNamed = ipv4Addresses.length > 0 || requesterIp === true;
    if (isNamed || isUnknown("ipv4Addresses") || isUnknown("requesterIp")) return {};
    return { failures: [{ path: "ipv4Addresses", reason: problems.nobody.message() }] };
  },

  async run(ctx, { projectRef: ref, ipv4Addresses = [], requesterIp, databaseIdentifier }) {
    const body = {
      ipv4_addresses: ipv4Addresses,
      ...(requesterIp !== undefined && { requester_ip: requesterIp }),
      ...(databaseIdentifier !== undefined && { identifier: databaseIdentifier }),
    };
    await whenReady(ctx, ref, ["db"], () => ctx.api.removeNetworkBans({ ref, body }));
    return doneNow(ctx, {});
  },
});
