import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import { projectAt, requireActive } from "../shared/project-at";
import { appVersion, enginesAbove, imageOf, majorOf, type Engine } from "./database-images";
import { begin, databaseOf, isActive } from "../shared/project-status";
import type { ProjectRecord } from "../../world/records/project";
import { upgradeReport } from "../shared/upgrade-progress";
import { Refusal } from "../../answers/refusal";
import { presentDisk } from "../shared/present-disk";

/** Made up: an upgrade copies what is on the disk. */
const GB_PER_HOUR = 100;

const getUpgradeEligibility: Handler<Operations["getUpgradeEligibility"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  const { upgrade } = project;
  const current = databaseOf(world, project);
  const targets = enginesAbove(current).map((engine) => imageOf(engine, current.releaseChannel));
  return {
    eligible: targets.length > 0 && isActive(world, project) && obstaclesTo(project).length === 0,
    current_app_version: appVersion(current.version),
    current_app_version_release_channel: current.releaseChannel,
    latest_app_version: appVersion(targets.at(-1)?.version ?? current.version),
    target_upgrade_versions: targets.map(({ engine, version, releaseChannel }) => ({
      // Every target comes from the engines that an upgrade can lead to.
      postgres_version: engine as Engine,
      release_channel: releaseChannel,
      app_version: appVersion(version),
    })),
    duration_estimate_hours: Math.ceil(presentDisk(world, project).size_gb / GB_PER_HOUR),
    legacy_auth_custom_roles: upgrade.legacyAuthCustomRoles,
    objects_to_be_dropped: upgrade.objectsToBeDropped,
    unsupported_extensions: upgrade.unsupportedExtensions,
    user_defined_objects_in_internal_schemas: upgrade.userDefinedObjectsInInternalSchemas,
    validation_errors: upgrade.validationErrors,
  };
};

/** Everything that eligibility reports as in the way (service, Upgrades). */
function obstaclesTo({ upgrade }: ProjectRecord): string[] {
  return [
    ...upgrade.legacyAuthCustomRoles,
    ...upgrade.objectsToBeDropped,
    ...upgrade.unsupportedExtensions,
    ...upgrade.userDefinedObjectsInInternalSchemas,
    ...upgrade.validationErrors.map(({ type }) => type),
  ];
}

const startUpgrade: Handler<Operations["startUpgrade"]> = ({ params, body, world }) => {
  const project = projectAt(world, params.ref);
  requireActive(world, project);
  const current = databaseOf(world, project);
  const engine = targetEngine(world, project, body.target_version);
  const obstacles = obstaclesTo(project);
  if (obstacles.length > 0) {
    throw new Refusal(400, `Project is not eligible for an upgrade: ${obstacles.join(", ")}`);
  }
  const trackingId = world.newId();
  project.database = current;
  project.upgrade.run = {
    trackingId,
    since: world.clock.now(),
    target: imageOf(engine, body.release_channel ?? current.releaseChannel),
    error: project.next.upgradeError,
  };
  project.next.upgradeError = null;
  // A failed upgrade leaves the project running as before.
  begin(world, project, "upgrade", "ACTIVE_HEALTHY");
  return { tracking_id: trackingId };
};

/** The target by its engine, its version or its major number; only a greater one than the present. */
function targetEngine(world: World, project: ProjectRecord, target: string): Engine {
  const current = databaseOf(world, project);
  const found = enginesAbove(current).find(
    (engine) =>
      engine === target ||
      String(majorOf(engine)) === target ||
      [imageOf(engine, "ga").version, appVersion(imageOf(engine, "ga").version)].includes(target),
  );
  if (found === undefined) throw new Refusal(400, `Cannot upgrade from ${current.version} to ${target}`);
  return found;
}

/** Null for a project that was never upgraded, and for the tracking id of another upgrade. */
const getUpgradeStatus: Handler<Operations["getUpgradeStatus"]> = ({ params, query, world }) => {
  const { run } = projectAt(world, params.ref).upgrade;
  const isWanted = run !== null && (query.tracking_id ?? run.trackingId) === run.trackingId;
  return { databaseUpgradeStatus: isWanted ? upgradeReport(world, run) : null };
};

export const upgradeHandlers = { getUpgradeEligibility, startUpgrade, getUpgradeStatus };
