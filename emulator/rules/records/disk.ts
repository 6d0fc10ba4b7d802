import type { z } from "zod";
import type { diskRequestBody } from "../../../spec/operations/disk";

type RequestedAttributes = z.output<typeof diskRequestBody>["attributes"];
type Gp3 = Extract<RequestedAttributes, { type: "gp3" }>;
type Io2 = Extract<RequestedAttributes, { type: "io2" }>;

/** What a disk is like; a gp3 disk has a throughput even if nobody asked for one. */
export type DiskAttributes = Readonly<(Gp3 & { throughput_mibps: number }) | Io2>;

export interface DiskRecord {
  attributes: DiskAttributes;
  /** What it was like before the change to `attributes`; shown until that change is over. */
  before: DiskAttributes | null;
  /** When it was last changed, by a call or by itself. */
  modifiedAt: number | null;
  usedBytes: number;
  /** How it grows by itself; null where the service's own default counts. */
  readonly autoscale: {
    growthPercent: number | null;
    minIncrementGb: number | null;
    maxSizeGb: number | null;
  };
}

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
