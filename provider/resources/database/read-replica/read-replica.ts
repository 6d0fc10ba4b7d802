import { z } from "zod";
import { regionCode } from "../../../../spec/shared-fields";
import { startingCalls } from "../../../waiting/starting-calls";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { createOnly, replaces, stable } from "../../../define/markers";
import { projectOf } from "../../../define/project-of";
import { defineResource, type Observed } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { removeReplica, setUpReplica, untilHealthy, type Region } from "./calls";
import { replicasOf, type ReplicaRecord } from "./listing";
import { problems } from "./problems";

const inputs = z.strictObject({
  projectRef,
  region: replaces(regionCode.describe("Region of the read replica; a change replaces it.")),
  allowSameRegion: createOnly(
    z
      .boolean()
      .describe(
        "Whether the project may have further read replicas in the region. Otherwise creation fails when there is one, as it may be this very replica under another name. Used only on creation.",
      ),
  ).optional(),
  ...everyResource,
});

const outputs = z.object({
  identifier: stable(
    z.string().describe("Identifier of the replica's database; the same as the resource's `id`."),
  ),
  status: z.string().describe("`ACTIVE_HEALTHY` when the replica can be used."),
  instanceSize: z.string().describe("Compute size of the replica.").optional(),
  diskSizeGb: z.number().describe("Size of the replica's disk in GB.").optional(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

function fromWire(ref: string, replica: ReplicaRecord): Observed<Inputs, Outputs> {
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

/** A read replica of a project's database. */
export const readReplica = defineResource({
  type: "ReadReplica",
  description:
    "A read replica of a project's database in a region. Creation waits until it is healthy, deletion until it is gone. Requires a sufficient compute size.",
  inputs,
  outputs,
  timeouts: { create: 1_800, update: 1_800, delete: 900 },
  idOutput: "identifier",
  uniqueBy: ["region"],
  allowsDuplicatesBy: "allowSameRegion",
  importId: inProject(
    "identifier",
    "the organization's listing of projects, among the `databases` of the project",
    "abcdefghijklmnopqrst-rr-us-east-1-uvwxyz",
  ),
  list: listInProject(async (ctx, ref) =>
    (await replicasOf(ctx, ref)).map(({ identifier, region }) => ({ id: identifier, name: region ?? "" })),
  ),
  problems,
  conditionalCalls: startingCalls("create", "delete"),

  async find(ctx, { projectRef: ref, region }) {
    const replicas = await replicasOf(ctx, ref);
    return replicas
      .filter((each) => each.region == null || each.region === region)
      .map(({ identifier, status }) => ({ id: identifier, label: `${region}, ${status ?? "no status"}` }));
  },

  async read(ctx, { id, state }) {
    const ref = projectOf(state);
    const found = (await replicasOf(ctx, ref)).find(({ identifier }) => identifier === id);
    return found === undefined ? undefined : fromWire(ref, found);
  },

  async create(ctx, { projectRef: ref, region }) {
    const made = await setUpReplica(ctx, ref, region);
    return { id: made.identifier, ...fromWire(ref, made) };
  },

  settle: async (ctx, { id, inputs: { projectRef: ref } }) => fromWire(ref, await untilHealthy(ctx, ref, id)),

  delete: (ctx, { id, state }) => removeReplica(ctx, projectOf(state), id),
});
