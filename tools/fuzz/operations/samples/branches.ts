import type { Samples, Scene } from "../sample";

/** A branch whose preview project has settled; the one that is there already where a scene is shared. */
function settledBranch({ control, clock, ref }: Scene): { id: string; project_ref: string } {
  const present = control.call("listBranches", { ref }).find(({ name }) => name === "preview");
  const branch = present ?? control.call("createBranch", { ref, body: { branch_name: "preview" } });
  clock.advance(300_000);
  return branch;
}

/** The same with a table that its parent lacks. */
async function changedBranch(scene: Scene): Promise<{ id: string; project_ref: string }> {
  const branch = settledBranch(scene);
  const body = { query: "create table if not exists products (id int primary key)", name: "add products" };
  await scene.control.call("applyMigration", { ref: branch.project_ref, body });
  return branch;
}

/** The run that made a branch, below its parent's ref. */
function finishedRun({ control, clock, ref }: Scene): { ref: string; run_id: string } {
  control.call("createBranch", { ref, body: { branch_name: "preview" } });
  clock.advance(300_000);
  const [run] = control.call("listActionRuns", { ref });
  if (run === undefined) throw new Error("A new branch has no action run");
  return { ref, run_id: run.id };
}

export const branchSamples = {
  createBranchWithDisk: ({ ref }) => ({
    ref,
    body: {
      data: {
        type: "branch" as const,
        attributes: {
          name: "large",
          git_branch: "large",
          region: "eu-central-1",
          persistent: true,
          with_data: false,
          desired_instance_size: "small" as const,
          desired_disk_size_gb: 100,
          notify_url: "https://hooks.example.com/branches",
        },
      },
    },
  }),
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
  diffBranch: async (scene) => ({
    branch_id_or_ref: (await changedBranch(scene)).id,
    included_schemas: "public",
    pgdelta: true,
  }),
  mergeBranch: async (scene) => ({ branch_id_or_ref: (await changedBranch(scene)).id, body: {} }),
  pushBranch: (scene) => ({ branch_id_or_ref: settledBranch(scene).project_ref, body: {} }),
  resetBranch: async (scene) => ({ branch_id_or_ref: (await changedBranch(scene)).id, body: {} }),
  listActionRuns: (scene) => ({ ref: finishedRun(scene).ref, offset: 0, limit: 10 }),
  countActionRuns: (scene) => ({ ref: finishedRun(scene).ref }),
  getActionRun: finishedRun,
  getActionRunLogs: finishedRun,
  updateActionRunStatus: (scene) => ({
    ...finishedRun(scene),
    body: { migrate: "EXITED", seed: "EXITED", deploy: "DEAD" },
  }),
} satisfies Partial<Samples>;
