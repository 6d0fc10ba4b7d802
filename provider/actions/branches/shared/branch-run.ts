import { z } from "zod";
import { ForbiddenError, isNotFound, isRefusal } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Api, Context } from "../../../define/context";
import { parent, replaces, stable } from "../../../define/markers";
import { anyRef, projectRef } from "../../../define/shared-inputs";
import {
  findDeadStep,
  isAtWork,
  readLogEnd,
  listOpenSteps,
} from "../../../resources/branches/shared/action-run";
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

interface BranchActionInputs {
  readonly projectRef: string;
  readonly branchRef: string;
  readonly migrationVersion?: string | undefined;
}

type Outputs = z.output<typeof outputs>;
export type BranchActionBody = Parameters<Api["mergeBranch"]>[0]["body"];
type ActionRunAnswer = Awaited<ReturnType<Api["getActionRun"]>>;

type RunRequest = (once: Context) => ReturnType<Api["mergeBranch"]>;
/** Sends what begins a run, and returns the run's id. */
export type RunStarter = (request: RunRequest) => Promise<string>;

/** Whose runs list a run. */
type RunOwner = "branch" | "project";

/** An action that the service carries out in an action run: begun once, and followed to its end. */
export function createRunSteps<I extends BranchActionInputs>(
  send: (ctx: Context, inputs: I, body: BranchActionBody, begin: RunStarter) => Promise<string>,
  {
    isRunOf = "branch",
    require = () => Promise.resolve(),
    isDone = () => Promise.resolve(false),
    end = () => Promise.resolve(),
  }: {
    readonly isRunOf?: RunOwner;
    /** Whether a run would bring nothing: asked once the run is over that stood in the way of a refused request. */
    readonly isDone?: (ctx: Context, inputs: I) => Promise<boolean>;
    /** Throws for what must not be begun. */
    readonly require?: (ctx: Context, inputs: I) => Promise<void>;
    /** After a run that has not failed. */
    readonly end?: (ctx: Context, inputs: I) => Promise<void>;
  } = {},
) {
  // An older service may have it at the other reference (service, Branches).
  const refsOf = ({ projectRef, branchRef }: BranchActionInputs): readonly [string, string] =>
    isRunOf === "project" ? [projectRef, branchRef] : [branchRef, projectRef];
  const listOwnRuns = async (
    ctx: Context,
    inputs: BranchActionInputs,
  ): Promise<readonly ActionRunAnswer[]> => {
    const runs = await ctx.api.listActionRuns({ ref: refsOf(inputs)[0] });
    return isRunOf === "project" ? omitRunsOfOthers(ctx, inputs, runs) : runs;
  };
  const steps: Pick<ActionDefinition<I, Outputs>, "find" | "run" | "settle"> = {
    // One that was begun without an answer is known by being new.
    async find(ctx, inputs) {
      return (await listOwnRuns(ctx, inputs)).map((run) => {
        const createdAt = run.created_at ?? undefined;
        const isOfUnknownBranch = isRunOf === "project" && run.branch_id == null;
        return {
          id: run.id,
          label: `an action run of ${createdAt ?? "an unknown time"}`,
          createdAt,
          ...(isOfUnknownBranch && { parts: [{ createdAt, unlike: "branch" }] }),
          collides: false,
        };
      });
    },

    // Before it is sent: after a refusal it would not be known whether an earlier attempt is what stands in the way.
    async run(ctx, inputs) {
      const { projectRef: ref, branchRef, migrationVersion: version } = inputs;
      await waitThroughStates(ctx, ref);
      await waitThroughStates(ctx, branchRef);
      const body = version === undefined ? {} : { migration_version: version };
      const runId = await ctx.shared.exclusively(`action runs of ${ref}`, () =>
        runBetween(ctx, inputs, {
          isRunOf,
          isDone: () => isDone(ctx, inputs),
          send: async () => {
            await require(ctx, inputs);
            return send(ctx, inputs, body, (request) =>
              sendRunRequest(ctx, isRunOf === "branch" ? () => listOwnRuns(ctx, inputs) : undefined, request),
            );
          },
        }),
      );
      return { id: runId, outputs: { runId } };
    },

    async settle(ctx, { id, inputs }) {
      const { ref, run } = await waitUntilOver(ctx, refsOf(inputs), id);
      ctx.shared.forgetAll();
      const step = findDeadStep(run);
      if (step !== undefined) throw await createRunError(ctx, inputs.branchRef, { ref, runId: id }, step);
      await end(ctx, inputs);
      return { inputs: {}, outputs: { runId: id, ranAt: run.created_at ?? undefined } };
    },
  };
  const timeouts = { create: 1_800, update: 1_800, delete: 300 };
  return { ...steps, outputs, timeouts, target: "branchRef", problems } as const;
}

/**
 * Begins a run; a refusal may be that of a request which a gateway repeated, and the run that it began is this one then. Without
 * `listRuns` the refusal stands: a new run of a project may be the merge of another branch.
 */
async function sendRunRequest(
  ctx: Context,
  listRuns: (() => Promise<readonly ActionRunAnswer[]>) | undefined,
  send: RunRequest,
): Promise<string> {
  const { ctx: once, isMadeMeanwhile } = ctx.once();
  try {
    return (await send(once)).workflow_run_id;
  } catch (error) {
    if (listRuns === undefined || !isRefusal(error)) throw error;
    const runs = await listRuns().catch(() => []);
    const [own, second] = runs.filter(({ created_at }) => isMadeMeanwhile(created_at ?? undefined) === true);
    if (own === undefined || second !== undefined) throw error;
    return own.id;
  }
}

/**
 * Begins a run when no other one is under way: the service refuses it beside another run of the branch, and beside one of
 * the project, as a merge of another branch. Returns the run that does, or has done, what is asked for.
 */
async function runBetween(
  ctx: Context,
  inputs: BranchActionInputs,
  {
    isRunOf,
    isDone,
    send,
  }: {
    readonly isRunOf: RunOwner;
    readonly isDone: () => Promise<boolean>;
    readonly send: () => Promise<string>;
  },
): Promise<string> {
  const { projectRef, branchRef } = inputs;
  await waitUntilNoneOpen(ctx, branchRef, idsOf(await listOpenRuns(ctx, branchRef)));
  if (isRunOf === "project") {
    const merges = await listOpenRuns(ctx, projectRef);
    const own = merges.length === 0 ? [] : await omitRunsOfOthers(ctx, inputs, merges);
    await waitUntilNoneOpen(ctx, projectRef, idsOf(own));
  }
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Another program may have begun one since. Where that cannot be seen, the refusal stands.
      const open = idsOf(await listOpenRuns(ctx, projectRef).catch(() => []));
      if (open.length === 0) throw error;
      await waitUntilNoneOpen(ctx, projectRef, open, error);
      const [only, second] = open;
      if (only !== undefined && second === undefined && (await isDone())) return only;
    }
  }
}

/** A run that has just begun shows no step for a while; one that shows none after that says nothing. */
const WITHOUT_STEPS_MS = 10 * 60_000;

/**
 * The runs that are in the way of another one. What an answer does not tell of a run, or tells in a word that this version does not
 * know, prolongs the wait for one of `awaited` and begins none.
 */
async function listOpenRuns(
  ctx: Context,
  ref: string,
  awaited: readonly string[] = [],
): Promise<ActionRunAnswer[]> {
  const runs = await ctx.api.listActionRuns({ ref });
  const latestMs = ctx.clock.now() - WITHOUT_STEPS_MS;
  return runs.filter((run) => {
    if (isOver(run)) return false;
    const isBegun = (run.run_steps ?? []).length > 0;
    if (isBegun) return isAtWork(run) || awaited.includes(run.id);
    return !(Date.parse(run.created_at ?? "") < latestMs);
  });
}

const idsOf = (runs: readonly ActionRunAnswer[]): string[] => runs.map(({ id }) => id);

/** Waits for these runs; at the deadline, what was refused on their account says more than the wait. */
async function waitUntilNoneOpen(
  ctx: Context,
  ref: string,
  runIds: readonly string[],
  refusal?: Error,
): Promise<void> {
  if (runIds.length === 0) return;
  await poll<readonly string[], undefined>(ctx, {
    what: `other action runs of ${ref} to end`,
    look: async () => idsOf(await listOpenRuns(ctx, ref, runIds)).filter((id) => runIds.includes(id)),
    judge: ([open]) =>
      open === undefined
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: `the action run ${open} is not over` },
    mayPass: mayPassWhileStarting,
    ...(refusal !== undefined && { absent: () => refusal }),
  });
}

/** A project lists the runs of all its branches. Without those that are surely not what a merge has begun. */
async function omitRunsOfOthers(
  ctx: Context,
  { projectRef, branchRef }: BranchActionInputs,
  runs: readonly ActionRunAnswer[],
): Promise<readonly ActionRunAnswer[]> {
  const branches = await ctx.api.listBranches({ ref: projectRef }).catch((error: unknown) => {
    // A token that may not see branches takes none of their runs for its own.
    if (error instanceof ForbiddenError) return [];
    throw error;
  });
  const own = branches
    .filter(({ project_ref: ref }) => [branchRef, projectRef].includes(ref))
    .map(({ id }) => id);
  return runs.filter(({ branch_id: id }) => id == null || own.includes(id));
}

function isOver(run: Pick<ActionRunAnswer, "run_steps">): boolean {
  return listOpenSteps(run).length === 0 || findDeadStep(run) !== undefined;
}

interface LocatedRun {
  /** Where the service has it. */
  readonly ref: string;
  readonly run: ActionRunAnswer;
}

function waitUntilOver(ctx: Context, refs: readonly [string, string], runId: string): Promise<LocatedRun> {
  return poll<LocatedRun, LocatedRun>(ctx, {
    what: `the action run ${runId}`,
    look: () => readRun(ctx, refs, runId),
    judge(found) {
      return isOver(found.run)
        ? { kind: "done", value: found }
        : { kind: "waiting", reason: listOpenSteps(found.run)[0] ?? "" };
    },
    mayPass: mayPassWhileStarting,
  });
}

/** By the reference that has it, else by the other one. */
async function readRun(
  ctx: Context,
  [ref, other]: readonly [string, string],
  runId: string,
): Promise<LocatedRun> {
  const read = async (at: string): Promise<LocatedRun> => ({
    ref: at,
    run: await ctx.api.getActionRun({ ref: at, run_id: runId }),
  });
  return read(ref).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    return read(other).catch(() => Promise.reject(error));
  });
}

async function createRunError(
  ctx: Context,
  branchRef: string,
  { ref, runId }: { readonly ref: string; readonly runId: string },
  step: string,
): Promise<Error> {
  const log = await readLogEnd(ctx, { ref, runId }, async () => {
    const { db_pass: password, jwt_secret: jwtSecret } = await ctx.api.getBranchConfig({
      branch_id_or_ref: branchRef,
    });
    return [password ?? "", jwtSecret ?? ""];
  });
  return new Error(problems.failedRun.message({ runId, ref: branchRef, step, log }));
}
