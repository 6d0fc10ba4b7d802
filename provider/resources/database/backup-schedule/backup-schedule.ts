import { z } from "zod";
import { updateBackupScheduleBody } from "../../../../spec/operations/newer/backups";
import { ApiError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { quoteServiceMessage, replaceMessage } from "../../../client/errors/with-message";
import type { Api } from "../../../define/context";
import { comparedBy } from "../../../define/markers";
import { defineSettings } from "../../../settings/settings";

type Answer = Awaited<ReturnType<Api["getBackupSchedule"]>>;

const problems = {
  needsPlan: defineProblem({
    says: "The organization's plan does not include the schedule of backups{answer}: {remedy}.",
    means: "The service answered 402.",
    remedy: "Change the plan, or remove the resource from the program",
  }),
};

/** When the daily backup of a project is made. */
export const backupSchedule = defineSettings({
  type: "BackupSchedule",
  description:
    "The time of a project's daily backup. A change takes effect with the next backup window that includes it. Deleting the resource restores the earlier value. Requires a plan that includes it. Some installations do not have this operation.",
  settings: {
    scheduleFor: comparedBy(
      z.string().min(1).describe("Time of day in UTC at which the daily backup is made, such as `03:00`."),
      (time) => (typeof time === "string" ? toMinutes(time) : time),
    ),
  },
  options: {},
  outputs: {
    updatedAt: z.string().describe("Time of the last change, ISO 8601.").optional(),
  },
  wireNames: {},
  body: updateBackupScheduleBody,
  timeouts: { create: 600, update: 600, delete: 600 },
  problems,
  mode: "merge",
  isClosed: true,
  services: [],
  get: async (ctx, ref) => fromWire(await explainNeededPlan(ctx.api.getBackupSchedule({ ref }))),
  put: async (ctx, ref, body) =>
    fromWire(await explainNeededPlan(ctx.api.updateBackupSchedule({ ref, body }))),
});

function fromWire({ updated_at: updatedAt, ...schedule }: Answer): object {
  return { ...schedule, updatedAt: updatedAt ?? undefined };
}

/** `03:00` and `03:00:00` are one time; what is no time of day stays as it is. */
function toMinutes(time: string): string {
  const [, minutes] = /^(\d\d:\d\d)(?::00(?:\.0+)?)?(?:Z|\+00(?::?00)?)?$/.exec(time.trim()) ?? [];
  return minutes ?? time;
}

async function explainNeededPlan<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 402) throw error;
    throw replaceMessage(error, problems.needsPlan.message({ answer: quoteServiceMessage(error) }));
  }
}
