import { z } from "zod";
import { isoTimeOf } from "../shared/epoch-time";
import { canonicalCidr, cidrSet, type CidrFamily } from "../../network/shared/cidrs";
import { asSet, comparedBy, formed } from "../../../define/markers";
import { isObject } from "../../../../spec/is-object";
import type { Api } from "../../../define/context";

/** A user with the roles that it may assume, as the service lists it. */
export type JitUserRecord = Awaited<ReturnType<Api["listJitUsers"]>>[number];

/** What the service takes in place of a user's roles. */
export type PutBody = Parameters<Api["updateJitUser"]>[0]["body"];

const networks = (family: CidrFamily) =>
  cidrSet(
    family,
    `IP${family} networks from which the user may assume the role, in CIDR notation; a set. If both lists are omitted, every network is allowed.`,
    1,
  );

export const role = z
  .strictObject({
    role: z.string().min(1).describe("Name of the database role."),
    expiresAt: formed(
      z.iso.datetime({ offset: true }),
      "a time in ISO 8601 with `Z` or an offset",
      "2027-01-31T18:00:00Z",
    )
      .describe(
        "Time until which the user may assume the role, ISO 8601, to the second. If omitted, it does not expire.",
      )
      .optional(),
    allowedCidrs: networks("v4").optional(),
    allowedCidrsV6: networks("v6").optional(),
  })
  .meta({ id: "JitUserRole", description: "A database role that a user may assume." });

export const rolesInput = comparedBy(
  asSet(
    z
      .array(role)
      .min(1)
      .describe(
        "All roles that the user may assume; a set. Roles that others grant are drift, and are taken back. A role that has expired is neither sent nor missed, and a warning names it.",
      ),
  ),
  normalizeRoles,
);

export type Role = z.output<typeof role>;

/** Spellings of one instant and of one network mean the same, and so do no networks and none given. */
export function normalizeRoles(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((one: unknown) => {
    if (!isObject(one)) return one;
    const { role: name, expiresAt, allowedCidrs, allowedCidrsV6 } = one;
    return [name, secondsOf(expiresAt) ?? null, cidrsIn(allowedCidrs), cidrsIn(allowedCidrsV6)];
  });
}

function cidrsIn(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? [];
  return [...new Set(value.map((cidr) => canonicalCidr(String(cidr))))].sort();
}

/** What is no time is compared as it is. */
function secondsOf(time: unknown): unknown {
  if (typeof time !== "string") return time;
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : Math.floor(ms / 1_000);
}

export function isExpired({ expiresAt }: Role, nowMs: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs;
}

export function toWire({
  role: name,
  expiresAt,
  allowedCidrs,
  allowedCidrsV6,
}: Role): PutBody["roles"][number] {
  const named = (cidrs: readonly string[]) => cidrs.map((cidr) => ({ cidr }));
  const isLimited = allowedCidrs !== undefined || allowedCidrsV6 !== undefined;
  return {
    role: name,
    ...(expiresAt === undefined ? {} : { expires_at: Math.floor(Date.parse(expiresAt) / 1_000) }),
    ...(isLimited
      ? {
          allowed_networks: {
            allowed_cidrs: named(allowedCidrs ?? []),
            allowed_cidrs_v6: named(allowedCidrsV6 ?? []),
          },
        }
      : {}),
  };
}

export function fromWire({ user_roles: roles }: JitUserRecord): Role[] {
  return roles.map(({ role: name, expires_at: at, allowed_networks: allowed }) => {
    const allowedCidrs = allowed?.allowed_cidrs?.map(({ cidr }) => cidr) ?? [];
    const allowedCidrsV6 = allowed?.allowed_cidrs_v6?.map(({ cidr }) => cidr) ?? [];
    return {
      role: name,
      ...(at == null ? {} : { expiresAt: isoTimeOf(at) }),
      ...(allowedCidrs.length === 0 ? {} : { allowedCidrs }),
      ...(allowedCidrsV6.length === 0 ? {} : { allowedCidrsV6 }),
    };
  });
}
