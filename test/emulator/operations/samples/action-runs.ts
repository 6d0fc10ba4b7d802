import type { Samples, Scene } from "../sample";

/** The run that made a branch, below its parent's ref. */
function finishedRun({ control, clock, ref }: Scene): { ref: string; run_id: string } {
  control.call("createBranch", { ref, body: { branch_name: "preview" } });
  clock.advance(300_000);
  const [run] = control.call("listActionRuns", { ref });
  if (run === undefined) throw new Error("A new branch has no action run");
  return { ref, run_id: run.id };
}

export const actionRunSamples = {
  listActionRuns: (scene) => ({ ref: finishedRun(scene).ref, offset: 0, limit: 10 }),
  countActionRuns: (scene) => ({ ref: finishedRun(scene).ref }),
  getActionRun: finishedRun,
  getActionRunLogs: finishedRun,
  updateActionRunStatus: (scene) => ({
    ...finishedRun(scene),
    body: { migrate: "EXITED", seed: "EXITED", deploy: "DEAD" },
  }),
} satisfies Partial<Samples>;
