import { z } from "zod";
import { onePerProject } from "../../../define/import-id";
import { stays } from "../../../define/markers";
import { defineResource, type ObservedResource, type ResourceState } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { changeDisk, readDiskOnce, waitUntilChanged } from "./calls";
import { problems } from "./problems";
import { isThroughputHidden, type PresentDisk } from "./wire";

const staysAsIs = <S extends z.ZodType>(schema: S) =>
  stays(schema, "To change it, declare another value.").optional();

const inputs = z.strictObject({
  projectRef,
  type: staysAsIs(
    z
      .enum(["gp3", "io2"])
      .meta({ id: "DiskType", description: "Type of a disk." })
      .describe("Type of the disk: `gp3` or `io2`."),
  ),
  sizeGb: staysAsIs(
    z
      .int()
      .min(1)
      .describe(
        "Minimum size of the disk in GB. A disk cannot shrink, so a smaller size is an error. A disk that has grown automatically is not drift.",
      ),
  ),
  iops: staysAsIs(z.int().min(1).describe("Input and output operations per second.")),
  throughputMibps: staysAsIs(
    z.int().min(1).describe("Throughput in MiB per second. Only for the type `gp3`."),
  ),
  ...everyResource,
});

const outputs = z.object({
  currentSizeGb: z.number().describe("Size of the disk in GB at the last read."),
  lastModifiedAt: z
    .string()
    .describe(
      "Time of the last change, ISO 8601, whether by a program or automatic. The next change is possible only hours later.",
    )
    .optional(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

function fromWire(
  ref: string,
  present: PresentDisk,
  declared: ResourceState<Inputs, Outputs>,
): ObservedResource<Inputs, Outputs> {
  const { type, sizeGb, iops, throughputMibps, modifiedAt } = present;
  const hasGrown = declared.sizeGb !== undefined && sizeGb >= declared.sizeGb;
  return {
    inputs: {
      projectRef: ref,
      type,
      sizeGb: hasGrown ? declared.sizeGb : sizeGb,
      iops,
      ...(!isThroughputHidden(present) && { throughputMibps: throughputMibps ?? null }),
    },
    outputs: { currentSizeGb: sizeGb, lastModifiedAt: modifiedAt },
  };
}

/** The disk of a project's database. */
export const disk = defineResource({
  type: "Disk",
  description:
    "The disk of a project's database: type, size, IOPS and throughput. Only the properties you declare are managed. The service allows one change in four to six hours. Deleting the resource leaves the disk as it is.",
  inputs,
  outputs,
  timeouts: { create: 1200, update: 1200, delete: 300 },
  isRepeatable: true,
  uniqueBy: [],
  importId: { ...onePerProject("exactly"), alsoDeclares: ["type", "sizeGb", "iops", "throughputMibps"] },
  problems,

  check({ projectRef: ref, type, sizeGb, throughputMibps }, _, before) {
    const declaredBefore = before?.["projectRef"] === ref ? before?.["sizeGb"] : undefined;
    const shrinks =
      typeof declaredBefore === "number" && sizeGb !== undefined && sizeGb < declaredBefore
        ? [problems.cannotShrink.message({ present: declaredBefore, declared: sizeGb })]
        : [];
    const isTooMuch = type === "io2" && throughputMibps !== undefined;
    return {
      failures: [
        ...shrinks.map((reason) => ({ path: "sizeGb", reason })),
        ...(isTooMuch ? [{ path: "throughputMibps", reason: problems.noThroughput.message() }] : []),
      ],
    };
  },

  async read(ctx, { id, state }) {
    return fromWire(id, await readDiskOnce(ctx, id), state);
  },

  async create(ctx, declared) {
    const { projectRef: ref } = declared;
    await changeDisk(ctx, ref, declared, ({ sizeGb }) => sizeGb);
    return { id: ref };
  },

  async settle(ctx, { id, inputs: declared }) {
    return fromWire(id, await waitUntilChanged(ctx, id, declared), declared);
  },

  async update(ctx, { id, state, inputs: declared }) {
    await changeDisk(ctx, id, declared, () => state.sizeGb ?? 0);
    return {};
  },

  delete(ctx, { id }) {
    ctx.warn(problems.stays.message({ ref: id }));
    return Promise.resolve();
  },
});
