import {
  ApiError,
  InvalidInputError,
  ResponseSchemaError,
  TimeoutError,
} from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { ACTIVE_HEALTHY } from "../../../define/project-status";
import { requireProjectRef } from "../../../define/require-project-ref";
import {
  defineResource,
  type CheckFailure,
  type ObservedResource,
  type ResourceState,
} from "../../../define/resource";
import { sha256 } from "../../../core/sha256";
import { warnOfKeptOnce } from "../../../lookup/unproven-absence";
import { poll } from "../../../waiting/poll";
import { callWhenReady } from "../../../waiting/project-health";
import { writeOnce } from "../../../waiting/write-once";
import {
  formatOutsideChange,
  forgetSecrets,
  isHeld,
  listSecretsOnce,
} from "../../functions/shared/function-secrets";
import { checkNames, toNamedSecrets } from "../../functions/shared/function-secret-names";
import { readRequested } from "../../projects/project/connection";
import { toBranchFacts, explainNotPreview, type PreviewPurpose } from "../shared/preview-identity";
import {
  listBranchesOnce,
  findBranchesBy,
  getConnection,
  createDefaultBranchError,
  forgetBranches,
  isDefaultBranch,
  lookUpBranch,
  requireBranch,
  requireNotElsewhere,
  branchNameOf,
  refuseBranchAsParent,
  tellFirstBranch,
  type BranchConnection,
  type BranchRecord,
} from "./calls";
import { branchInputs, branchOutputs, type BranchInputs, type BranchOutputs } from "./fields";
import { problems } from "../shared/branch-problems";
import {
  bookkeepingOf,
  branchBookkeeping,
  findInheritedFunctions,
  inheritanceOf,
} from "./inherited-functions";
import { waitForConnection, isRunToShow, waitUntilUsable } from "./readiness";
import { removeBranch } from "./removal";
import { fromWire, toBody, toBodyWithDisk, toUpdateBody } from "./wire";
import { REFERENCE } from "../../../../spec/project-reference";

/** A branch of a project, with a database of its own. */
export const branch = defineResource({
  type: "Branch",
  description:
    "A branch of a project: a separate project with its own database. Creation waits until the branch's migrations and functions are deployed and its services are healthy. With the first branch, the service also creates a default branch, which represents the project itself and cannot be deleted.",
  inputs: branchInputs,
  outputs: branchOutputs,
  bookkeeping: branchBookkeeping,
  timeouts: { create: 1_800, update: 1_800, delete: 600 },
  uniqueBy: ["name"],
  idOutput: "ref",
  inherits: inheritanceOf,
  notSentByCreate: ["requestReview"],
  protection: { isOnIfAdopted: false, holdsData: ({ persistent }) => persistent === true },
  importId: inProject("branchRef", "`getBranch`; the project is the branch's parent"),
  list: listInProject(async (ctx, ref) => {
    const branches = (await listBranchesOnce(ctx, ref)).filter((each) => !isDefaultBranch(each));
    return branches.map((each) => ({ id: each.project_ref, name: branchNameOf(each) }));
  }, REFERENCE),
  problems,

  check(inputs, _, before, installation) {
    const { secrets = {} } = inputs;
    const { failures, ...told } = checkNames(toNamedSecrets(secrets, before?.["secrets"]), installation);
    return { ...told, failures: [...failures, ...checkWithDisk(inputs)] };
  },

  async find(ctx, { projectRef, name, gitBranch, pullRequest }) {
    const ofName = await findBranchesBy(ctx, projectRef, "name", name);
    const candidates = ofName.filter((each) => !isDefaultBranch(each));
    const [standingForProject] = ofName;
    if (candidates.length === 0 && standingForProject !== undefined) {
      throw createDefaultBranchError(standingForProject, "name");
    }
    if (pullRequest !== undefined) {
      requirePreviews(candidates, { name, parentRef: projectRef, pullRequest, gitBranch });
    }
    return candidates.map((each) => ({
      id: each.project_ref,
      label: formatBranch(each),
      createdAt: each.created_at ?? undefined,
    }));
  },

  async read(ctx, { id, state }) {
    const parentRef = requireProjectRef(state);
    const found = (await listBranchesOnce(ctx, parentRef)).find(({ project_ref }) => project_ref === id);
    if (found === undefined) return requireNotElsewhere(ctx, parentRef, id).then(() => undefined);
    // Without outputs in state it is about to be taken over.
    if (isDefaultBranch(found) && state.ref === undefined) throw createDefaultBranchError(found, "adopt");
    if (found.deletion_scheduled_at != null) {
      ctx.warn(
        `it is scheduled for deletion at ${found.deletion_scheduled_at}. Changing an input or taking it over cancels the deletion.`,
      );
    }
    return observeBranch(ctx, found, parentRef, state, await getConnection(ctx, found));
  },

  async create(ctx, inputs) {
    const { projectRef } = inputs;
    if ((await listBranchesOnce(ctx, projectRef)).length === 0) await tellFirstBranch(ctx, projectRef);
    try {
      // The parent may be restarting, for a change of its settings beside this.
      const created = await callWhenReady(ctx, projectRef, ["db"], () =>
        refuseBranchAsParent(ctx, projectRef, () => sendCreate(ctx, inputs)),
      );
      return { id: created.project_ref, outputs: fromWire(created, projectRef, {}).outputs };
    } finally {
      forgetBranches(ctx, projectRef);
    }
  },

  async settle(ctx, { id, state, inputs }) {
    const { projectRef, secrets } = inputs;
    await claimBranch(ctx, projectRef, id);
    // One that was made for this very pull request is the program's own, whichever machine made it.
    const isOwn = !ctx.ledger.isAdopted || inputs.pullRequest !== undefined;
    // One that was taken over, or was usable before, is never held back for a run.
    const isUnsettled = isOwn && bookkeepingOf(state).__inheritedFunctions === undefined;
    const isNew = isOwn && (state.host === undefined || (isUnsettled && isRunToShow(ctx, state)));
    await waitUntilUsable(ctx, { parentRef: projectRef, branchRef: id, isNew }, secrets);
    forgetBranches(ctx, projectRef);
    if (inputs.requestReview === true) await requestReview(ctx, projectRef, id);
    const found = await requireBranch(ctx, projectRef, id);
    const connection = await waitForConnection(ctx, found);
    const inherited = isUnsettled ? await findInheritedFunctions(ctx, found) : {};
    return observeBranch(ctx, found, projectRef, { ...state, ...inputs, ...inherited }, connection);
  },

  async update(ctx, { id, state, inputs, changed }) {
    const { projectRef, secrets } = inputs;
    await claimBranch(ctx, projectRef, id);
    const body = toUpdateBody(inputs, changed);
    try {
      if (Object.keys(body).length > 0) await ctx.api.updateBranch({ branch_id_or_ref: id, body });
      if (body.branch_name !== undefined) await waitForName(ctx, projectRef, id, body.branch_name);
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
    removeBranch(ctx, requireProjectRef(state), id, { softDelete: state.softDelete === true }),
});

/** Only the second version of the API takes the size of the disk, and not all that the first one takes (service, Branches). */
async function sendCreate(ctx: Context, inputs: BranchInputs): Promise<BranchRecord> {
  const { projectRef: ref } = inputs;
  if (inputs.diskSizeGb === undefined) return ctx.api.createBranch({ ref, body: toBody(inputs) });
  const { data } = await ctx.api.createBranchWithDisk({ ref, body: toBodyWithDisk(inputs) });
  const { id, attributes } = data ?? {};
  if (attributes != null) return { ...attributes, id };
  throw new ResponseSchemaError(
    "createBranchWithDisk failed: the answer has no `data.attributes`. Run again.",
    "createBranchWithDisk",
    "data.attributes",
  );
}

const WITHOUT_DISK = ["secrets", "postgresEngine", "releaseChannel"] as const;

function checkWithDisk(inputs: Partial<BranchInputs>): CheckFailure[] {
  if (inputs.diskSizeGb === undefined) return [];
  return WITHOUT_DISK.filter((name) => inputs[name] !== undefined).map((path) => ({
    path,
    reason: problems.notWithDiskSize.message({ name: path }),
  }));
}

/** A listing shows the former name of a renamed branch for some seconds, under a minute (service, Branches). */
const NAME_SHOWN_MS = 90_000;

/** Waits until the listing shows a name that the service has answered; until then, a refresh would take it back. */
async function waitForName(ctx: Context, parentRef: string, branchRef: string, name: string): Promise<void> {
  const deadlineMs = Math.min(ctx.deadlineMs, ctx.clock.now() + NAME_SHOWN_MS);
  await poll<string | null | undefined, undefined>(ctx.within({ ...ctx, deadlineMs }), {
    what: `the branch ${branchRef} to show its name ${name}`,
    look: async () => (await lookUpBranch(ctx, parentRef, branchRef))?.name,
    judge: (shown) =>
      shown === name
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: `it shows ${shown ?? "no name"}` },
  }).catch((error: unknown) => {
    if (!(error instanceof TimeoutError)) throw error;
  });
}

/** Requests a review of a branch, unless the service shows that one was requested. */
async function requestReview(ctx: Context, parentRef: string, branchRef: string): Promise<void> {
  const isRequested = async (): Promise<boolean> =>
    (await requireBranch(ctx, parentRef, branchRef)).review_requested_at != null;
  if (await isRequested()) return;
  const body = { request_review: true };
  await writeOnce<true>(ctx, {
    send: () => ctx.api.updateBranch({ branch_id_or_ref: branchRef, body }).then(() => true),
    findResult: async () => ((await isRequested()) ? true : undefined),
  });
}

async function observeBranch(
  ctx: Context,
  found: BranchRecord,
  parentRef: string,
  state: ResourceState<BranchInputs, BranchOutputs>,
  connection: BranchConnection | undefined,
): Promise<ObservedResource<BranchInputs, BranchOutputs>> {
  // A branch without a database of its own has no secrets of its own either.
  if (connection === undefined) return fromWire(found, parentRef, { declared: state });
  const ref = found.project_ref;
  const status = found.preview_project_status ?? connection.status;
  const secrets =
    state.secrets === undefined ? undefined : await readCertainSecrets(ctx, { ref, status }, state.secrets);
  const { inputs, outputs } = fromWire(found, parentRef, { connection, secrets, declared: state });
  const asked = await readRequested(ctx, { ref, status, password: outputs.password }, state);
  return { inputs, outputs: { ...outputs, ...asked, ...bookkeepingOf(state) } };
}

function formatBranch(found: BranchRecord): string {
  const { status, created_at, deletion_scheduled_at } = found;
  return deletion_scheduled_at == null
    ? `${branchNameOf(found)}, ${status ?? "no status"}, created ${created_at ?? "at an unknown time"}`
    : `${branchNameOf(found)} is scheduled for deletion at ${deletion_scheduled_at}; taking it over cancels the deletion`;
}

/** Throws where one of the branches was not made for this pull request: it is nobody's to take over. */
export function requirePreviews(branches: readonly BranchRecord[], purpose: PreviewPurpose): void {
  for (const branch of branches) {
    const why = explainNotPreview(toBranchFacts(branch), purpose);
    if (why === undefined) continue;
    const { pullRequest } = purpose;
    const told = { name: branchNameOf(branch), ref: branch.project_ref, pullRequest, why };
    throw new InvalidInputError("name", problems.ofAnotherPurpose.message(told));
  }
}

/** Makes sure that the branch may be changed: the default one is refused, a scheduled deletion is cancelled. */
async function claimBranch(ctx: Context, parentRef: string, branchRef: string): Promise<void> {
  const branch = await lookUpBranch(ctx, parentRef, branchRef);
  if (branch === undefined) return;
  if (isDefaultBranch(branch)) throw createDefaultBranchError(branch, "name");
  if (branch.deletion_scheduled_at != null) {
    ctx.progress(`cancelling its deletion, scheduled at ${branch.deletion_scheduled_at}`);
    await cancelDeletion(ctx, parentRef, branchRef);
  }
}

async function cancelDeletion(ctx: Context, parentRef: string, branchRef: string): Promise<void> {
  const isScheduled = async (): Promise<boolean> =>
    (await lookUpBranch(ctx, parentRef, branchRef))?.deletion_scheduled_at != null;
  try {
    await writeOnce<true>(ctx, {
      send: () => ctx.api.restoreBranch({ branch_id_or_ref: branchRef }).then(() => true),
      findResult: async () => ((await isScheduled()) ? undefined : true),
    });
    await poll<boolean, undefined>(ctx, {
      what: `the cancellation of the deletion of the branch ${branchRef}`,
      look: isScheduled,
      judge: (scheduled) =>
        scheduled ? { kind: "waiting", reason: "still scheduled" } : { kind: "done", value: undefined },
    });
  } finally {
    forgetBranches(ctx, parentRef);
  }
}

type SecretMap = Readonly<Record<string, string>>;

/**
 * The declared secrets as the branch has them: the service tells hashes only (service, Values that come back changed), so one that differs
 * tells its hash, and one that is missing is absent. Undefined while the branch cannot tell.
 */
async function readSecrets(
  ctx: Context,
  ref: string,
  declared: SecretMap,
): Promise<Record<string, string> | undefined> {
  try {
    const present = await listSecretsOnce(ctx, ref);
    return Object.fromEntries(
      Object.entries(declared).flatMap(([name, value]) => {
        const record = present.get(name);
        if (record === undefined) return [];
        return [[name, isHeld(record, sha256(value)) ? value : formatOutsideChange(record)]];
      }),
    );
  } catch (error) {
    if (error instanceof ApiError && [400, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** The same; undefined, with a warning, where the branch lists none and is not healthy, which proves nothing. */
async function readCertainSecrets(
  ctx: Context,
  { ref, status }: { readonly ref: string; readonly status: string | null | undefined },
  declared: SecretMap,
): Promise<Record<string, string> | undefined> {
  const secrets = await readSecrets(ctx, ref, declared);
  if (secrets === undefined || Object.keys(declared).length === 0) return secrets;
  if (status === ACTIVE_HEALTHY || (await listSecretsOnce(ctx, ref)).size > 0) return secrets;
  const reason = `the branch ${ref} is ${status ?? "without a status"}`;
  await warnOfKeptOnce(ctx, { owner: ref, type: "Branch", id: ref, reason });
  return undefined;
}

/** Brings the branch's own secrets from one map to another, in at most one call for each kind of change. */
async function changeSecrets(
  ctx: Context,
  ref: string,
  before: SecretMap,
  declared: SecretMap,
): Promise<void> {
  const set = Object.entries(declared)
    .filter(([name, value]) => before[name] !== value)
    .map(([name, value]) => ({ name, value }));
  const removed = Object.keys(before).filter((name) => declared[name] === undefined);
  try {
    if (set.length > 0) await ctx.api.createSecrets({ ref, body: set });
    if (removed.length > 0) await ctx.api.deleteSecrets({ ref, body: removed });
  } finally {
    forgetSecrets(ctx, ref);
  }
}
