import { z } from "zod";
import { saysThatItExists } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import type { Context } from "../../define/context";
import { replaces, stable } from "../../define/markers";
import { projectRef } from "../../define/shared-inputs";
import {
  explainUnavailable,
  isUnavailable,
  lookUpRestorePoint,
  restorePointName,
  restorePointProblems,
  type RestorePoint,
} from "../../resources/database/shared/restore-points";
import { poll, type Verdict } from "../../waiting/poll";
import { callWhenReady } from "../../waiting/project-health";
import { mayPassWhileStarting, waitThroughStates } from "../../waiting/project-state";
import { writeOnce } from "../../waiting/write-once";
import { defineAction, everyAction, ranAt, createRunOutput } from "../define-action";

const problems = {
  ...restorePointProblems,
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
  uniqueBy: ["name"],
  adoption:
    'If the project has a restore point of this name, creation fails. `adoptId: "<name>"` records that point without creating one. It applies only on creation.',
  problems,

  // The name stands for an earlier moment, to which somebody may want to go back.
  async find(ctx, { projectRef: ref, name }) {
    await waitThroughStates(ctx, ref);
    const point = await lookUpUsable(ctx, ref, name);
    return point === undefined ? [] : [{ id: name, label: labelOf(point) }];
  },

  async seen(ctx, { id, state }) {
    const { projectRef: ref, name } = state;
    if (ref === undefined || name !== id) return undefined;
    try {
      const point = await lookUpUsable(ctx, ref, name);
      return point && outputsOf(point);
    } catch (error) {
      // It says nothing of the point: what was recorded stays.
      if (isUnavailable(error)) return { status: state.status, completedAt: state.completedAt };
      throw error;
    }
  },

  async run(ctx, { projectRef: ref, name }) {
    const outputs = createRunOutput(ctx);
    // From here on, a point of this name is this action's.
    ctx.ledger.keep(name, outputs);
    await createPoint(ctx, ref, name);
    return { id: name, outputs };
  },

  async settle(ctx, { state, inputs: { projectRef: ref, name } }) {
    if ((await lookUpRestorePoint(ctx, ref, name)) === undefined) await createPoint(ctx, ref, name);
    const point = await waitUntilAvailable(ctx, ref, name);
    return { inputs: {}, outputs: { ...outputsOf(point), ranAt: state.ranAt } };
  },
});

async function createPoint(ctx: Context, ref: string, name: string): Promise<void> {
  const refuseUnavailable = (error: unknown): never => {
    throw explainUnavailable(error, restorePointProblems);
  };
  const isThere = async (): Promise<true | undefined> =>
    (await lookUpUsable(ctx, ref, name)) === undefined ? undefined : true;
  await callWhenReady(ctx, ref, ["db"], () =>
    writeOnce(ctx, {
      send: async () => {
        await ctx.api.createRestorePoint({ ref, body: { name } });
        return true;
      },
      findResult: isThere,
      isPatient: true,
    }).catch(async (error: unknown) => {
      // There was none a moment ago: a gateway has repeated the request.
      if (saysThatItExists(error) && (await isThere()) === true) return;
      throw error;
    }),
  ).catch(refuseUnavailable);
}

function waitUntilAvailable(ctx: Context, ref: string, name: string): Promise<RestorePoint> {
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

/** The restore point of a name; undefined where the name can be used again. */
async function lookUpUsable(ctx: Context, ref: string, name: string): Promise<RestorePoint | undefined> {
  const point = await lookUpRestorePoint(ctx, ref, name);
  return point === undefined || isOver(point) ? undefined : point;
}

function isOver(point: RestorePoint): boolean {
  return ["REMOVED", "FAILED"].includes(statusOf(point));
}

function outputsOf(point: RestorePoint): { status: string; completedAt: string | undefined } {
  return { status: statusOf(point), completedAt: point.completed_on ?? undefined };
}

function labelOf(point: RestorePoint): string {
  const { completed_on: completedAt } = point;
  return completedAt == null ? statusOf(point) : `${statusOf(point)}, completed ${completedAt}`;
}

function statusOf({ status }: RestorePoint): string {
  return status ?? "without a status";
}
