import { isNotFound, ResponseSchemaError } from "../../../client/errors";
import { Redactor } from "../../../client/redactor";
import type { Api, Context } from "../../../define/context";
import { connectionOf, nameOf, type BranchRecord } from "./calls";
import { problems } from "./problems";

/** One run of the steps that fill a branch: clone, pull, health, configure, migrate, seed, deploy. */
export type ActionRun = Awaited<ReturnType<Api["listActionRuns"]>>[number];

const LOG_LINES = 20;

/** The branch's newest run; undefined when it has none. */
export async function newestRun(ctx: Context, branch: BranchRecord): Promise<ActionRun | undefined> {
  const runs = await ctx.api.listActionRuns({ ref: branch.project_ref });
  const newest = runs
    .filter(({ branch_id }) => branch_id == null || branch_id === branch.id)
    .sort((a, b) => timeOf(b) - timeOf(a))[0];
  // Without the list nothing says that all steps are done.
  if (newest !== undefined && newest.run_steps == null) {
    throw new ResponseSchemaError(WITHOUT_STEPS, "listActionRuns", "run_steps");
  }
  return newest;
}

const WITHOUT_STEPS = "listActionRuns: the service answered without `run_steps`; run again.";

export function deadStep(run: ActionRun): string | undefined {
  const step = run.run_steps?.find(({ status }) => status === "DEAD");
  return step === undefined ? undefined : (step.name ?? "unnamed");
}

/** What is not done yet, as `seed is RUNNING`; empty when all steps are. */
export function openSteps(run: ActionRun): string[] {
  return (run.run_steps ?? [])
    .filter(({ status }) => status !== "EXITED")
    .map(({ name, status }) => `${name ?? "a step"} is ${status ?? "without status"}`);
}

/** Why a branch did not become usable: the failed step and the end of its log, without the values of `secrets`. */
export async function runFailure(
  ctx: Context,
  branch: BranchRecord,
  run: ActionRun | undefined,
  secrets: Readonly<Record<string, string>> = {},
): Promise<Error> {
  const step = run === undefined ? undefined : deadStep(run);
  const why =
    step === undefined ? `its status is ${branch.status ?? "unknown"}` : `the step "${step}" failed`;
  const log = run === undefined ? "" : await endOfLog(ctx, branch, run, Object.values(secrets));
  return new Error(
    problems.notUsable.message({
      name: nameOf(branch),
      ref: branch.project_ref,
      why,
      log: log === "" ? "The service has no log of it." : `The end of the log:\n${log}`,
    }),
  );
}

async function endOfLog(
  ctx: Context,
  branch: BranchRecord,
  run: ActionRun,
  secretValues: readonly string[],
): Promise<string> {
  try {
    const log = await ctx.api.getActionRunLogs({ ref: branch.project_ref, run_id: run.id });
    const connection = await connectionOf(ctx, branch);
    const own = [connection?.db_pass ?? "", connection?.jwt_secret ?? ""];
    // Each step cuts its own output, and the last lines may begin within a secret.
    const redacted = new Redactor().with([...secretValues, ...own]).redactQuoted(log);
    return redacted.trimEnd().split("\n").slice(-LOG_LINES).join("\n");
  } catch (error) {
    // The failure itself must be told, log or not.
    return isNotFound(error) ? "" : `(the log could not be read: ${String(error)})`;
  }
}

function timeOf({ created_at }: ActionRun): number {
  return Date.parse(created_at ?? "") || 0;
}
