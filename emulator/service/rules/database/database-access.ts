import type { Operations } from "../../../../spec/table";
import type { AsyncHandler, Handler } from "../shared/handler";
import { addLoginRole, dropLoginRoles } from "../../../postgres/databases/login-roles";
import { installWebhooks } from "../../../postgres/databases/webhooks";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { derivedBytes, derivedText } from "../../world/derived-bytes";
import type { World } from "../../world/world";
import type { ProjectRecord } from "../../world/records/project";
import { inProjectDatabase } from "../shared/database/project-database";
import { isReadOnly, overrideEnd, refusesWrites } from "../shared/database/readonly-mode";
import { Refusal } from "../../answers/refusal";

/** service, Login roles, read-only mode, webhooks: Read-only mode. */
const OVERRIDE_MS = 15 * 60_000;

const getReadonlyMode: Handler<Operations["getReadonlyMode"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  const end = overrideEnd(world, project);
  return {
    enabled: isReadOnly(world, project),
    override_enabled: end !== undefined,
    // The field is a required text: unknown what it says without an override, here nothing.
    override_active_until: end === undefined ? "" : new Date(end).toISOString(),
  };
};

/** Unknown whether a second call prolongs the override: here its 15 minutes begin anew. */
const disableReadonlyMode: Handler<Operations["disableReadonlyMode"]> = ({ params, world }) => {
  const project = settledProjectAt(world, params.ref);
  if (!isReadOnly(world, project)) throw new Refusal(400, "The project is not in read-only mode");
  project.readonly.overrideUntil = world.clock.now() + OVERRIDE_MS;
};

/** A database that nothing has used yet need not start for it. */
const enableWebhooks: AsyncHandler<Operations["enableWebhooks"]> = async ({ params: { ref }, world }) => {
  const isRefused = refusesWrites(world, settledProjectAt(world, ref, "db"));
  if (isRefused || world.databases.isUsed(ref)) await inProjectDatabase(world, ref, installWebhooks);
  projectAt(world, ref).webhooksEnabled = true;
};

const createLoginRole: AsyncHandler<Operations["createLoginRole"]> = ({ params, body, world }) =>
  inProjectDatabase(world, params.ref, async (database) => {
    const now = world.clock.now();
    const password = derivedText(world.newId(), 32);
    const seconds = world.state.loginRoleSeconds;
    const validUntil = new Date(now + seconds * 1_000);
    const suffix = derivedBytes(world.newId(), 8).toString("hex");
    const role = await addLoginRole(database, {
      suffix,
      password,
      validUntil,
      now: new Date(now),
      isReadOnly: body.read_only,
    });
    noteLast(world, params.ref, { role, readOnly: body.read_only, validUntil: validUntil.getTime() });
    return { role, password, ttl_seconds: seconds };
  });

const deleteLoginRoles: AsyncHandler<Operations["deleteLoginRoles"]> = ({ params, world }) =>
  inProjectDatabase(world, params.ref, async (database) => {
    await dropLoginRoles(database);
    noteLast(world, params.ref, null);
    return { message: "ok" };
  });

/** The project may have been removed while its database was at work. */
function noteLast(world: World, ref: string, last: ProjectRecord["lastLoginRole"]): void {
  const project = world.state.projects.get(ref);
  if (project !== undefined) project.lastLoginRole = last;
}

export const databaseAccessHandlers = {
  getReadonlyMode,
  disableReadonlyMode,
  enableWebhooks,
  createLoginRole,
  deleteLoginRoles,
};
