import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { begin } from "../shared/project-status";
import type { ProjectRecord } from "../../world/records/project";

/** From the change until it is applied, at pace 1, where changes apply later. */
const APPLYING_MS = 15_000;

const getSslEnforcement: Handler<Operations["getSslEnforcement"]> = ({ params, world }) =>
  view(world, projectAt(world, params.ref));

/** The project stays ACTIVE_HEALTHY: the opposite is taken seconds later (service, SSL enforcement). */
const updateSslEnforcement: Handler<Operations["updateSslEnforcement"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref, "db");
  const { sslEnforcement } = project;
  const { database } = body.requestedConfig;
  if (database !== sslEnforcement.database) {
    sslEnforcement.database = database;
    sslEnforcement.changedAt = world.clock.now();
    if (world.state.settingsRestartDatabase) begin(world, project, "restart", "ACTIVE_HEALTHY");
  }
  return view(world, project);
};

/** When a change is applied, or was; null when there was none or it is never applied. */
export function sslAppliedAt(world: World, { sslEnforcement }: ProjectRecord): number | null {
  const { changedAt, applies } = sslEnforcement;
  if (changedAt === null || !applies) return null;
  return changedAt + (world.state.changesApplyLater ? APPLYING_MS * world.pace : 0);
}

/** `appliedSuccessfully` is true at once, or turns so later (service, SSL enforcement). */
function view(world: World, project: ProjectRecord): OperationAnswer<Operations["getSslEnforcement"]> {
  const { database, changedAt } = project.sslEnforcement;
  const appliedAt = sslAppliedAt(world, project);
  const isApplied = changedAt === null || (appliedAt !== null && world.clock.now() >= appliedAt);
  return { currentConfig: { database }, appliedSuccessfully: isApplied };
}

export const sslEnforcementHandlers = { getSslEnforcement, updateSslEnforcement };
