import type { Answer } from "../../spec/operation";
import type { Operations } from "../../spec/table";
import type { Handler } from "../handler";
import type { World } from "../world";
import { projectAt, settledProjectAt } from "./access";
import { begin } from "./project-status";
import type { ProjectRecord } from "./records/project";

/** From the change until it is applied, at pace 1: the database restarts on the way. */
const APPLYING_MS = 15_000;

const getSslEnforcement: Handler<Operations["getSslEnforcement"]> = ({ params, world }) =>
  view(world, projectAt(world, params.ref));

/** Unknown whether the database restarts: here a change makes it, as it is the server that refuses plain connections. */
const updateSslEnforcement: Handler<Operations["updateSslEnforcement"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref, "db");
  const { sslEnforcement } = project;
  const { database } = body.requestedConfig;
  if (database !== sslEnforcement.database) {
    sslEnforcement.database = database;
    sslEnforcement.changedAt = world.clock.now();
    begin(world, project, "restart", "ACTIVE_HEALTHY");
  }
  return view(world, project);
};

/** `appliedSuccessfully` turns true later (behaviour, Configuration). */
function view(world: World, { sslEnforcement }: ProjectRecord): Answer<Operations["getSslEnforcement"]> {
  const { database, changedAt, applies } = sslEnforcement;
  const isOver = changedAt === null || world.clock.now() >= changedAt + APPLYING_MS * world.pace;
  return { currentConfig: { database }, appliedSuccessfully: isOver && (applies || changedAt === null) };
}

export const sslEnforcementHandlers = { getSslEnforcement, updateSslEnforcement };
