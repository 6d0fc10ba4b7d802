import { z } from "zod";
import { isRefusal } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Api, Context } from "../../../define/context";
import { parent, replaces, stable } from "../../../define/markers";
import { anyRef, projectRef } from "../../../define/shared-inputs";
import { deadStep, endOfLog, openSteps, requireSteps } from "../../../resources/branches/shared/action-run";
import { poll } from "../../../waiting/poll";
import { mayPassWhileStarting, waitThroughStates } from "../../../waiting/project-state";
import { ranAt, type ActionDefinition } from "../../define-action";

/** What an action on a branch takes. */
export const branchInputs = {
  projectRef: projectRef.describe("Reference of the branch's parent project, 20 lowercase letters."),
  branchRef: parent(replaces(anyRef.describe("Reference of the branch, 20 lowercase letters."))),
};

/** The version up to which migrations are taken. */
export const migrationVersion = (description: string) =>
  replaces(z.string().min(1).describe(description)).optional();

const outputs = z.object({
  runId: stable(z.string().describe("Identifier of the action run, as in `getActionRuns`.")).optional(),
  ranAt,
});

const problems = {
  failedRun: defineProblem({
    says: 'The action run {runId} of the branch {ref} failed in the step "{step}". {remedy}. {log}',
    means: "A step of the run failed. The message includes the end of its log, without secrets.",
    remedy: "Correct the cause, then change `triggers` to run the action again",
  }),
};

interface Inputs {
  readonly projectRef: string;
  readonly branchRef: string;
  readonly migrationVersion?: string | undefined;
}

type Outputs = z.output<typeof outputs>;
type Body = Parameters<Api["mergeBranch"]>[0]["body"];
type Send = (ctx: Context, branchRef: string, body: Body) => ReturnType<Api["mergeBranch"]>;
type Run = Awaited<ReturnType<Api["getActionRun"]>>;

/**
 * An action that the service carries out in an action run of the branch: begun once, and followed to its end. `require`
 * throws for what must not be begun.
 */
export function inActionRun<I extends Inputs>(
  send: Send,
  require: (ctx: Context, inputs: I) => Promise<void> = () => Promise.resolve(),
) {
  const steps: Pick<ActionDefinition<I, Outputs>, "find" | "run" | "settle"> = {
    // One that was begun without an answer is known by being new.
    async find(ctx, { branchRef }) {
      const runs = await ctx.api.listActionRuns({ ref: branchRef });
      return runs.map(({ id, created_at: createdAt }) => ({
        id,
        label: `an action run of ${createdAt ?? "an unknown time"}`,
        createdAt: createdAt ?? undefined,
        collides: false,
      }));
    },

    // Before it is sent: after a refusal it would not be known whether an earlier attempt is what stands in the way.
    async run(ctx, inputs) {
      const { projectRef: ref, branchRef, migrationVersion: version } = inputs;
      await waitThroughStates(ctx, ref);
      await waitThroughStates(ctx, branchRef);
      const body = version === undefined ? {} : { migration_version: version };
      const runId = await ctx.shared.exclusively(`action runs of ${ref}`, () =>
        betweenRuns(ctx, inputs, async () => {
          await require(ctx, inputs);
          return begin(ctx, branchRef, (once) => send(once, branchRef, body));
        }),
      );
      return { id: runId, outputs: { runId } };
    },

    async settle(ctx, { id, inputs: { branchRef } }) {
      const run = await untilOver(ctx, branchRef, id);
      ctx.shared.forgetAll();
      const step = deadStep(run);
      if (step !== undefined) throw await failure(ctx, branchRef, id, step);
      return { inputs: {}, outputs: { runId: id, ranAt: run.created_at ?? undefined } };
    },
  };
  const timeouts = { create: 1_800, update: 1_800, delete: 300 };
  return { ...steps, outputs, timeouts, target: "branchRef", problems } as const;
}

/** Begins a run; a refusal may be that of a request which a gateway repeated, and the run that it began is this one then. */
async function begin(
  ctx: Context,
  branchRef: string,
  send: (once: Context) => ReturnType<Send>,
): Promise<string> {
  const { ctx: once, isMadeMeanwhile } = ctx.once();
  try {
    return (await send(once)).workflow_run_id;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const runs = await ctx.api.listActionRuns({ ref: branchRef }).catch(() => []);
    const [own, second] = runs.filter(({ created_at }) => isMadeMeanwhile(created_at ?? undefined) === true);
    if (own === undefined || second !== undefined) throw error;
    return own.id;
  }
}

/**
 * Begins a run when no other one is under way: the service refuses it beside another run of the branch, and beside one of
 * the project, as a merge of another branch.
 */
async function betweenRuns<T>(
  ctx: Context,
  { projectRef, branchRef }: Pick<Inputs, "projectRef" | "branchRef">,
  send: () => Promise<T>,
): Promise<T> {
  await untilNoneOpen(ctx, branchRef, await openRuns(ctx, branchRef));
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Another program may have begun one since. Where that cannot be seen, the refusal stands.
      const open = await openRuns(ctx, projectRef).catch(() => []);
      if (open.length === 0) throw error;
      await untilNoneOpen(ctx, projectRef, open, error);
    }
  }
}

async function openRuns(ctx: Context, ref: string): Promise<string[]> {
  const runs = await ctx.api.listActionRuns({ ref });
  return runs.filter((run) => !isOver(run)).map(({ id }) => id);
}

/** Waits for these runs; at the deadline, what was refused on their account says more than the wait. */
async function untilNoneOpen(
  ctx: Context,
  ref: string,
  runIds: readonly string[],
  refusal?: Error,
): Promise<void> {
  if (runIds.length === 0) return;
  await poll<readonly string[], undefined>(ctx, {
    what: `other action runs of ${ref} to end`,
    look: async () => (await openRuns(ctx, ref)).filter((id) => runIds.includes(id)),
    judge: ([open]) =>
      open === undefined
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: `the action run ${open} is not over` },
    mayPass: mayPassWhileStarting,
    ...(refusal !== undefined && { absent: () => refusal }),
  });
}

function isOver(run: Pick<Run, "run_steps">): boolean {
  return openSteps(run).length === 0 || deadStep(run) !== undefined;
}

function untilOver(ctx: Context, ref: string, runId: string): Promise<Run> {
  return poll<Run, Run>(ctx, {
    what: `the action run ${runId}`,
    look: async () => {
      const run = await ctx.api.getActionRun({ ref, run_id: runId });
      requireSteps(run, "getActionRun");
      return run;
    },
    judge(run) {
      return isOver(run)
        ? { kind: "done", value: run }
        : { kind: "waiting", reason: openSteps(run)[0] ?? "" };
    },
    mayPass: mayPassWhileStarting,
  });
}

async function failure(ctx: Context, ref: string, runId: string, step: string): Promise<Error> {
  const log = await endOfLog(ctx, { ref, runId }, async () => {
    const { db_pass: password, jwt_secret: jwtSecret } = await ctx.api.getBranchConfig({
      branch_id_or_ref: ref,
    });
    return [password ?? "", jwtSecret ?? ""];
  });
  return new Error(problems.failedRun.message({ runId, ref, step, log }));
}
