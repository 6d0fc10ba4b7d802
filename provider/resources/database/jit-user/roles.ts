import { z } from "zod";
import { isObject } from "../../../../spec/is-object";
import { jitRole } from "../../../../spec/operations/jit-access";
import type { Api } from "../../../define/context";
import { asSet, comparedBy, formed } from "../../../define/markers";
import { mergeUnknown } from "../../../settings/mapping/keep-unknown";
import { cidrSet, toCanonicalCidr, type CidrFamily } from "../../network/shared/cidrs";

const networks = (family: CidrFamily) =>
  cidrSet(
    family,
    `IP${family} networks from which the user may assume the role, in CIDR notation, a set. Default: every network, if both lists are omitted.`,
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
      .describe("Time until which the user may assume the role, ISO 8601, to the second. Default: no limit.")
      .optional(),
    allowedCidrs: networks("v4").optional(),
    allowedCidrsV6: networks("v6").optional(),
    branchesOnly: z
      .boolean()
      .describe(
        "Whether the user may assume the role on branches only, not on the project itself. If it is omitted, the role keeps the value that it has. Some installations ignore it.",
      )
      .optional(),
  })
  .meta({ id: "JitUserRole", description: "A database role that a user may assume." });

export const rolesInput = comparedBy(
  asSet(
    z
      .array(role)
      .min(1)
      .describe(
        "All roles that the user may assume, a set. Roles granted elsewhere are drift and are revoked. Expired roles are ignored, with a warning.",
      ),
  ),
  normalizeRoles,
);

export type GrantedRole = z.output<typeof role>;

/** A user or somebody who is invited, with the roles, as the service lists it. */
export type JitRecord = Awaited<ReturnType<Api["listJitUsers"]>>[number];
type RecordedRoles = readonly JitRecord["user_roles"][number][];
type SentRole = Parameters<Api["updateJitUser"]>[0]["body"]["roles"][number];

/** Whether a declared role is limited to branches is nobody's business where the program does not say. */
export function omitUndeclared(
  granted: readonly GrantedRole[],
  declared: readonly GrantedRole[],
): GrantedRole[] {
  return granted.map(({ branchesOnly, ...role }) => {
    const known = declared.find((one) => one.role === role.role);
    const isOpen = known !== undefined && known.branchesOnly === undefined;
    return branchesOnly === undefined || isOpen ? role : { ...role, branchesOnly };
  });
}

/** What is sent of the roles. What this version does not know of a role that is there stays, and so does a limit to branches that is not declared. */
export function toWholeRoles(roles: readonly GrantedRole[], present: RecordedRoles): SentRole[] {
  return roles.map(toWire).map((role) => {
    const now = present.find((one) => one.role === role.role);
    const only = now?.branches_only;
    // Undeclared it stays: no change is to let a user onto the project in passing.
    return mergeUnknown(jitRole, now, only == null ? role : { branches_only: only, ...role });
  });
}

/** Spellings of one instant and of one network mean the same, and so do no networks and none given. */
function normalizeRoles(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((one: unknown) => {
    if (!isObject(one)) return one;
    const { role: name, expiresAt, allowedCidrs, allowedCidrsV6, branchesOnly } = one;
    const networks = [normalizeCidrs(allowedCidrs), normalizeCidrs(allowedCidrsV6)];
    return [name, toSeconds(expiresAt) ?? null, ...networks, branchesOnly ?? null];
  });
}

function normalizeCidrs(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? [];
  return [...new Set(value.map((cidr) => toCanonicalCidr(String(cidr))))].sort();
}

/** What is no time is compared as it is. */
function toSeconds(time: unknown): unknown {
  if (typeof time !== "string") return time;
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : Math.floor(ms / 1_000);
}

export function isExpired({ expiresAt }: GrantedRole, nowMs: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs;
}

function toWire({
  role: name,
  expiresAt,
  allowedCidrs,
  allowedCidrsV6,
  branchesOnly,
}: GrantedRole): SentRole {
  const toCidrEntries = (cidrs: readonly string[]) => cidrs.map((cidr) => ({ cidr }));
  const isLimited = allowedCidrs !== undefined || allowedCidrsV6 !== undefined;
  return {
    role: name,
    ...(expiresAt === undefined ? {} : { expires_at: Math.floor(Date.parse(expiresAt) / 1_000) }),
    ...(isLimited
      ? {
          allowed_networks: {
            allowed_cidrs: toCidrEntries(allowedCidrs ?? []),
            allowed_cidrs_v6: toCidrEntries(allowedCidrsV6 ?? []),
          },
        }
      : {}),
    ...(branchesOnly === undefined ? {} : { branches_only: branchesOnly }),
  };
}

export function fromWire({ user_roles: roles }: Pick<JitRecord, "user_roles">): GrantedRole[] {
  return roles.map(({ role: name, expires_at: at, allowed_networks: allowed, branches_only: only }) => {
    const allowedCidrs = allowed?.allowed_cidrs?.map(({ cidr }) => cidr) ?? [];
    const allowedCidrsV6 = allowed?.allowed_cidrs_v6?.map(({ cidr }) => cidr) ?? [];
    return {
      role: name,
      ...(at == null ? {} : { expiresAt: toIsoTime(at) }),
      ...(allowedCidrs.length === 0 ? {} : { allowedCidrs }),
      ...(allowedCidrsV6.length === 0 ? {} : { allowedCidrsV6 }),
      ...(only == null ? {} : { branchesOnly: only }),
    };
  });
}

/** Seconds since the epoch reach this in the year 5138: what is greater was meant in milliseconds. */
const GREATEST_SECONDS = 1e11;

/** A time in ISO 8601, of seconds or of milliseconds since the epoch. */
export function toIsoTime(sinceEpoch: number): string {
  return new Date(sinceEpoch > GREATEST_SECONDS ? sinceEpoch : sinceEpoch * 1_000).toISOString();
}
