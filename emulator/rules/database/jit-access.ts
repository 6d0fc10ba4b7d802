import type { Answer } from "../../../spec/operation";
import type { Operations } from "../../../spec/table";
import { userIdOf, type CallSource } from "../../access/caller";
import { Refusal, type Handler } from "../../handler";
import { projectAt, settledProjectAt } from "../access";
import { isAllowedFrom, readAddress } from "./jit-access-networks";
import { requireValidRoles } from "./jit-access-roles";
import { actingUser } from "../organizations/members";
import type { JitRecord, JitRole } from "../records/jit";
import type { World } from "../../world/world";

type JitUser = Answer<Operations["getJitUser"]>;

/** By the documents what the caller may assume, by newer answers the state (service, Just-in-time access). */
const getJitAccess: Handler<Operations["getJitAccess"]> = ({ params, world, caller }) =>
  viewAccess(world, projectAt(world, params.ref).jit, caller);

/** Unknown what makes access unavailable: here every state can be set from every other. */
const updateJitAccess: Handler<Operations["updateJitAccess"]> = ({ params, body, world, caller }) => {
  const { jit } = settledProjectAt(world, params.ref);
  jit.state = body.state;
  return viewAccess(world, jit, caller);
};

const getJitUser: Handler<Operations["getJitUser"]> = ({ params, world, caller }) =>
  viewCaller(projectAt(world, params.ref).jit, caller);

const listJitUsers: Handler<Operations["listJitUsers"]> = ({ params, world }) => ({
  items: [...projectAt(world, params.ref).jit.users].map(([id, roles]) => viewUser(id, roles)),
});

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

function viewAccess(world: World, jit: JitRecord, caller: CallSource): Answer<Operations["getJitAccess"]> {
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

export const jitAccessHandlers = {
  getJitAccess,
  updateJitAccess,
  getJitUser,
  listJitUsers,
  updateJitUser,
  deleteJitUser,
  authorizeJitAccess,
};
