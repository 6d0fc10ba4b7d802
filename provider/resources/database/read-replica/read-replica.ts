import { z } from "zod";
import { regionCode } from "../../../../spec/shared-fields";
import {
  ApiError,
  CancelledError,
  isAmbiguous,
  isNotFound,
  ResponseSchemaError,
} from "../../../client/errors/errors";
import { replaceMessage, quoteServiceMessage } from "../../../client/errors/with-message";
import { defineProblem } from "../../../client/errors/problem";
import type { Api, Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { createOnly, replacesWhenTargeted, stable } from "../../../define/markers";
import { openEnum } from "../../../define/open-values";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource, NotListedError, type ObservedResource } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import {
  findListedProject,
  readProjectOnce,
  searchProject,
  type ListedProject,
  type NamedProject,
} from "../../../lookup/listed-project";
import { createNotFoundError } from "../../../lookup/missing-errors";
import { poll } from "../../../waiting/poll";
import { callWhenReady } from "../../../waiting/project-health";
import { mayPassWhileStarting } from "../../../waiting/project-state";
import { writeOnce } from "../../../waiting/write-once";

const inputs = z.strictObject({
  projectRef,
  region: replacesWhenTargeted(
    openEnum(regionCode).describe(
      "Region of the read replica. A change is refused, because the replacement would delete the replica that applications connect to. To replace it, run `pulumi up --target-replace <urn>`.",
    ),
    "the replica that applications connect to",
  ),
  allowSameRegion: createOnly(
    z
      .boolean()
      .describe(
        "Whether the project may have several read replicas in the region. Otherwise, creation fails if one exists, because it may be this replica under another name. Used only on creation. Default: `false`.",
      ),
  ).optional(),
  ...everyResource,
});

const outputs = z.object({
  identifier: stable(
    z.string().describe("Identifier of the replica's database. Equals the resource's `id`."),
  ),
  status: z.string().describe("`ACTIVE_HEALTHY` when the replica can be used."),
  instanceSize: z.string().describe("Compute size of the replica.").optional(),
  diskSizeGb: z.number().describe("Size of the replica's disk in GB.").optional(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

type Region = Parameters<Api["setUpReadReplica"]>[0]["body"]["read_replica_region"];

type ReplicaDatabase = NonNullable<ListedProject["databases"]>[number];

/** A read replica that can be told from others. */
interface ReplicaRecord extends ReplicaDatabase {
  readonly identifier: string;
  /** Of a type that this version does not know: it is a replica only to whoever knows its identifier. */
  readonly isOfUnknownType: boolean;
  /** It is being removed. */
  readonly isLeaving: boolean;
}

function fromWire(ref: string, replica: ReplicaRecord): ObservedResource<Inputs, Outputs> {
  const { identifier, region, status, infra_compute_size: instanceSize, disk_volume_size_gb: disk } = replica;
  return {
    // The listing has any text for the region: one that this version does not know is shown as it is.
    inputs: { projectRef: ref, region: (region ?? undefined) as Region | undefined },
    outputs: {
      identifier,
      status: status ?? undefined,
      instanceSize: instanceSize ?? undefined,
      diskSizeGb: disk ?? undefined,
    },
  };
}

const problems = {
  refused: defineProblem({
    says: "The service rejected a read replica of the project {ref}{answer}. {remedy}.",
    means:
      "The service answered 400: the project's compute size is too small for a read replica or for one more.",
    remedy: "Choose a larger `instanceSize` for the project, or declare fewer read replicas",
  }),
  noBackup: defineProblem({
    says: "The project {ref} has no physical backup of which a read replica can be made{answer}. {remedy}.",
    means: "The service answered 406: the project has no completed physical backup.",
    remedy:
      "Wait until `getBackups` lists a completed physical backup, or give the project the add-on `pitr` by a `BillingAddon`, then run again",
  }),
  notSetUp: defineProblem({
    says: "The read replica {id} is {status}: the service could not create it, or is deleting it. {remedy}.",
    means: "The read replica is in a state that does not change without action.",
    remedy:
      "To recreate it, run `pulumi destroy --target '{urn}'`, then `pulumi up`. If you delete it in the console instead, run `pulumi up --refresh`. If that fails too, ask the service's support",
  }),
  notListed: defineProblem({
    says: "listOrganizationProjects failed: the answer has no databases for the project {ref}. All replicas are treated as still present. {remedy}.",
    means: "The organization's listing lacks the project or the identifiers of its read replicas.",
    remedy: "Run again",
  }),
};

/** A read replica of a project's database. */
export const readReplica = defineResource({
  type: "ReadReplica",
  description:
    "A read replica of a project's database in a region. Creation waits until it is healthy, deletion until it no longer exists. Requires a sufficient compute size and a completed physical backup: after a change of the size, a restore or an upgrade, creation waits for the next one.",
  inputs,
  outputs,
  timeouts: { create: 1_800, update: 1_800, delete: 900 },
  idOutput: "identifier",
  uniqueBy: ["region"],
  allowsDuplicatesBy: "allowSameRegion",
  createsDuplicates: () => true,
  importId: inProject(
    "identifier",
    "the organization's listing of projects, among the `databases` of the project",
    "abcdefghijklmnopqrst-rr-us-east-1-uvwxyz",
  ),
  list: listInProject(
    async (ctx, ref) =>
      (await listReplicasOnce(ctx, ref))
        .filter((each) => !each.isOfUnknownType)
        .map(({ identifier, region }) => ({ id: identifier, name: region ?? "" })),
    /^[\w-]+$/,
  ),
  problems,

  async find(ctx, { projectRef: ref, region }) {
    const replicas = await listReplicasOnce(ctx, ref);
    return replicas
      .filter((each) => !each.isOfUnknownType && (each.region == null || each.region === region))
      .map(({ identifier, status }) => ({ id: identifier, label: `${region}, ${status ?? "no status"}` }));
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const found = (await listReplicasOnce(ctx, ref)).find(({ identifier }) => identifier === id);
    return found === undefined ? undefined : fromWire(ref, found);
  },

  async create(ctx, { projectRef: ref, region }) {
    const made = await setUpReplica(ctx, ref, region);
    return { id: made.identifier, ...fromWire(ref, made) };
  },

  settle: async (ctx, { id, inputs: { projectRef: ref } }) =>
    fromWire(ref, await waitUntilHealthy(ctx, ref, id)),

  delete: (ctx, { id, state }) => removeReplica(ctx, requireProjectRef(state), id),
});

/**
 * Sets up a replica, one at a time in this process: the answer has no identifier, so the new one is told from others of
 * its region by not having been there before (service, Read replicas).
 */
async function setUpReplica(ctx: Context, ref: string, region: Region): Promise<ReplicaRecord> {
  return ctx.shared.exclusively(`read-replicas:${ref}`, async () => {
    const known = new Set((await listReplicasNow(ctx, ref)).map(({ identifier }) => identifier));
    const findNew = async (): Promise<ReplicaRecord[]> =>
      (await listReplicasNow(ctx, ref)).filter(
        (each) =>
          !known.has(each.identifier) && each.region === region && !each.isLeaving && !each.isOfUnknownType,
      );
    const body = { read_replica_region: region };
    await retryUntilBackedUp(ctx, ref, () =>
      callWhenReady(ctx, ref, ["db"], () => ctx.api.setUpReadReplica({ ref, body })),
    ).catch((error: unknown) => {
      throw error instanceof ApiError ? explainRefusal(ref, error) : error;
    });
    return waitUntilListed(ctx, region, findNew)
      .catch((error: unknown) => {
        // The replica is made: the ledger must not take a cancelled look for nothing sent.
        throw isAmbiguous(error) ? error : new CancelledError(String(error), true);
      })
      .finally(() => ctx.shared.forgetAll());
  });
}

/** A new size, a restore and an upgrade are followed by a backup, of which a replica is made (service, Read replicas). */
const BACKING_UP = /completed backup needs to be done.*in progress/is;
const NO_PHYSICAL_BACKUP = /physical backup/i;

/** Sends the request, and again while the service says that the backup is under way. */
async function retryUntilBackedUp(ctx: Context, ref: string, send: () => Promise<unknown>): Promise<void> {
  await poll<string | undefined, undefined>(ctx, {
    what: `a backup of the project ${ref}, of which the read replica is made`,
    firstDelayMs: 10_000,
    longestDelayMs: 30_000,
    look: async () => {
      try {
        await send();
        return undefined;
      } catch (error) {
        if (error instanceof ApiError && BACKING_UP.test(error.serviceMessage)) return error.serviceMessage;
        throw error;
      }
    },
    judge: (refusal) =>
      refusal === undefined ? { kind: "done", value: undefined } : { kind: "waiting", reason: refusal },
  });
}

function explainRefusal(ref: string, error: ApiError): ApiError {
  const answer = quoteServiceMessage(error);
  if (error.status === 406 || (error.status === 400 && NO_PHYSICAL_BACKUP.test(error.serviceMessage))) {
    return replaceMessage(error, problems.noBackup.message({ ref, answer }));
  }
  if (error.status !== 400 || isNotFound(error)) return error;
  return replaceMessage(error, problems.refused.message({ ref, answer }));
}

/** It is there: whatever a look says meanwhile, another set-up would make another one. */
async function waitUntilListed(
  ctx: Context,
  region: Region,
  findNew: () => Promise<ReplicaRecord[]>,
): Promise<ReplicaRecord> {
  let reason = "the organization's listing does not have it yet";
  return poll<ReplicaRecord[], ReplicaRecord>(ctx, {
    what: `the new read replica in ${region} in the listing`,
    look: () =>
      findNew().catch((error: unknown) => {
        if (error instanceof CancelledError) throw error;
        reason = error instanceof Error ? error.message : String(error);
        return [];
      }),
    judge: ([found, ...others]) => {
      if (found === undefined) return { kind: "waiting", reason };
      if (others.length === 0) return { kind: "done", value: found };
      return { kind: "failed", error: new Error("several new read replicas are in the region") };
    },
  });
}

const FAILED = ["INIT_READ_REPLICA_FAILED", "INIT_FAILED"];

/** Waits until the replica is healthy. */
async function waitUntilHealthy(ctx: Context, ref: string, id: string): Promise<ReplicaRecord> {
  return poll<ReplicaRecord | undefined, ReplicaRecord>(ctx, {
    what: `the read replica ${id} to become ACTIVE_HEALTHY`,
    look: async () => (await listReplicasNow(ctx, ref)).find(({ identifier }) => identifier === id),
    judge(found) {
      // It was listed once, so that it is gone.
      if (found === undefined) return { kind: "failed", error: createNotAmongError(ref, id) };
      const status = found.status ?? "without a status";
      if (found.status === "ACTIVE_HEALTHY") return { kind: "done", value: found };
      if (found.isLeaving || FAILED.includes(status))
        return { kind: "failed", error: new Error(problems.notSetUp.message({ id, status, urn: ctx.urn })) };
      return { kind: "waiting", reason: `it is ${status}` };
    },
    mayPass: mayPassWhileStarting,
  });
}

function createNotAmongError(ref: string, id: string): Error {
  const message = `The read replica ${id} is not a database of the project ${ref}.`;
  return createNotFoundError("listOrganizationProjects", message);
}

/** Removes the replica, and waits until it is gone. */
async function removeReplica(ctx: Context, ref: string, id: string): Promise<void> {
  const look = async (): Promise<ReplicaRecord | undefined> =>
    (await listReplicasNow(ctx, ref)).find(({ identifier }) => identifier === id);
  const present = await look();
  if (present === undefined) throw new NotListedError(`no read replica ${id} is listed`);
  try {
    if (!present.isLeaving) await requestRemoval(ctx, ref, id, look);
    await poll<ReplicaRecord | undefined, undefined>(ctx, {
      what: `the removal of the read replica ${id}`,
      look,
      judge: (left) =>
        left === undefined
          ? { kind: "done", value: undefined }
          : { kind: "waiting", reason: `it is ${left.status ?? "without a status"}` },
    });
  } finally {
    ctx.shared.forgetAll();
  }
}

async function requestRemoval(
  ctx: Context,
  ref: string,
  id: string,
  look: () => Promise<ReplicaRecord | undefined>,
): Promise<void> {
  const body = { database_identifier: id };
  await writeOnce(ctx, {
    send: async () => {
      try {
        await callWhenReady(ctx, ref, ["db"], () => ctx.api.removeReadReplica({ ref, body }));
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      return true;
    },
    findResult: async () => {
      const left = await look();
      return left === undefined || left.isLeaving || undefined;
    },
  });
}

/** A project's replicas but those that are being removed: one listing for all resources of a run. */
async function listReplicasOnce(ctx: Context, ref: string): Promise<ReplicaRecord[]> {
  const replicas = await findReplicas(ctx, await readProjectOnce(ctx, ref), findListedProject);
  return replicas.filter(({ isLeaving }) => !isLeaving);
}

/** All of them as they are now. */
async function listReplicasNow(ctx: Context, ref: string): Promise<ReplicaRecord[]> {
  return findReplicas(ctx, await ctx.api.getProject({ ref }), searchProject);
}

type ProjectLookup = (
  ctx: Context,
  slug: string,
  project: NamedProject,
) => Promise<ListedProject | undefined>;

const LEAVING = ["GOING_DOWN", "REMOVED"];

async function findReplicas(
  ctx: Context,
  project: Awaited<ReturnType<Api["getProject"]>>,
  find: ProjectLookup,
): Promise<ReplicaRecord[]> {
  const { ref, organization_slug: slug } = project;
  const databases = slug == null ? undefined : (await find(ctx, slug, project))?.databases;
  if (!Array.isArray(databases) || databases.length === 0) throw createNotListedError(ref);
  const primary = databases.find(({ type }) => type === "PRIMARY");
  return databases.flatMap((database) => {
    const { type, identifier, status } = database;
    // Left out, it would look as if it were gone.
    if (type == null || identifier == null) throw createNotListedError(ref);
    if (type === "PRIMARY") return [];
    // A replica of a paused project goes down with its primary, and comes back with it.
    const isLeaving = status != null && LEAVING.includes(status) && primary?.status !== status;
    return [{ ...database, identifier, isLeaving, isOfUnknownType: type !== "READ_REPLICA" }];
  });
}

function createNotListedError(ref: string): ResponseSchemaError {
  return new ResponseSchemaError(
    problems.notListed.message({ ref }),
    "listOrganizationProjects",
    "projects.databases",
  );
}
