import type { Samples, Scene } from "../sample";

/** A branch whose preview project has settled. */
function settledBranch({ control, clock, ref }: Scene): { id: string; project_ref: string } {
  const branch = control.call("createBranch", { ref, body: { branch_name: "preview" } });
  clock.advance(300_000);
  return branch;
}

function runId(scene: Scene): string {
  const { project_ref: ref } = settledBranch(scene);
  const [run] = scene.control.call("listActionRuns", { ref });
  if (run === undefined) throw new Error("A new branch has no action run");
  return run.id;
}

export const branchSamples = {
  createBranch: ({ ref }) => ({
    ref,
    body: {
      branch_name: "preview",
      git_branch: "feature/cart",
      persistent: true,
      desired_instance_size: "small",
      secrets: { TOKEN: "one" },
      notify_url: "https://example.com/notify",
    },
  }),
  listBranches: (scene) => {
    settledBranch(scene);
    return { ref: scene.ref };
  },
  getBranch: (scene) => {
    settledBranch(scene);
    return { ref: scene.ref, name: "preview" };
  },
  disableBranching: (scene) => {
    settledBranch(scene);
    return { ref: scene.ref };
  },
  getBranchConfig: (scene) => ({ branch_id_or_ref: settledBranch(scene).id }),
  updateBranch: (scene) => ({
    branch_id_or_ref: settledBranch(scene).project_ref,
    body: { branch_name: "renamed", git_branch: "feature/basket", persistent: true },
  }),
  deleteBranch: (scene) => ({ branch_id_or_ref: settledBranch(scene).id, force: false }),
  restoreBranch: (scene) => {
    const { id } = settledBranch(scene);
    scene.control.call("deleteBranch", { branch_id_or_ref: id, force: false });
    return { branch_id_or_ref: id };
  },
  listActionRuns: (scene) => ({ ref: settledBranch(scene).project_ref, offset: 0, limit: 10 }),
} satisfies Partial<Samples>;

export const actionRunSamples = {
  getActionRun: (scene) => ({ run_id: runId(scene), ref: scene.ref }),
  getActionRunLogs: (scene) => ({ run_id: runId(scene), ref: scene.ref }),
} satisfies Partial<Samples>;
