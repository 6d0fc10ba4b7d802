import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt } from "../shared/project-at";
import { restorableImages, type RestorableEngine } from "./database-images";
import { requireRoomForActive } from "./project-quota";
import { begin, databaseOf, statusOf } from "../shared/project-status";
import { Refusal } from "../../answers/refusal";

/** States out of which a project can be restored. */
const restorable: readonly string[] = ["INACTIVE", "PAUSE_FAILED", "RESTORE_FAILED", "INIT_FAILED"];

/** Unknown which of the versions offered is installed, since no body names one: here the project keeps its own. */
const restoreProject: Handler<Operations["restoreProject"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  const status = statusOf(world, project);
  if (!restorable.includes(status)) throw nothingToRestore(world, status);
  requireRoomForActive(world, project.organizationSlug);
  begin(world, project, "restore", project.next.restore);
  project.lastUsedAt = world.clock.now();
  project.next.restore = "ACTIVE_HEALTHY";
};

function nothingToRestore({ state }: World, status: string): Refusal {
  const text = isAsMeasured(state)
    ? `This project is no longer in a paused state, it is ${status}`
    : `Project status is ${status}: nothing to restore`;
  return new Refusal(400, text);
}

/** A cancelled restore ends as a failed one does: INACTIVE at once (service, Projects). */
const cancelRestore: Handler<Operations["cancelRestore"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  const status = statusOf(world, project);
  const isComingBack = status === "COMING_UP" && project.activity.kind === "restore";
  if (status !== "RESTORING" && !isComingBack) {
    throw new Refusal(400, `Project status is ${status}: no restore is under way`);
  }
  begin(world, project, "rest", "INACTIVE");
};

/** Images of the project's engine, from its own version up, in the channels that its organization may use. */
const listRestoreVersions: Handler<Operations["listRestoreVersions"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  if (isAsMeasured(world.state) && statusOf(world, project) === "ACTIVE_HEALTHY")
    throw new Refusal(400, "This project is not in a paused state");
  const current = databaseOf(world, project);
  const allowed = world.state.organizations.get(project.organizationSlug)?.allowedReleaseChannels ?? [];
  return {
    available_versions: restorableImages(current, [...allowed, current.releaseChannel]).map((image) => ({
      version: image.version,
      release_channel: image.releaseChannel,
      // Images of another engine are never among them.
      postgres_engine: image.engine as RestorableEngine,
    })),
  };
};

export const projectRestoreHandlers = { restoreProject, cancelRestore, listRestoreVersions };
