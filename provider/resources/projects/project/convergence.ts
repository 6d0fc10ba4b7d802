import { InvalidInputError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { waitForServices } from "../../../waiting/project-health";
import { normalizeSize, readSize, resize } from "./compute-size";
import { followUpgrade, upgradeTo } from "./postgres-upgrade";
import { majorOfProject, refuseLowerVersion } from "./postgres-version";
import type { ProjectInputs } from "./fields";
import { pause, restore, waitUntilAtRest } from "./pause";
import { problems } from "./problems";
import { pausedError, statusOf, type ProjectRecord } from "./status";

/** Brings a project from wherever it is to the declared size, version and pause, and waits until it can be used. */
export async function converge(ctx: Context, ref: string, declared: ProjectInputs): Promise<ProjectRecord> {
  const project = await atRest(ctx, ref, declared);
  if (statusOf(project) === "INACTIVE" && declared.paused === true) {
    await refuseWorkOnPaused(ctx, project, declared);
    return project;
  }
  let active = project;
  if (statusOf(project) === "INACTIVE") {
    if (declared.paused === undefined) throw pausedError(ref);
    active = await restore(ctx, ref);
  }
  if (declared.instanceSize !== undefined) {
    active = await resize(ctx, active, declared.instanceSize);
  }
  const { postgresVersion, upgradeReleaseChannel } = declared;
  if (postgresVersion !== undefined) {
    active = await upgradeTo(ctx, active, postgresVersion, upgradeReleaseChannel);
  }
  if (declared.paused === true) return pause(ctx, ref);
  await waitForServices(ctx, ref, declared.waitForServices);
  return active;
}

/** Where the project rests; an upgrade that an earlier run began is followed, so that its failure is told. */
async function atRest(ctx: Context, ref: string, declared: ProjectInputs): Promise<ProjectRecord> {
  const isUpgrading =
    declared.postgresVersion !== undefined && statusOf(await ctx.api.getProject({ ref })) === "UPGRADING";
  if (isUpgrading) await followUpgrade(ctx, ref);
  return waitUntilAtRest(ctx, ref);
}

/** A paused project takes neither another size nor another version; waking it for that is the user's decision. */
async function refuseWorkOnPaused(
  ctx: Context,
  project: ProjectRecord,
  { instanceSize, postgresVersion }: ProjectInputs,
): Promise<void> {
  const running = majorOfProject(project);
  if (postgresVersion !== undefined && running !== undefined && running !== postgresVersion) {
    refuseLowerVersion(project.ref, running, postgresVersion);
    throw notWhilePaused(project.ref, "postgresVersion");
  }
  if (instanceSize === undefined) return;
  const size = await readSize(ctx, project);
  if (size !== normalizeSize(instanceSize)) throw notWhilePaused(project.ref, "instanceSize");
}

export function notWhilePaused(ref: string, path: string): InvalidInputError {
  return new InvalidInputError(path, problems.notWhilePaused.message({ path, ref }));
}
