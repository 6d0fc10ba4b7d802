import { z } from "zod";
import { comparedBy, formed, replaces } from "../../define/markers";
import { projectRef } from "../../define/shared-inputs";
import { confirmation, defineAction, everyAction } from "../define-action";
import { runRestore } from "./shared/restores";

const inputs = z.strictObject({
  projectRef,
  confirm: confirmation("the loss of all data written to `projectRef` after `recoveryTime`"),
  recoveryTime: replaces(
    comparedBy(
      formed(
        z.iso.datetime({ offset: true }),
        "a time in ISO 8601 with `Z` or an offset",
        "2027-01-31T18:00:00Z",
      ).describe("Point in time to restore, ISO 8601, to the second."),
      (time) => (typeof time === "string" ? toSeconds(time) : time),
    ),
  ),
  ...everyAction,
});

/** Takes a project back to a point in time. */
export const pitrRestore = defineAction({
  type: "PitrRestore",
  description:
    "Restores the data of a project to a point in time. Everything written after that time is lost, and the project is unavailable during the restore. Requires the add-on `pitr`. Creation waits until the project is healthy again. If it is unknown whether a restore has started, the provider does not start it again.",
  inputs,
  ...runRestore<z.output<typeof inputs>>(
    (ctx, { projectRef: ref, recoveryTime }) =>
      ctx.api.restorePitr({ ref, body: { recovery_time_target_unix: toSeconds(recoveryTime) } }),
    ({ recoveryTime }) => recoveryTime,
  ),
});

function toSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1_000);
}
