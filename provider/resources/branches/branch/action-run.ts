import { deadStep, endOfLog, requireSteps, WITHOUT_LOG, type ActionRun } from "../shared/action-run";
import type { Context } from "../../../define/context";
import { connectionOf, nameOf, type BranchRecord } from "./calls";
import { problems } from "./problems";

/** The branch's newest run; undefined when it has none. */
export async function newestRun(ctx: Context, branch: BranchRecord): Promise<ActionRun | undefined> {
  const runs = await ctx.api.listActionRuns({ ref: branch.project_ref });
  const newest = runs
    .filter(({ branch_id }) => branch_id == null || branch_id === branch.id)
    .sort((a, b) => timeOf(b) - timeOf(a))[0];
  if (newest !== undefined) requireSteps(newest, "listActionRuns");
  return newest;
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
  const ref = branch.project_ref;
  const hidden = async (): Promise<string[]> => {
    const connection = await connectionOf(ctx, branch);
    return [...Object.values(secrets), connection?.db_pass ?? "", connection?.jwt_secret ?? ""];
  };
  const log = run === undefined ? WITHOUT_LOG : await endOfLog(ctx, { ref, runId: run.id }, hidden);
  return new Error(problems.notUsable.message({ name: nameOf(branch), ref, why, log }));
}

function timeOf({ created_at }: ActionRun): number {
  return Date.parse(created_at ?? "") || 0;
}
