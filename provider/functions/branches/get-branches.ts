import { z } from "zod";
import { defineFunction } from "../../define/function";
import { listBranchesOnce, type BranchRecord } from "../../resources/branches/branch/calls";
import { branchOutputs } from "../../resources/branches/branch/fields";
import { problems as branchProblems } from "../../resources/branches/shared/branch-problems";
import { fromWire } from "../../resources/branches/branch/wire";
import { ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { toFoundShape, pickPresentFields } from "../answers";
import { getBranch } from "./get-branch";

const { projectRef } = getBranch.inputs.shape;
const { name, gitBranch, persistent, notifyUrl, withData } = getBranch.outputs.shape;

const inputs = z.strictObject({ projectRef });

const branch = z
  .object({
    ref: branchOutputs.shape.ref,
    ...toFoundShape(
      branchOutputs.pick({
        branchId: true,
        parentProjectRef: true,
        isDefault: true,
        status: true,
        previewProjectStatus: true,
        prNumber: true,
        createdAt: true,
        updatedAt: true,
        reviewRequestedAt: true,
        latestCheckRunId: true,
        deletionScheduledAt: true,
      }).shape,
    ),
    name,
    gitBranch,
    persistent,
    notifyUrl,
    withData,
  })
  .describe("A branch of a project.");

const outputs = z.object({
  branches: z
    .array(branch)
    .describe("All branches of the project, including the default one, which represents the project itself."),
});

function toBranch(record: BranchRecord, parentRef: string): z.output<typeof branch> {
  const { inputs: seen, outputs: others } = fromWire(record, parentRef, {});
  return {
    ref: record.project_ref,
    ...pickPresentFields(others),
    ...pickPresentFields({
      name: seen.name,
      gitBranch: seen.gitBranch,
      persistent: seen.persistent,
      notifyUrl: seen.notifyUrl,
      withData: seen.withData,
    }),
  };
}

/** The branches of a project. */
export const getBranches = defineFunction({
  name: "getBranches",
  description:
    "Lists the branches of a project, without the connections to their databases, which `getBranch` returns. A project that never had a branch has no default branch either.",
  inputs,
  outputs,
  problems: { ofBranch: branchProblems.ofBranch, ...ofProject },
  async run(ctx, { projectRef: ref }) {
    const found = await explainMissingProject(ref, listBranchesOnce(ctx, ref));
    return { branches: found.map((each) => toBranch(each, ref)) };
  },
});
