import type { Context } from "../../../define/context";
import { writeOnce } from "../../../waiting/write-once";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { projectOf } from "../../../define/project-of";
import { defineResource, type Observed, type Remembered } from "../../../define/resource";
import { whenReady } from "../../../waiting/project-health";
import { readAsked } from "../../projects/project/connection";
import {
  branchesOf,
  branchesWith,
  connectionOf,
  defaultBranchError,
  forgetBranches,
  isDefaultBranch,
  mustLookUp,
  nameOf,
  onParent,
  tellFirstBranch,
  type BranchConnection,
  type BranchRecord,
} from "./calls";
import { branchInputs, branchOutputs, type BranchInputs, type BranchOutputs } from "./fields";
import { conditionalCalls } from "./conditional-calls";
import { problems } from "./problems";
import { requirePreviewOf } from "./pull-request";
import { connectionWhenThere, waitUntilUsable } from "./readiness";
import { removeBranch } from "./removal";
import { claimBranch } from "./schedule";
import { changeSecrets, readSecrets } from "./secrets";
import { fromWire, toBody, toUpdateBody } from "./wire";

/** A branch of a project, with a database of its own. */
export const branch = defineResource({
  type: "Branch",
  description:
    "A branch of a project: a separate project with its own database. Creation waits until the branch is usable: its migrations and functions deployed, its services healthy. With the first branch, the service creates a default branch, which represents the project itself and cannot be deleted.",
  inputs: branchInputs,
  outputs: branchOutputs,
  timeouts: { create: 1_800, update: 1_800, delete: 600 },
  uniqueBy: ["name"],
  idOutput: "ref",
  notSentByCreate: ["requestReview"],
  importId: inProject("branchRef", "`getBranch`; the project is the one it was made from"),
  list: listInProject(async (ctx, ref) => {
    const branches = (await branchesOf(ctx, ref)).filter((each) => !isDefaultBranch(each));
    return branches.map((each) => ({ id: each.project_ref, name: nameOf(each) }));
  }),
  problems,
  conditionalCalls,

  async find(ctx, { projectRef, name, gitBranch, pullRequest }) {
    const ofName = await branchesWith(ctx, projectRef, "name", name);
    const candidates = ofName.filter((each) => !isDefaultBranch(each));
    const [standingForProject] = ofName;
    if (candidates.length === 0 && standingForProject !== undefined) {
      throw defaultBranchError(standingForProject, "name");
    }
    if (pullRequest !== undefined) {
      requirePreviewOf(candidates, { name, parentRef: projectRef, pullRequest, gitBranch });
    }
    return candidates.map((each) => ({
      id: each.project_ref,
      label: labelOf(each),
      createdAt: each.created_at ?? undefined,
    }));
  },

  async read(ctx, { id, state }) {
    const parentRef = projectOf(state);
    const found = (await branchesOf(ctx, parentRef)).find(({ project_ref }) => project_ref === id);
    if (found === undefined) return undefined;
    // Without outputs in state it is about to be taken over.
    if (isDefaultBranch(found) && state.ref === undefined) throw defaultBranchError(found, "adopt");
    if (found.deletion_scheduled_at != null) {
      ctx.warn(
        `it is scheduled for deletion at ${found.deletion_scheduled_at}: a change of one of its inputs, or taking it over, cancels that.`,
      );
    }
    return observe(ctx, found, parentRef, state, await connectionOf(ctx, found));
  },

  async create(ctx, inputs) {
    const { projectRef } = inputs;
    if ((await branchesOf(ctx, projectRef)).length === 0) await tellFirstBranch(ctx, projectRef);
    try {
      const body = toBody(inputs);
      // The parent may be restarting, for a change of its settings beside this.
      const created = await whenReady(ctx, projectRef, ["db"], () =>
        onParent(ctx, projectRef, () => ctx.api.createBranch({ ref: projectRef, body })),
      );
      return { id: created.project_ref, outputs: fromWire(created, projectRef, {}).outputs };
    } finally {
      forgetBranches(ctx, projectRef);
    }
  },

  async settle(ctx, { id, state, inputs }) {
    const { projectRef, secrets } = inputs;
    await claimBranch(ctx, projectRef, id);
    await waitUntilUsable(ctx, { parentRef: projectRef, branchRef: id }, secrets);
    forgetBranches(ctx, projectRef);
    if (inputs.requestReview === true) await requestReview(ctx, projectRef, id);
    const found = await mustLookUp(ctx, projectRef, id);
    return observe(ctx, found, projectRef, { ...state, ...inputs }, await connectionWhenThere(ctx, found));
  },

  async update(ctx, { id, state, inputs, changed }) {
    const { projectRef, secrets } = inputs;
    await claimBranch(ctx, projectRef, id);
    const body = toUpdateBody(inputs, changed);
    try {
      if (Object.keys(body).length > 0) await ctx.api.updateBranch({ branch_id_or_ref: id, body });
    } finally {
      forgetBranches(ctx, projectRef);
    }
    if (changed.has("secrets") && secrets !== undefined) {
      // Of what was imported the state has no values to compare, the service has the hashes.
      const before = state.secrets ?? (await readSecrets(ctx, id, secrets)) ?? {};
      await changeSecrets(ctx, id, before, secrets);
    }
    return {};
  },

  delete: (ctx, { id, state }) =>
    removeBranch(ctx, projectOf(state), id, { softDelete: state.softDelete === true }),
});

/** Requests a review of a branch, unless the service shows that one was requested. */
async function requestReview(ctx: Context, parentRef: string, branchRef: string): Promise<void> {
  const isRequested = async (): Promise<boolean> =>
    (await mustLookUp(ctx, parentRef, branchRef)).review_requested_at != null;
  if (await isRequested()) return;
  const body = { request_review: true };
  await writeOnce<true>(ctx, {
    send: () => ctx.api.updateBranch({ branch_id_or_ref: branchRef, body }).then(() => true),
    landed: async () => ((await isRequested()) ? true : undefined),
  });
}

async function observe(
  ctx: Context,
  found: BranchRecord,
  parentRef: string,
  state: Remembered<BranchInputs, BranchOutputs>,
  connection: BranchConnection | undefined,
): Promise<Observed<BranchInputs, BranchOutputs>> {
  // A branch without a database of its own has no secrets of its own either.
  if (connection === undefined) return fromWire(found, parentRef, {});
  const ref = found.project_ref;
  const secrets = state.secrets === undefined ? undefined : await readSecrets(ctx, ref, state.secrets);
  const { inputs, outputs } = fromWire(found, parentRef, { connection, secrets });
  const status = outputs.previewProjectStatus;
  const asked = await readAsked(ctx, { ref, status, password: outputs.password }, state);
  return { inputs, outputs: { ...outputs, ...asked } };
}

function labelOf(found: BranchRecord): string {
  const { status, created_at, deletion_scheduled_at } = found;
  return deletion_scheduled_at == null
    ? `${nameOf(found)}, ${status ?? "no status"}, made ${created_at ?? "at an unknown time"}`
    : `${nameOf(found)} is scheduled for deletion at ${deletion_scheduled_at}; taking it over cancels that`;
}
