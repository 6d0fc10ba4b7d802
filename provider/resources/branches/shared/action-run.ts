import { isNotFound } from "../../../client/errors/errors";
import { Redactor } from "../../../client/redaction/redactor";
import type { Api, Context } from "../../../define/context";

/** One run of the steps that fill or change a branch: clone, pull, health, configure, migrate, seed, deploy. */
export type ActionRun = Awaited<ReturnType<Api["listActionRuns"]>>[number];

const LOG_LINES = 20;

export function findDeadStep(run: Pick<ActionRun, "run_steps">): string | undefined {
  const step = run.run_steps?.find(({ status }) => status === "DEAD");
  return step === undefined ? undefined : (step.name ?? "unnamed");
}

/** A step that stays paused is over: the run of every merge ends with one (service, Branches). */
const OVER: readonly unknown[] = ["EXITED", "PAUSED"];

/** What is not done yet, as `seed is RUNNING`; empty when all steps are. A run without steps has yet to begin. */
export function listOpenSteps(run: Pick<ActionRun, "run_steps">): string[] {
  const steps = run.run_steps ?? [];
  if (steps.length === 0) return ["no step shows yet"];
  return steps
    .filter(({ status }) => !OVER.includes(status))
    .map(({ name, status }) => `${name ?? "a step"} is ${status ?? "without status"}`);
}

const WORKING: readonly unknown[] = ["CREATED", "REMOVING", "RESTARTING", "RUNNING"];

/** Whether a run is surely not done: a status that this version does not know says nothing. */
export function isAtWork({ run_steps: steps }: Pick<ActionRun, "run_steps">): boolean {
  return steps?.some(({ status }) => WORKING.includes(status)) === true;
}

/** The last lines of a run's log as a sentence of a message, without the values of `secrets`. */
export async function readLogEnd(
  ctx: Context,
  { ref, runId }: { readonly ref: string; readonly runId: string },
  secrets: () => Promise<readonly string[]>,
): Promise<string> {
  try {
    const log = await ctx.api.getActionRunLogs({ ref, run_id: runId });
    // Each step cuts its own output, and the last lines may begin within a secret.
    const redacted = new Redactor().with([...(await secrets())]).redactQuoted(log);
    const end = redacted.trimEnd().split("\n").slice(-LOG_LINES).join("\n");
    return end === "" ? WITHOUT_LOG : `The end of the log:\n${end}`;
  } catch (error) {
    // The failure itself must be reported, log or not.
    return isNotFound(error) ? WITHOUT_LOG : `The log could not be read: ${String(error)}`;
  }
}

export const WITHOUT_LOG = "The service has no log of the run.";
