import { ApiError, CancelledError, isAmbiguous, isNotFound } from "../../../client/errors/errors";
import { restated, serviceSays } from "../../../client/errors/restated";
import { notFound } from "../../../lookup/missing-errors";
import { poll } from "../../../waiting/poll";
import { whenReady } from "../../../waiting/project-health";
import { mayPassWhileStarting } from "../../../waiting/project-state";
import { writeOnce } from "../../../waiting/write-once";
import type { Api, Context } from "../../../define/context";
import { replicasNow, type ReplicaRecord } from "./listing";
import { problems } from "./problems";

export type Region = Parameters<Api["setUpReadReplica"]>[0]["body"]["read_replica_region"];
const FAILED = ["INIT_READ_REPLICA_FAILED", "INIT_FAILED"];

/**
 * Sets up a replica, one at a time in this process: the answer has no identifier, so the new one is told from others of
 * its region by not having been there before (service, Read replicas).
 */
export async function setUpReplica(ctx: Context, ref: string, region: Region): Promise<ReplicaRecord> {
  return ctx.shared.exclusively(`read-replicas:${ref}`, async () => {
    const known = new Set((await replicasNow(ctx, ref)).map(({ identifier }) => identifier));
    const findNew = async (): Promise<ReplicaRecord[]> =>
      (await replicasNow(ctx, ref)).filter(
        (each) => !known.has(each.identifier) && each.region === region && !each.isLeaving,
      );
    const body = { read_replica_region: region };
    await whenReady(ctx, ref, ["db"], () => ctx.api.setUpReadReplica({ ref, body })).catch(
      (error: unknown) => {
        throw error instanceof ApiError && error.status === 400 && !isNotFound(error)
          ? restated(error, problems.refused.message({ ref, answer: serviceSays(error) }))
          : error;
      },
    );
    return untilListed(ctx, region, findNew)
      .catch((error: unknown) => {
        // The replica is made: the journal must not take a cancelled look for nothing sent.
        throw isAmbiguous(error) ? error : new CancelledError(String(error), true);
      })
      .finally(() => ctx.shared.forgetAll());
  });
}

/** It is there: whatever a look says meanwhile, another set-up would make another one. */
async function untilListed(
  ctx: Context,
  region: Region,
  findNew: () => Promise<ReplicaRecord[]>,
): Promise<ReplicaRecord> {
  let reason = "the organization's listing does not show it yet";
  return poll<ReplicaRecord[], ReplicaRecord>(ctx, {
    what: `the new read replica in ${region} to be listed`,
    look: () =>
      findNew().catch((error: unknown) => {
        if (error instanceof CancelledError) throw error;
        reason = error instanceof Error ? error.message : String(error);
        return [];
      }),
    judge: ([found, ...others]) => {
      if (found === undefined) return { kind: "waiting", reason };
      if (others.length === 0) return { kind: "done", value: found };
      return { kind: "failed", error: new Error("several read replicas came to the region meanwhile") };
    },
  });
}

/** Waits until the replica is healthy. */
export async function untilHealthy(ctx: Context, ref: string, id: string): Promise<ReplicaRecord> {
  return poll<ReplicaRecord | undefined, ReplicaRecord>(ctx, {
    what: `the read replica ${id} to become ACTIVE_HEALTHY`,
    look: async () => (await replicasNow(ctx, ref)).find(({ identifier }) => identifier === id),
    judge(found) {
      // It was listed once, so that it is gone.
      if (found === undefined) return { kind: "failed", error: notAmong(ref, id) };
      const status = found.status ?? "without a status";
      if (found.status === "ACTIVE_HEALTHY") return { kind: "done", value: found };
      if (found.isLeaving || FAILED.includes(status))
        return { kind: "failed", error: new Error(problems.notSetUp.message({ id, status })) };
      return { kind: "waiting", reason: `it is ${status}` };
    },
    mayPass: mayPassWhileStarting,
  });
}

function notAmong(ref: string, id: string): Error {
  const message = `The read replica ${id} is not among the databases of the project ${ref}.`;
  return notFound("listOrganizationProjects", message);
}

/** Removes the replica, and waits until it is gone. */
export async function removeReplica(ctx: Context, ref: string, id: string): Promise<void> {
  const look = async (): Promise<ReplicaRecord | undefined> =>
    (await replicasNow(ctx, ref)).find(({ identifier }) => identifier === id);
  const present = await look();
  if (present === undefined) return;
  try {
    if (!present.isLeaving) await requestRemoval(ctx, ref, id, look);
    await poll<ReplicaRecord | undefined, undefined>(ctx, {
      what: `the read replica ${id} to be gone`,
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
        await whenReady(ctx, ref, ["db"], () => ctx.api.removeReadReplica({ ref, body }));
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      return true;
    },
    landed: async () => {
      const left = await look();
      return left === undefined || left.isLeaving || undefined;
    },
  });
}
