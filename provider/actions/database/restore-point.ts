import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import type { Context } from "../../define/context";
import { replaces, stable } from "../../define/markers";
import { projectRef } from "../../define/shared-inputs";
import {
  lookUpRestorePoint,
  restorePointName,
  type RestorePoint,
} from "../../resources/database/shared/restore-points";
import { poll, type Verdict } from "../../waiting/poll";
import { whenReady } from "../../waiting/project-health";
import { mayPassWhileStarting, waitThroughStates } from "../../waiting/project-state";
import { startingCalls } from "../../waiting/starting-calls";
import { writeOnce } from "../../waiting/write-once";
import { defineAction, doneNow, everyAction, ranAt } from "../define-action";

const problems = {
  nameTaken: defineProblem({
    says: "The project {ref} already has a restore point named {name} ({status}): {remedy}.",
    means: "The name stands for an earlier moment, to which somebody may want to go back.",
    remedy: "Choose another `name`",
  }),
  failed: defineProblem({
    says: "The restore point {name} of the project {ref} is {status}: {remedy}.",
    means: "The service could not make the restore point, or has dropped it before it was completed.",
    remedy: "Choose another `name` and run again",
  }),
};

const inputs = z.strictObject({
  projectRef,
  name: replaces(
    restorePointName.describe("Name of the restore point, at most 20 characters, unique in the project."),
  ),
  ...everyAction,
});

/** Names this moment of a project's database, so that it can be taken back to it. */
export const restorePoint = defineAction({
  type: "RestorePoint",
  description:
    "Creates a restore point of a project's database, to which `RestorePointUndo` takes it back. Creation waits until the point is available. The service cannot delete a restore point. Some installations do not have this operation.",
  inputs,
  outputs: z.object({
    status: z.string().describe("`AVAILABLE` when it was created.").optional(),
    completedAt: stable(z.string().describe("Time at which it was completed, ISO 8601.")).optional(),
    ranAt,
  }),
  timeouts: { create: 1_800, update: 1_800, delete: 300 },
  target: "projectRef",
  problems,
  conditionalCalls: [
    ["createRestorePoint", ["update"], "after an incomplete creation"],
    ["getRestorePoint", ["update"], "after an incomplete creation"],
    ...startingCalls("update"),
    ...startingCalls("create").filter(([name]) => name !== "getProject"),
  ],

  async run(ctx, { projectRef: ref, name }) {
    await waitThroughStates(ctx, ref);
    const present = await lookUpRestorePoint(ctx, ref, name);
    if (present !== undefined && !isOver(present)) {
      throw new Error(problems.nameTaken.message({ ref, name, status: statusOf(present) }));
    }
    const made = doneNow(ctx, {});
    // From here on, a point of this name is this action's.
    ctx.keep(made.id, made.outputs);
    await createPoint(ctx, ref, name);
    return made;
  },

  async settle(ctx, { state, inputs: { projectRef: ref, name } }) {
    if ((await lookUpRestorePoint(ctx, ref, name)) === undefined) await createPoint(ctx, ref, name);
    const point = await untilAvailable(ctx, ref, name);
    return {
      inputs: {},
      outputs: {
        status: statusOf(point),
        completedAt: point.completed_on ?? undefined,
        ranAt: state.ranAt,
      },
    };
  },
});

async function createPoint(ctx: Context, ref: string, name: string): Promise<void> {
  await whenReady(ctx, ref, ["db"], () =>
    writeOnce(ctx, {
      send: async () => {
        await ctx.api.createRestorePoint({ ref, body: { name } });
        return true;
      },
      findResult: async () => {
        const point = await lookUpRestorePoint(ctx, ref, name);
        return point === undefined || isOver(point) ? undefined : true;
      },
    }),
  );
}

function untilAvailable(ctx: Context, ref: string, name: string): Promise<RestorePoint> {
  return poll<RestorePoint | undefined, RestorePoint>(ctx, {
    what: `the restore point ${name}`,
    look: () => lookUpRestorePoint(ctx, ref, name),
    judge(point): Verdict<RestorePoint> {
      if (point === undefined) return { kind: "waiting", reason: "it does not show yet" };
      const status = statusOf(point);
      if (isOver(point)) {
        return { kind: "failed", error: new Error(problems.failed.message({ ref, name, status })) };
      }
      return status === "AVAILABLE"
        ? { kind: "done", value: point }
        : { kind: "waiting", reason: `it is ${status}` };
    },
    mayPass: mayPassWhileStarting,
  });
}

/** A name whose point is over can be used again. */
function isOver(point: RestorePoint): boolean {
  return ["REMOVED", "FAILED"].includes(statusOf(point));
}

function statusOf({ status }: RestorePoint): string {
  return status ?? "without a status";
}
