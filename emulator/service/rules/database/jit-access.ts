import ipaddr from "ipaddr.js";
import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { type CallSource, userIdOf, actingUser } from "../../access/caller";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import type { JitRecord, JitRole } from "../../world/records/database";
import { Refusal } from "../../answers/refusal";

type JitUser = OperationAnswer<Operations["getJitUser"]>;

/** By the documents what the caller may assume, by newer answers the state (service, Just-in-time access). */
const getJitAccess: Handler<Operations["getJitAccess"]> = ({ params, world, caller }) =>
  viewAccess(world, projectAt(world, params.ref).jit, caller);

/** Unknown what makes access unavailable: here every state can be set from every other. */
const updateJitAccess: Handler<Operations["updateJitAccess"]> = ({ params, body, world, caller }) => {
  const { jit } = settledProjectAt(world, params.ref);
  jit.state = body.state;
  return viewAccess(world, jit, caller);
};

/** As measured, a caller without a role is 406 (service, Just-in-time access). */
const getJitUser: Handler<Operations["getJitUser"]> = ({ params, world, caller }) => {
  const found = viewCaller(projectAt(world, params.ref).jit, caller);
  if (found.user_roles.length === 0 && isAsMeasured(world.state)) {
    throw new Refusal(406, "The user has no role in the database");
  }
  return found;
};

/** As the service is today, with everybody's address, and with who is invited; in 2026-06 with users alone. */
const listJitUsers: Handler<Operations["listJitUsers"]> = ({ params, world }) => {
  const { jit, organizationSlug } = projectAt(world, params.ref);
  const users = [...jit.users].map(([id, roles]) => viewUser(id, roles));
  if (!isAsMeasured(world.state)) return { items: users };
  const members = [...(world.state.organizations.get(organizationSlug)?.members.values() ?? [])];
  const addressOf = (id: string): string | null =>
    members.find(({ user }) => userIdOf(user) === id)?.email ?? null;
  return {
    items: [
      ...users.map((user) => ({
        ...user,
        primary_email: addressOf(user.user_id),
        invite_id: null,
        expires_at: null,
      })),
      ...jit.invitations.map(({ id, email, expiresAt, roles }) => ({
        user_id: null,
        primary_email: email,
        invite_id: id,
        expires_at: new Date(expiresAt).toISOString(),
        user_roles: [...roles],
      })),
    ],
  };
};

/** Replaces the user's roles. Unknown whether it must be a member: here not, since the ids of members are made up. */
const updateJitUser: Handler<Operations["updateJitUser"]> = ({ params, body, world }) => {
  const { jit } = settledProjectAt(world, params.ref);
  requireValidRoles(body.roles, world.clock.now());
  jit.users.set(body.user_id, body.roles);
  return viewUser(body.user_id, body.roles);
};

const deleteJitUser: Handler<Operations["deleteJitUser"]> = ({ params, world }) => {
  const { jit } = settledProjectAt(world, params.ref);
  if (!jit.users.delete(params.user_id)) {
    throw new Refusal(404, `User ${params.user_id} has no just-in-time access`);
  }
};

/** Unknown how long an invitation can be accepted: here seven days. */
const INVITATION_MS = 7 * 24 * 3_600_000;

/** Measured on two plans (service, Just-in-time access). */
const PLANS_WITHOUT_INVITATIONS: readonly string[] = ["free", "pro"];

/** Unknown whether a second invitation of an address is refused: here each request sends one. */
const inviteJitUser: Handler<Operations["inviteJitUser"]> = ({ params, body, world }) => {
  const { jit, organizationSlug } = settledProjectAt(world, params.ref);
  if (PLANS_WITHOUT_INVITATIONS.includes(world.state.organizations.get(organizationSlug)?.plan ?? ""))
    throw new Refusal(500, "Failed to invite the user to just-in-time access");
  const { email, roles } = body;
  const now = world.clock.now();
  requireValidRoles(roles, now);
  const id = world.newId();
  jit.invitations.push({ id, email, expiresAt: now + INVITATION_MS, roles });
  return { email, invite_id: id, user_roles: [...roles] };
};

/** One whose time is over stays until it is withdrawn, which is a guess. */
const deleteJitInvitation: Handler<Operations["deleteJitInvitation"]> = ({ params, world }) => {
  const { jit } = settledProjectAt(world, params.ref);
  const index = jit.invitations.findIndex(({ id }) => id === params.invite_id);
  if (index < 0) throw new Refusal(404, `Invitation ${params.invite_id} not found`);
  jit.invitations.splice(index, 1);
};

/** Whether the caller may assume a role now and from there (service, Just-in-time access). */
const authorizeJitAccess: Handler<Operations["authorizeJitAccess"]> = ({ params, body, world, caller }) => {
  const { jit } = projectAt(world, params.ref);
  const address = readAddress(body.rhost);
  if (jit.state !== "enabled") throw new Refusal(403, `Just-in-time access is ${jit.state} for this project`);
  const userId = userIdOf(actingUser(caller));
  const role = jit.users.get(userId)?.find((one) => one.role === body.role);
  if (role === undefined) throw new Refusal(403, `User ${userId} may not assume the role ${body.role}`);
  if (role.expires_at !== undefined && world.clock.now() >= role.expires_at * 1_000) {
    throw new Refusal(403, `The access of user ${userId} to the role ${body.role} has expired`);
  }
  if (!isAllowedFrom(address, role.allowed_networks)) {
    throw new Refusal(403, `The role ${body.role} may not be assumed from ${body.rhost}`);
  }
  return { user_id: userId, user_role: role };
};

function viewAccess(
  world: World,
  jit: JitRecord,
  caller: CallSource,
): OperationAnswer<Operations["getJitAccess"]> {
  return world.state.jitAccessShowsState ? { state: jit.state } : viewCaller(jit, caller);
}

/** A user without access is one without roles: no 404 is listed for it. */
function viewCaller({ users }: JitRecord, caller: CallSource): JitUser {
  const id = userIdOf(actingUser(caller));
  return viewUser(id, users.get(id) ?? []);
}

function viewUser(id: string, roles: readonly JitRole[]): JitUser {
  return { user_id: id, user_roles: [...roles] };
}

/** Seconds since the epoch reach this in the year 5138: what is greater was meant in milliseconds. */
const GREATEST_SECONDS = 1e11;

/** Unknown in which unit `expires_at` is: here seconds since the epoch, as other times of the database are. */
function requireValidRoles(roles: readonly JitRole[], now: number): void {
  const seen = new Set<string>();
  for (const [index, { role, expires_at: expiresAt, allowed_networks: networks }] of roles.entries()) {
    if (seen.has(role)) throw new Refusal(400, `roles.${index}: the role ${role} is given twice`);
    seen.add(role);
    if (expiresAt !== undefined && expiresAt > GREATEST_SECONDS) {
      throw new Refusal(400, `roles.${index}.expires_at: ${expiresAt} is no time in seconds since the epoch`);
    }
    if (expiresAt !== undefined && expiresAt * 1_000 <= now) {
      throw new Refusal(400, `roles.${index}.expires_at: ${expiresAt} is over already`);
    }
    const fault = faultOf(networks);
    if (fault !== undefined) throw new Refusal(400, `roles.${index}.allowed_networks.${fault}`);
  }
}

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
type Networks = JitRole["allowed_networks"];

/** The remote host as an address; an IPv4 address that is written as an IPv6 one counts as IPv4. */
function readAddress(rhost: string): IpAddress {
  if (!ipaddr.isValid(rhost)) throw new Refusal(400, `rhost: Expected an IP address, received ${rhost}`);
  return ipaddr.process(rhost);
}

/** Unknown what empty lists mean: here a role without any network may be assumed from everywhere. */
function isAllowedFrom(address: IpAddress, networks: Networks): boolean {
  const cidrs = [...(networks?.allowed_cidrs ?? []), ...(networks?.allowed_cidrs_v6 ?? [])];
  if (cidrs.length === 0) return true;
  return cidrs.some(({ cidr }) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

/** Which of the networks is no CIDR of its list's family, as a sentence; undefined when all are. */
function faultOf(networks: Networks): string | undefined {
  const v4 = networks?.allowed_cidrs?.find(({ cidr }) => !ipaddr.IPv4.isValidCIDR(cidr));
  if (v4 !== undefined) return `allowed_cidrs: ${v4.cidr} is no IPv4 network in CIDR notation`;
  const v6 = networks?.allowed_cidrs_v6?.find(({ cidr }) => !ipaddr.IPv6.isValidCIDR(cidr));
  return v6 && `allowed_cidrs_v6: ${v6.cidr} is no IPv6 network in CIDR notation`;
}

export const jitAccessHandlers = {
  getJitAccess,
  updateJitAccess,
  getJitUser,
  listJitUsers,
  updateJitUser,
  deleteJitUser,
  inviteJitUser,
  deleteJitInvitation,
  authorizeJitAccess,
};
