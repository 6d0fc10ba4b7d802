import { z } from "zod";
import { toIsoTime } from "../../resources/database/jit-user/roles";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { pickPresentFields, readInProject } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({
  projectRef,
  role: z.string().min(1).describe("Name of the database role to assume."),
  host: z.string().min(1).describe("IP address from which to assume it."),
});

const outputs = z.object({
  userId: z.string().describe("Identifier of the token's user, a UUID.").optional(),
  role: z.string().describe("Name of the role.").optional(),
  expiresAt: z
    .string()
    .describe("Time until which the user may assume it, ISO 8601. Absent if it does not expire.")
    .optional(),
  allowedCidrs: z
    .array(z.string())
    .describe(
      "IPv4 networks from which the user may assume it, in CIDR notation. Absent if there is no restriction.",
    )
    .optional(),
  allowedCidrsV6: z
    .array(z.string())
    .describe(
      "IPv6 networks from which the user may assume it, in CIDR notation. Absent if there is no restriction.",
    )
    .optional(),
});

/** Whether the token's user may assume a database role now. */
export const getJitAuthorization = defineFunction({
  name: "getJitAuthorization",
  description:
    "Checks whether the access token's user may assume a database role now, from an address, with just-in-time access. If not, it fails with the service's reason.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref, role, host }) {
    const body = { role, rhost: host };
    const found = await readInProject(ctx, ref, `jit-authorization:${JSON.stringify(body)}`, () =>
      ctx.api.authorizeJitAccess({ ref, body }),
    );
    const { role: assumed, expires_at: expiresAt, allowed_networks: networks } = found.user_role ?? {};
    const { allowed_cidrs: v4, allowed_cidrs_v6: v6 } = networks ?? {};
    return pickPresentFields({
      userId: found.user_id,
      role: assumed,
      expiresAt: expiresAt == null ? undefined : toIsoTime(expiresAt),
      allowedCidrs: v4?.flatMap(({ cidr }) => cidr ?? []),
      allowedCidrsV6: v6?.flatMap(({ cidr }) => cidr ?? []),
    });
  },
});
