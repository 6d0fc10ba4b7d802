import type { Operations } from "../../../../spec/table";
import type { Exchange, Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { parentAt, requireActive } from "../shared/project-at";
import { branchAt, branchNamed, requireFreeName } from "./branch-access";
import { branchesOf, removeBranch } from "../shared/branch-removal";
import { planDatabaseWork } from "../shared/database/database-work";
import { willPass } from "../shared/branch-progress";
import { beginRun } from "./branch-runs";
import { viewBranch, viewBranchConfig } from "./branch-view";
import { derivedText } from "../../world/derived-bytes";
import { copyProjectDatabase } from "../shared/database/database-session";
import { addProject } from "../projects/new-project";
import type { BranchRecord } from "../../world/records/branch";
import type { ProjectRecord } from "../../world/records/project";
import { putSecrets } from "../functions/secrets";
import { requireFound, Refusal } from "../../answers/refusal";

/** Between the soft deletion of a branch and its end (service, Branches). */
const GRACE_PERIOD_MS = 3_600_000;
const DEFAULT_BRANCH_NAME = "main";
/** For how long listings show the former name of a renamed branch (service, Branches). */
const RENAME_MS = 20_000;

const listBranches: Handler<Operations["listBranches"]> = ({ params, world }) => {
  const parent = parentAt(world, params.ref);
  return branchesOf(world, parent).map((branch) => ({
    ...viewBranch(world, branch),
    name: listedName(world, branch),
  }));
};

function listedName({ clock }: World, { name, formerName }: BranchRecord): string {
  return formerName !== null && clock.now() < formerName.until ? formerName.name : name;
}

const getBranch: Handler<Operations["getBranch"]> = ({ params, world }) => {
  const branch = requireFound(
    branchNamed(world, parentAt(world, params.ref), params.name),
    "Branch not found",
  );
  return viewBranch(world, branch);
};

const createBranch: Handler<Operations["createBranch"]> = ({ params, body, world }) => {
  if (body.is_default !== true) return viewBranch(world, makeBranch(world, params.ref, body));
  const parent = parentAt(world, params.ref);
  requireActive(world, parent);
  if (branchesOf(world, parent).some(({ isDefault }) => isDefault))
    throw new Refusal(409, "A default branch exists already");
  return viewBranch(world, addDefaultBranch(world, parent, body.branch_name));
};

/** Unknown what a disk of a size that was asked for is like otherwise: here as every new one. */
const createBranchWithDisk: Handler<Operations["createBranchWithDisk"]> = ({ params, body, world }) => {
  const { name, desired_disk_size_gb: sizeGb, ...others } = body.data.attributes;
  const branch = makeBranch(world, params.ref, { ...others, branch_name: name });
  const preview = world.state.projects.get(branch.projectRef);
  if (preview !== undefined && sizeGb !== undefined)
    preview.disk.attributes = { ...preview.disk.attributes, size_gb: sizeGb };
  const { id, project_ref, parent_project_ref, is_default, persistent, with_data, ...rest } = viewBranch(
    world,
    branch,
  );
  const { git_branch, notify_url, created_at, updated_at } = rest;
  return {
    data: {
      type: "branch",
      id,
      attributes: {
        name,
        project_ref,
        parent_project_ref,
        is_default,
        persistent,
        with_data,
        ...(git_branch === undefined ? {} : { git_branch }),
        ...(notify_url === undefined ? {} : { notify_url }),
        created_at,
        updated_at,
      },
    },
  };
};

type NewBranchBody = Exchange<Operations["createBranch"]>["body"];

function makeBranch(world: World, parentRef: string, body: NewBranchBody): BranchRecord {
  const parent = parentAt(world, parentRef);
  requireActive(world, parent);
  const existing = branchesOf(world, parent);
  requireFreeName(world, parent, body.branch_name);
  // service, Branches: the first branch also makes a default one for the project itself.
  if (existing.length === 0) {
    const name = body.branch_name === DEFAULT_BRANCH_NAME ? "production" : DEFAULT_BRANCH_NAME;
    addDefaultBranch(world, parent, name);
  }
  const id = world.newId();
  const preview = addProject(world, {
    organizationSlug: parent.organizationSlug,
    branchId: id,
    name: body.branch_name,
    region: body.region ?? parent.region,
    dbPass: derivedText(world.newId(), 24),
    size: body.desired_instance_size,
    engine: body.postgres_engine,
    releaseChannel: body.release_channel,
    templateUrl: null,
    outcome: parent.next.branchProject,
  });
  if (isAsMeasured(world.state)) copyConfiguration(parent, preview);
  putSecrets(world, preview, Object.entries(body.secrets ?? {}));
  const branch = addBranch(world, {
    ...newBranch(world, id, preview.ref, parent.ref, body.branch_name),
    gitBranch: body.git_branch ?? null,
    persistent: body.persistent ?? false,
    withData: body.with_data ?? false,
    notifyUrl: body.notify_url ?? null,
  });
  const run = beginRun(world, branch, { kind: "create", parent });
  if (isAsMeasured(world.state)) planDatabaseWork(world, run, { kind: "build", withData: branch.withData });
  // A branch whose migrations failed has none of them.
  else if (willPass(world, run, "migrate")) copyProjectDatabase(world, parent, preview, branch);
  parent.next.branchProject = "ACTIVE_HEALTHY";
  return branch;
}

/** A branch begins with the configuration of its parent's services, without the secrets of functions (service, Branches). */
function copyConfiguration(from: ProjectRecord, to: ProjectRecord): void {
  to.auth.config = structuredClone(from.auth.config);
  to.restLayer = { ...from.restLayer };
  to.realtime.config = { ...from.realtime.config };
  to.storage.features = structuredClone(from.storage.features);
  to.storage.fileSizeLimit = from.storage.fileSizeLimit;
}

function addDefaultBranch(world: World, parent: ProjectRecord, name: string): BranchRecord {
  return addBranch(world, {
    ...newBranch(world, world.newId(), parent.ref, parent.ref, name),
    isDefault: true,
    persistent: true,
  });
}

function newBranch(
  world: World,
  id: string,
  projectRef: string,
  parentRef: string,
  name: string,
): BranchRecord {
  const now = world.clock.now();
  return {
    id,
    projectRef,
    parentRef,
    isDefault: false,
    name,
    formerName: null,
    gitBranch: null,
    persistent: false,
    withData: false,
    notifyUrl: null,
    createdAt: now,
    updatedAt: now,
    reviewRequestedAt: null,
    deletionScheduledAt: null,
    runs: [],
    forcedStatus: null,
    orphaned: false,
  };
}

function addBranch(world: World, branch: BranchRecord): BranchRecord {
  world.state.branches.set(branch.id, branch);
  return branch;
}

/** Switches branching off: every branch goes (service, Branches). */
const disableBranching: Handler<Operations["disableBranching"]> = ({ params, world }) => {
  for (const branch of branchesOf(world, parentAt(world, params.ref))) removeBranch(world, branch);
};

const getBranchConfig: Handler<Operations["getBranchConfig"]> = ({ params, world }) =>
  viewBranchConfig(world, branchAt(world, params.branch_id_or_ref));

const updateBranch: Handler<Operations["updateBranch"]> = ({ params, body, world }) => {
  const branch = branchAt(world, params.branch_id_or_ref);
  const { branch_name: name, git_branch: gitBranch, persistent, notify_url: notifyUrl } = body;
  if (name !== undefined && name !== branch.name) {
    requireFreeName(world, parentAt(world, branch.parentRef), name);
    if (isAsMeasured(world.state)) {
      const until = world.clock.now() + RENAME_MS * world.pace;
      branch.formerName = { name: branch.name, until };
    }
    branch.name = name;
    const preview = branch.isDefault ? undefined : world.state.projects.get(branch.projectRef);
    if (preview !== undefined) preview.name = name;
  }
  if (gitBranch !== undefined) {
    // service, Branches: an empty text detaches it from Git.
    branch.gitBranch = gitBranch === "" && isAsMeasured(world.state) ? null : gitBranch;
  }
  if (persistent !== undefined) branch.persistent = persistent;
  if (notifyUrl !== undefined) branch.notifyUrl = notifyUrl;
  if (body.status !== undefined) branch.forcedStatus = body.status;
  if (body.request_review === true) branch.reviewRequestedAt = world.clock.now();
  branch.updatedAt = world.clock.now();
  return viewBranch(world, branch);
};

const deleteBranch: Handler<Operations["deleteBranch"]> = ({ params, query, world }) => {
  const branch = branchAt(world, params.branch_id_or_ref);
  // service, Branches: neither of these can be deleted.
  if (branch.isDefault) throw new Refusal(422, "Cannot delete the default branch");
  if (branch.persistent) {
    throw new Refusal(
      422,
      isAsMeasured(world.state)
        ? "Cannot delete persistent branch."
        : "Cannot delete a persistent branch: set persistent to false first",
    );
  }
  if (query.force === false && isSoftDeletionEnabled(world, branch)) {
    branch.deletionScheduledAt ??= world.clock.now() + GRACE_PERIOD_MS;
    branch.updatedAt = world.clock.now();
  } else {
    removeBranch(world, branch);
  }
  return { message: "ok" };
};

function isSoftDeletionEnabled({ state }: World, branch: BranchRecord): boolean {
  const slug = state.projects.get(branch.parentRef)?.organizationSlug ?? "";
  return state.organizations.get(slug)?.softBranchDeletion ?? false;
}

const restoreBranch: Handler<Operations["restoreBranch"]> = ({ params, world }) => {
  const branch = branchAt(world, params.branch_id_or_ref);
  if (branch.deletionScheduledAt === null) {
    throw new Refusal(400, "Branch is not scheduled for deletion");
  }
  branch.deletionScheduledAt = null;
  branch.updatedAt = world.clock.now();
  return { message: "Branch restoration initiated" };
};

export const branchHandlers = {
  listBranches,
  getBranch,
  createBranch,
  createBranchWithDisk,
  disableBranching,
  getBranchConfig,
  updateBranch,
  deleteBranch,
  restoreBranch,
};
