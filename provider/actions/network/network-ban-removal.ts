import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import { defineAction, createDoneState, everyAction, ranAt } from "../define-action";
import { callWhenReady } from "../../waiting/project-health";
import { asSet, formed, replaces } from "../../define/markers";
import { projectRef } from "../../define/shared-inputs";

const problems = {
  nobody: defineProblem({
    says: "no address is declared. {remedy}.",
    means: "`ipv4Addresses` is empty or missing, and `requesterIp` is not `true`.",
    remedy:
      "Add an address, or set `requesterIp: true` for the address of the machine that runs the provider",
  }),
};

const inputs = z.strictObject({
  projectRef,
  ipv4Addresses: replaces(
    asSet(
      z
        .array(formed(z.ipv4(), "an IPv4 address", "192.0.2.7"))
        .describe("IPv4 addresses whose bans end, a set. Addresses that are not banned are ignored."),
    ),
  ).optional(),
  requesterIp: replaces(
    z
      .boolean()
      .describe("Whether to include the address of the machine that runs the provider. Default: `false`."),
  ).optional(),
  databaseIdentifier: replaces(
    z
      .string()
      .min(1)
      .describe(
        "Database at which the bans end: the project's reference or the identifier of a read replica. Default: all.",
      ),
  ).optional(),
  ...everyAction,
});

/** Ends bans of addresses that failed to log in too often. */
export const networkBanRemoval = defineAction({
  type: "NetworkBanRemoval",
  description:
    "Ends the bans of IPv4 addresses after too many failed logins to a project's database. An address can be banned again afterwards.",
  inputs,
  outputs: z.object({ ranAt }),
  timeouts: { create: 300, update: 300, delete: 300 },
  target: "projectRef",
  // Who is not banned can log in, which is what was asked for.
  isRepeatable: true,
  problems,

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
    await callWhenReady(ctx, ref, ["db"], () => ctx.api.removeNetworkBans({ ref, body }));
    return createDoneState(ctx, {});
  },
});
