import { z } from "zod";
import { ResponseSchemaError } from "../../client/errors/errors";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { pickPresentFields, readInProject } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({
  projectRef,
  trackingId: z
    .string()
    .min(1)
    .describe("Identifier that the service gave the upgrade when it began; by default the latest upgrade.")
    .optional(),
});

const upgrade = z.object({
  initiatedAt: z.string().describe("Time at which the upgrade was requested.").optional(),
  latestStatusAt: z.string().describe("Time of the latest progress.").optional(),
  targetVersion: z.number().describe("Major version of Postgres after the upgrade, such as `17`.").optional(),
  progress: z
    .string()
    .describe("The step that was reached, from `0_requested` to `10_completed_post_physical_backup`.")
    .optional(),
  error: z
    .string()
    .describe("Why the upgrade failed, such as `5_data_upgrade_completion_failed`; absent unless it failed.")
    .optional(),
  status: z.number().describe("State as a number, whose values the service does not document.").optional(),
});

const outputs = z.object({
  upgrade: upgrade
    .describe("The upgrade; absent if the project has never been upgraded, or not under `trackingId`.")
    .optional(),
});

/** How the upgrade of a project's Postgres gets on. */
export const getUpgradeStatus = defineFunction({
  name: "getUpgradeStatus",
  description:
    "Reads how the upgrade of a project's Postgres is getting on: the step that it has reached, and the error where it failed.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref, trackingId }) {
    const query = { ref, ...(trackingId !== undefined && { tracking_id: trackingId }) };
    const { databaseUpgradeStatus: found } = await readInProject(
      ctx,
      ref,
      `upgrade-status:${trackingId ?? ""}`,
      () => ctx.api.ofEveryProject(ref, () => ctx.api.getUpgradeStatus(query)),
    );
    // Null says that there is none; an answer without the field says nothing.
    if (found === undefined) throw createUnansweredError();
    if (found === null) return {};
    const { initiated_at, latest_status_at, target_version, progress, error, status } = found;
    return {
      upgrade: pickPresentFields({
        initiatedAt: initiated_at,
        latestStatusAt: latest_status_at,
        targetVersion: target_version,
        ...{ progress, error, status },
      }),
    };
  },
});

function createUnansweredError(): ResponseSchemaError {
  return new ResponseSchemaError(
    "getUpgradeStatus failed: the answer has no `databaseUpgradeStatus`. Run again.",
    "getUpgradeStatus",
    "databaseUpgradeStatus",
  );
}
