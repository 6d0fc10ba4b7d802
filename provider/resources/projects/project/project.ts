import { quoteText } from "../../../../spec/shown-text";
import { type ApiError, InvalidInputError, isNotFound, isRefusal } from "../../../client/errors/errors";
import { replaceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import { requireIdentifiers } from "../../../define/list";
import {
  defineResource,
  PartialError,
  type ResourceUpdate,
  type ObservedResource,
  type ResourceState,
} from "../../../define/resource";
import { forgetProject, readProjectOnce } from "../../../lookup/listed-project";
import { poll } from "../../../waiting/poll";
import { waitForServices, callWhenReady } from "../../../waiting/project-health";
import { isBranch } from "../../branches/branch/calls";
import { removeAllBranches } from "../../branches/branch/removal";
import { normalizeSize, readSize, resizeProject, type InstanceSize } from "./compute-size";
import { readRequested } from "./connection";
import {
  checkProject,
  projectInputs,
  projectOutputs,
  type ProjectInputs,
  type ProjectOutputs,
} from "./fields";
import { makeActive, pauseAndWait, restoreAndWait, waitUntilAtRest } from "./pause";
import { followUpgrade, parseMajor, majorOfProject, refuseLowerVersion, upgradeTo } from "./postgres-upgrade";
import { problems } from "./problems";
import { findProjectsByName } from "./projects-of-name";
import { findOrProveGone, type RecordedProject } from "./absence";
import { lookUpProject, createUndeclaredPauseError, statusOf, type ProjectRecord } from "./status";
import {
  isTransferRefused,
  readTransferred,
  requireTransferConsent,
  sendTransfer,
  toBookkeeping,
  transferBookkeeping,
  waitUntilMoved,
  type Transfer,
} from "./transfer";
import { fromWire, toBody } from "./wire";
import { REFERENCE } from "../../../../spec/project-reference";

/** A project: a Postgres database with the services around it. */
export const project = defineResource({
  type: "Project",
  description:
    "A project of an organization: a Postgres database with its services. Creation waits until the project and its services are healthy. Name, password, compute size, pausing and Postgres version can be changed in place, and the project can be moved to another organization.",
  inputs: projectInputs,
  outputs: projectOutputs,
  timeouts: { create: 3_600, update: 3_600, delete: 600 },
  idOutput: "ref",
  uniqueBy: ["organizationSlug", "name"],
  allowsDuplicatesBy: "allowDuplicateName",
  createsDuplicates: () => true,
  notSentByCreate: ["paused", "postgresVersion"],
  protection: { isOnIfAdopted: true, holdsData: () => true },
  importId: {
    format: "<ref>",
    whereFound: "`getProjects`, or the address of the project's pages",
    readsIfDeclared: ["instanceSize"],
    parse: (importId) => (REFERENCE.test(importId) ? { id: importId, inputs: {} } : undefined),
  },
  list: {
    of: "organizationSlug",
    async objects(ctx, slug) {
      const projects = await ctx.api.listOrganizationProjects({ slug });
      const own = projects.filter((each) => each.is_branch !== true);
      return requireIdentifiers(ctx, own, ({ ref }) => ref, REFERENCE).map(({ ref, name }) => ({
        id: ref,
        name: name ?? "",
      }));
    },
  },
  problems,
  bookkeeping: transferBookkeeping,
  mayBeOutOfSight: (state) => readTransferred(state) !== undefined,

  check: (inputs, isUnknown, before) => ({
    failures: checkProject(inputs, isUnknown, before !== undefined),
  }),

  diff({ organizationSlug: from }, { organizationSlug: to }) {
    if (from === undefined || to === undefined || from === to) return {};
    return {
      notes: [
        "organizationSlug: the update asks for the service's preview of the transfer to that organization, and moves the project only if `confirm` is the fingerprint of the preview.",
      ],
    };
  },

  find: (ctx, { organizationSlug, name }) => findProjectsByName(ctx, organizationSlug, name),

  async read(ctx, { id, state }) {
    // Without outputs in state it is about to be imported or taken over.
    const isRecorded = state.ref !== undefined;
    const found = isRecorded
      ? await findOrProveGone(ctx, id, toRecorded(ctx, state))
      : await lookUpProject(ctx, id, readProjectOnce);
    if (found === undefined) {
      if (isRecorded) ctx.warn(problems.provenGone.message({ ref: id }));
      else if (await isBranch(ctx, id)) throw createBranchIdError(id);
      return undefined;
    }
    // The size costs a call, which only projects that declare one pay.
    const size = state.instanceSize === undefined ? undefined : await readSize(ctx, found);
    return observeProject(ctx, found, state, size);
  },

  async create(ctx, inputs) {
    const { dbPass, name } = inputs;
    if (dbPass === undefined) throw new InvalidInputError("dbPass", problems.noPassword.message({ name }));
    const created = await ctx.api.createProject({ body: toBody({ ...inputs, dbPass }) });
    return { id: created.ref, outputs: fromWire(created, inputs).outputs };
  },

  async settle(ctx, { id, state, inputs }) {
    const recorded = toRecorded(ctx, { ...state, ...inputs });
    // One that is new is made until it has a database.
    const project = await requireSight(ctx, id, recorded, () =>
      convergeProject(ctx, id, inputs, state.database),
    );
    return observeProject(ctx, project, { ...state, ...inputs }, inputs.instanceSize);
  },

  async update(ctx, change) {
    const { id, state, inputs, changed } = change;
    const isMoved = changed.has("organizationSlug");
    const recorded = { ...toRecorded(ctx, { ...state, ...inputs }), ...(isMoved && { isMoved }) };
    return requireSight(ctx, id, recorded, () => updateProject(ctx, change)).finally(() =>
      forgetProject(ctx, id),
    );
  },

  delete: (ctx, { id, state }) => removeProject(ctx, id, state).finally(() => forgetProject(ctx, id)),
});

type ProjectResourceState = ResourceState<ProjectInputs, ProjectOutputs>;

async function observeProject(
  ctx: Context,
  found: ProjectRecord,
  state: ProjectResourceState,
  size: InstanceSize | undefined,
): Promise<ObservedResource<ProjectInputs, ProjectOutputs>> {
  const { inputs, outputs } = fromWire(found, state, size);
  const { ref, status } = found;
  const asked = await readRequested(ctx, { ref, status, password: state.dbPass }, state);
  return { inputs, outputs: { ...outputs, ...asked, ...toBookkeeping(readTransferred(state)) } };
}

function createBranchIdError(ref: string): InvalidInputError {
  return new InvalidInputError(
    "id",
    `${ref} is the reference of a branch, not of a project. Import it as a Branch with the ID \`<projectRef>/${ref}\`, ` +
      `where \`<projectRef>\` is its parent project: \`pulumi import management:index:Branch <name> <projectRef>/${ref}\`; ` +
      `in a program of the dynamic classes, declare a Branch with \`adoptId: ${quoteText(ref)}\`.`,
  );
}

/** What tells whether a project that answers 404 is gone. */
function toRecorded(ctx: Context, state: ProjectResourceState): RecordedProject {
  const { organizationSlug, deletionProtection } = state;
  const transferred = readTransferred(state) ?? readTransferred(ctx.ledger.kept);
  return { organizationSlug, deletionProtection, isMoved: transferred !== undefined };
}

/** Where the project answers 404 to a change, and nothing proves that it is gone, the error says that. */
async function requireSight<T>(
  ctx: Context,
  ref: string,
  recorded: RecordedProject,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isNotFound(error) || error.status === 400) throw error;
    forgetProject(ctx, ref);
    await findOrProveGone(ctx, ref, recorded);
    throw error;
  }
}

/**
 * Moves the project, after it has changed the name and the password: once it is out of the token's sight, nothing else can be
 * changed. Size, version and pause are brought about while settling.
 */
async function updateProject(
  ctx: Context,
  change: ResourceUpdate<ProjectInputs, ProjectOutputs>,
): Promise<Pick<ObservedResource<ProjectInputs, ProjectOutputs>, "outputs">> {
  const { id: ref, state, inputs, changed } = change;
  const { organizationSlug: to, confirm } = inputs;
  if (!changed.has("organizationSlug")) {
    await changeInPlace(ctx, change);
    return { outputs: toBookkeeping(readTransferred(ctx.ledger.kept)) };
  }
  const earlier = state.confirm ?? readTransferred(state);
  const request = { ref, to, known: state.organizationSlug, confirm, earlier };
  const transfer = await requireTransferConsent(ctx, request);
  await changeInPlace(ctx, change);
  if (transfer !== undefined) await moveProject(ctx, change, transfer);
  return { outputs: toBookkeeping(confirm ?? readTransferred(ctx.ledger.kept)) };
}

/**
 * Moves the project once its name and its password are changed. That may have taken a restore, so the consent is asked for anew then.
 * Where the transfer fails, the state has what was changed, and that the project may have been moved.
 */
async function moveProject(
  ctx: Context,
  { state, inputs, changed }: ResourceUpdate<ProjectInputs, ProjectOutputs>,
  consented: Transfer,
): Promise<void> {
  const isChanged = changed.has("name") || changed.has("dbPass");
  let step: "asking" | "sending" | "waiting" = "asking";
  try {
    const transfer = isChanged ? await requireTransferConsent(ctx, consented) : consented;
    if (transfer === undefined) return;
    step = "sending";
    await sendTransfer(ctx, transfer);
    step = "waiting";
    await waitUntilMoved(ctx, transfer);
  } catch (error) {
    const isNotSent = step === "asking" || (step === "sending" && isTransferRefused(error));
    if (isNotSent && !isChanged) throw error;
    const { organizationSlug } = state;
    const transferred = isNotSent ? undefined : inputs.confirm;
    throw new PartialError(
      {
        inputs: { ...inputs, organizationSlug },
        outputs: toBookkeeping(transferred ?? readTransferred(state)),
      },
      error,
    );
  }
}

/** Changes the name and the password. */
async function changeInPlace(
  ctx: Context,
  { id: ref, state, inputs, changed }: ResourceUpdate<ProjectInputs, ProjectOutputs>,
): Promise<void> {
  if (changed.has("postgresVersion") && inputs.postgresVersion !== undefined) {
    refuseLowerVersion(ref, parseMajor(state.database?.version), inputs.postgresVersion);
  }
  const { dbPass } = inputs;
  if (changed.has("dbPass") && dbPass !== undefined) await changePassword(ctx, ref, dbPass, inputs);
  if (changed.has("name")) await ctx.api.updateProject({ ref, body: { name: inputs.name } });
}

/** Rotates the password in place; only an active project takes a new one. */
async function changePassword(
  ctx: Context,
  ref: string,
  password: string,
  { paused }: ProjectInputs,
): Promise<void> {
  const status = statusOf(await ctx.api.getProject({ ref }));
  if (status === "INACTIVE" && paused !== false) throw createPausedWorkError(ref, "dbPass");
  await makeActive(ctx, ref, paused === false);
  await callWhenReady(ctx, ref, ["db"], () => ctx.api.updateDatabasePassword({ ref, body: { password } }));
}

/** Removes the project's branches, then the project, and waits until the service says that it is gone. */
async function removeProject(ctx: Context, ref: string, state: ProjectResourceState): Promise<void> {
  const project = await findOrProveGone(ctx, ref, toRecorded(ctx, state));
  if (project === undefined) return;
  if (statusOf(project) !== "GOING_DOWN") {
    await removeAllBranches(ctx, ref);
    await requestRemoval(ctx, ref);
  }
  await poll<ProjectRecord | undefined, undefined>(ctx, {
    what: `the removal of the project ${ref}`,
    look: () => lookUpProject(ctx, ref),
    judge: (seen) =>
      seen === undefined ? { kind: "done", value: undefined } : { kind: "waiting", reason: statusOf(seen) },
  });
}

/** How the service refuses to delete what is still being made, by whichever status (service, Errors). */
const NOT_READY = /not ready/i;

/** Asks again until the service takes the request. */
async function requestRemoval(ctx: Context, ref: string): Promise<void> {
  await poll<string | undefined, undefined>(ctx, {
    what: `the project ${ref} to become ready for deletion`,
    look: async () => {
      try {
        await ctx.api.deleteProject({ ref });
        return undefined;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        if (isRefusal(error) && NOT_READY.test(error.serviceMessage)) return error.serviceMessage;
        throw isRefusal(error) ? await explainPausedDelete(ctx, ref, error) : error;
      }
    },
    judge: (refusal) =>
      refusal === undefined ? { kind: "done", value: undefined } : { kind: "waiting", reason: refusal },
  });
}

/** A paused project may have to be restored before it can be deleted (service, Paused projects). */
async function explainPausedDelete(ctx: Context, ref: string, error: ApiError): Promise<ApiError> {
  const status = statusOf(await ctx.api.getProject({ ref }));
  if (status !== "INACTIVE") return error;
  return replaceMessage(error, problems.deletedWhilePaused.message({ ref, answer: error.message }));
}

/** Brings a project from wherever it is to the declared size, version and pause, and waits until it can be used. */
async function convergeProject(
  ctx: Context,
  ref: string,
  declared: ProjectInputs,
  known: ProjectResourceState["database"],
): Promise<ProjectRecord> {
  const project = await waitForUpgradeAndRest(ctx, ref, declared, known === undefined);
  if (statusOf(project) === "INACTIVE" && declared.paused === true) {
    await refuseWorkOnPaused(ctx, project, declared, known);
    return project;
  }
  let active = project;
  if (statusOf(project) === "INACTIVE") {
    if (declared.paused === undefined) throw createUndeclaredPauseError(ref);
    active = await restoreAndWait(ctx, ref);
  }
  if (declared.instanceSize !== undefined) {
    active = await resizeProject(ctx, active, declared.instanceSize);
  }
  const { postgresVersion, upgradeReleaseChannel } = declared;
  if (postgresVersion !== undefined) {
    active = await upgradeTo(ctx, active, postgresVersion, upgradeReleaseChannel);
  }
  if (declared.paused === true) return pauseAndWait(ctx, ref);
  await waitForServices(ctx, ref, declared.waitForServices);
  return active;
}

/** Where the project rests; an upgrade that an earlier run began is followed, so that its failure is reported. */
async function waitForUpgradeAndRest(
  ctx: Context,
  ref: string,
  declared: ProjectInputs,
  isNew: boolean,
): Promise<ProjectRecord> {
  const isUpgrading =
    declared.postgresVersion !== undefined && statusOf(await ctx.api.getProject({ ref })) === "UPGRADING";
  if (isUpgrading) await followUpgrade(ctx, ref);
  return waitUntilAtRest(ctx, ref, !isNew && !isUpgrading);
}

/** A paused project takes neither another size nor another version; waking it for that is the user's decision. */
async function refuseWorkOnPaused(
  ctx: Context,
  project: ProjectRecord,
  { instanceSize, postgresVersion }: ProjectInputs,
  known: ProjectResourceState["database"],
): Promise<void> {
  // A paused project keeps the version that it was last seen with.
  const running = majorOfProject(project) ?? parseMajor(known?.version);
  if (postgresVersion !== undefined && running !== undefined && running !== postgresVersion) {
    refuseLowerVersion(project.ref, running, postgresVersion);
    throw createPausedWorkError(project.ref, "postgresVersion");
  }
  if (instanceSize === undefined) return;
  const size = await readSize(ctx, project);
  if (size !== normalizeSize(instanceSize)) throw createPausedWorkError(project.ref, "instanceSize");
}

function createPausedWorkError(ref: string, path: string): InvalidInputError {
  return new InvalidInputError(path, problems.notWhilePaused.message({ path, ref }));
}
