import { z } from "zod";
import { isObject } from "../../../spec/is-object";
import { isNotFound } from "../../client/errors/errors";
import type { Api, Context } from "../../define/context";
import { defineFunction } from "../../define/function";
import { secret } from "../../define/markers";
import { anyRef } from "../../define/shared-inputs";
import { ofProject } from "../../lookup/missing-errors";
import { pickPresentFields, readInProject, shareInFlight } from "../answers";

const inputs = z.strictObject({
  projectRef: anyRef.describe(
    "Reference of a branch, or of a project for the runs of all its branches, 20 lowercase letters.",
  ),
  newest: z.int().min(1).describe("Maximum number of runs, newest first. Default: all.").optional(),
  withLogs: z
    .boolean()
    .describe("Whether to read the log of each run, with one call per run. Default: `false`.")
    .optional(),
});

const step = z
  .object({
    name: z
      .string()
      .describe("`clone`, `pull`, `health`, `configure`, `migrate`, `seed` or `deploy`.")
      .optional(),
    status: z
      .string()
      .describe("State of the step: `CREATED`, `RUNNING`, `EXITED` (done), `DEAD` (failed) or another.")
      .optional(),
    createdAt: z.string().describe("Creation time, ISO 8601.").optional(),
    updatedAt: z.string().describe("Time of the last change, ISO 8601.").optional(),
  })
  .describe("A step of an action run.");

const run = z
  .object({
    runId: z.string().describe("Identifier of the run."),
    branchId: z.string().describe("Identifier of the branch, a UUID.").optional(),
    steps: z.array(step).describe("The steps of the run, in their order.").optional(),
    gitConfig: z
      .record(z.string(), z.unknown())
      .describe("The Git configuration of the run, as the service returns it.")
      .optional(),
    workdir: z.string().describe("Working directory of the run.").optional(),
    checkRunId: z.number().describe("Identifier of the check run of the linked Git repository.").optional(),
    createdAt: z.string().describe("Creation time, ISO 8601.").optional(),
    updatedAt: z.string().describe("Time of the last change, ISO 8601.").optional(),
    logs: secret(
      z
        .string()
        .describe(
          "The log of the run, with `withLogs`. It is a secret, because steps can write anything to it.",
        ),
    ).optional(),
  })
  .describe("A run of the steps that deploy a branch.");

const outputs = z.object({ runs: z.array(run).describe("The runs, newest first.") });

type WireActionRun = Awaited<ReturnType<Api["listActionRuns"]>>[number];

function fromWire(record: WireActionRun): z.output<typeof run> {
  const { git_config: gitConfig } = record;
  return {
    runId: record.id,
    ...pickPresentFields({
      branchId: record.branch_id,
      steps: record.run_steps?.map((each) =>
        pickPresentFields({
          name: each.name,
          status: each.status,
          createdAt: each.created_at,
          updatedAt: each.updated_at,
        }),
      ),
      gitConfig: isObject(gitConfig) ? { ...gitConfig } : undefined,
      workdir: record.workdir,
      checkRunId: record.check_run_id,
      createdAt: record.created_at,
      updatedAt: record.updated_at,
    }),
  };
}

function createdAtMs({ created_at }: WireActionRun): number {
  return Date.parse(created_at ?? "") || 0;
}

/** The runs that deploy a branch, or all branches of a project. */
export const getActionRuns = defineFunction({
  name: "getActionRuns",
  description:
    "Lists the action runs that deploy a branch or all branches of a project, with the state of each step and optionally the logs.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref, newest, withLogs = false }) {
    const all = await readInProject(ctx, ref, "action-runs", () => ctx.api.listActionRuns({ ref }));
    const wanted = all.toSorted((left, right) => createdAtMs(right) - createdAtMs(left)).slice(0, newest);
    const runs = await Promise.all(
      wanted.map(async (record) => ({
        ...fromWire(record),
        ...pickPresentFields({ logs: withLogs ? await readLog(ctx, ref, record.id) : undefined }),
      })),
    );
    return { runs };
  },
});

/** A run without a log is a run all the same. */
async function readLog(ctx: Context, ref: string, runId: string): Promise<string | undefined> {
  try {
    return await shareInFlight(ctx, `action-run-logs:${ref}:${runId}`, () =>
      ctx.api.getActionRunLogs({ ref, run_id: runId }),
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
