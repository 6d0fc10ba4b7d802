import type { Context } from "../../../define/context";
import type { Change } from "../../../define/resource";
import { whenReady } from "../../../waiting/project-health";
import { majorOf, refuseLowerVersion } from "./postgres-version";
import { notWhilePaused } from "./convergence";
import type { ProjectInputs, ProjectOutputs } from "./fields";
import { makeActive } from "./pause";
import { statusOf } from "./status";

/** Changes the name and the password; size, version and pause are brought about while settling. */
export async function updateProject(
  ctx: Context,
  { id: ref, state, inputs, changed }: Change<ProjectInputs, ProjectOutputs>,
): Promise<void> {
  if (changed.has("postgresVersion") && inputs.postgresVersion !== undefined) {
    refuseLowerVersion(ref, majorOf(state.database?.version), inputs.postgresVersion);
  }
  const { dbPass } = inputs;
  if (changed.has("dbPass") && dbPass !== undefined) await changePassword(ctx, ref, dbPass, inputs);
  if (changed.has("name")) await ctx.api.updateProject({ ref, body: { name: inputs.name } });
}

/** Rotates the password in place; only an active project takes a new one. */
async function changePassword(
  ctx: Context,
  ref: string,
  password: string,
  { paused }: ProjectInputs,
): Promise<void> {
  const status = statusOf(await ctx.api.getProject({ ref }));
  if (status === "INACTIVE" && paused !== false) throw notWhilePaused(ref, "dbPass");
  await makeActive(ctx, ref, paused === false);
  await whenReady(ctx, ref, ["db"], () => ctx.api.updateDatabasePassword({ ref, body: { password } }));
}
