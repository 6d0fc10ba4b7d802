import { z } from "zod";
import { defineFunction } from "../../define/function";
import { networkRestrictions } from "../../resources/network/network-restrictions/network-restrictions";
import { ofProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { toFoundShape, pickPresentFields, readInProject } from "../answers";

const inputs = z.strictObject({ projectRef });

const cidrs = (what: string) => z.array(z.string()).describe(what).optional();

const outputs = z.object({
  allowedCidrs: cidrs(
    "Ranges of IPv4 addresses that may connect, in CIDR notation. An empty list allows none; `0.0.0.0/0` allows all.",
  ),
  allowedCidrsV6: cidrs(
    "Ranges of IPv6 addresses that may connect, in CIDR notation. An empty list allows none; `::/0` allows all.",
  ),
  previousCidrs: cidrs("Ranges of IPv4 addresses before the last change, if the service returns them."),
  previousCidrsV6: cidrs("Ranges of IPv6 addresses before the last change, if the service returns them."),
  ...toFoundShape(networkRestrictions.outputs.shape),
});

/** Which addresses may connect to a project's database. */
export const getNetworkRestrictions = defineFunction({
  name: "getNetworkRestrictions",
  description:
    "Reads the IP addresses that may connect to a project's database, and whether the lists are in effect.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const found = await readInProject(ctx, ref, "network-restrictions", () =>
      ctx.api.ofEveryProject(ref, () => ctx.api.getNetworkRestrictions({ ref })),
    );
    return pickPresentFields({
      allowedCidrs: found.config?.dbAllowedCidrs,
      allowedCidrsV6: found.config?.dbAllowedCidrsV6,
      previousCidrs: found.old_config?.dbAllowedCidrs,
      previousCidrsV6: found.old_config?.dbAllowedCidrsV6,
      entitlement: found.entitlement,
      status: found.status,
      updatedAt: found.updated_at,
      appliedAt: found.applied_at,
    });
  },
});
