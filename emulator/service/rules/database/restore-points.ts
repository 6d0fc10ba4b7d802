import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { requireRestoresOffered } from "./backups";
import { begin } from "../shared/project-status";
import type { RestorePointRecord } from "../../world/records/newer";
import type { ProjectRecord } from "../../world/records/project";
import { requireFound, Refusal } from "../../answers/refusal";

type RestorePointView = OperationAnswer<Operations["getRestorePoint"]>;

/** How long making one takes, at pace 1; no number is known. */
const MAKING_MS = 60_000;

/** Without a name the newest one. */
const getRestorePoint: Handler<Operations["getRestorePoint"]> = ({ params, query, world }) => {
  requireRestoresOffered(world);
  const { restorePoints } = projectAt(world, params.ref).newer;
  const point = query.name === undefined ? [...restorePoints.values()].at(-1) : restorePoints.get(query.name);
  return viewRestorePoint(world, requireFound(point, "Restore point not found"));
};

/** Unknown what a name that is in use answers: here it is refused, since the other point may still be needed. */
const createRestorePoint: Handler<Operations["createRestorePoint"]> = ({ params, body, world }) => {
  requireRestoresOffered(world);
  const { newer } = settledProjectAt(world, params.ref, "db");
  const before = newer.restorePoints.get(body.name);
  if (before !== undefined && ["PENDING", "AVAILABLE"].includes(viewRestorePoint(world, before).status)) {
    throw new Refusal(409, `A restore point named ${body.name} exists already`);
  }
  const point = {
    name: body.name,
    createdAt: world.clock.now(),
    outcome: newer.nextRestorePoint,
    removed: false,
  };
  newer.nextRestorePoint = "AVAILABLE";
  // Behind the others, as the newest one.
  newer.restorePoints.delete(point.name);
  newer.restorePoints.set(point.name, point);
  return viewRestorePoint(world, point);
};

/** What is in the project's database stays as it is: the embedded one keeps no history. */
const undoToRestorePoint: Handler<Operations["undoToRestorePoint"]> = ({ params, body, world }) => {
  requireRestoresOffered(world);
  const project = settledProjectAt(world, params.ref, "db");
  const point = requireFound(project.newer.restorePoints.get(body.name), "Restore point not found");
  const { status } = viewRestorePoint(world, point);
  if (status !== "AVAILABLE") {
    throw new Refusal(400, `Restore point status is ${status}, but must be AVAILABLE`);
  }
  dropLater(project, point);
  begin(world, project, "restore", project.next.restore);
  project.next.restore = "ACTIVE_HEALTHY";
};

/** What was made after the moment to which the project goes back is no more. */
function dropLater({ newer }: ProjectRecord, { createdAt }: RestorePointRecord): void {
  for (const other of newer.restorePoints.values()) if (other.createdAt > createdAt) other.removed = true;
}

function viewRestorePoint(
  world: World,
  { name, createdAt, outcome, removed }: RestorePointRecord,
): RestorePointView {
  const madeAt = createdAt + MAKING_MS * world.pace;
  if (world.clock.now() < madeAt) return { name, status: "PENDING", completed_on: null };
  return { name, status: removed ? "REMOVED" : outcome, completed_on: new Date(madeAt).toISOString() };
}

export const restorePointHandlers = { getRestorePoint, createRestorePoint, undoToRestorePoint };
