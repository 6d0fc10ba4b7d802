import { z } from "zod";
import { diskRequestBody } from "../../../spec/operations/disk";
import { time } from "./fields";

const [gp3, io2] = diskRequestBody.shape.attributes.options;

/** What a disk is like; a gp3 disk has a throughput even if nobody asked for one. */
const diskAttributes = z.discriminatedUnion("type", [gp3.required({ throughput_mibps: true }), io2]);
export type DiskAttributes = Readonly<z.infer<typeof diskAttributes>>;

export const diskRecord = z.strictObject({
  attributes: diskAttributes,
  /** What it was like before the change to `attributes`; shown until that change is over. */
  before: diskAttributes.nullable(),
  /** When it was last changed, by a call or by itself. */
  modifiedAt: time.nullable(),
  usedBytes: z.number(),
  /** How it grows by itself; null where the service's own default counts. */
  autoscale: z.strictObject({
    growthPercent: z.number().nullable(),
    minIncrementGb: z.number().nullable(),
    maxSizeGb: z.number().nullable(),
  }),
});
export type DiskRecord = z.infer<typeof diskRecord>;

/** The disk that every project begins with: made up, as the specification names none. */
export function newDisk(): DiskRecord {
  return {
    attributes: { type: "gp3", size_gb: 8, iops: 3_000, throughput_mibps: 125 },
    before: null,
    modifiedAt: null,
    usedBytes: 350_000_000,
    autoscale: { growthPercent: 50, minIncrementGb: 4, maxSizeGb: null },
  };
}
