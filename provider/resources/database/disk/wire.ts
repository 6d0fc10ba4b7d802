import { InvalidInputError } from "../../../client/errors/errors";
import type { Api } from "../../../define/context";
import { diskRequestBody } from "../../../../spec/operations/disk";
import { pickUnknown } from "../../../settings/mapping/keep-unknown";
import { problems } from "./problems";

type Answer = Awaited<ReturnType<Api["getDisk"]>>;
type Body = Parameters<Api["updateDisk"]>[0]["body"];
export type DiskType = Body["attributes"]["type"];

/** What a program declares of a disk. */
export interface DiskDeclaration {
  readonly type?: DiskType | undefined;
  readonly sizeGb?: number | undefined;
  readonly iops?: number | undefined;
  readonly throughputMibps?: number | undefined;
}

/** A disk as the service has it. */
export interface PresentDisk {
  readonly type: DiskType;
  readonly sizeGb: number;
  readonly iops: number;
  /** Absent for the type `io2`, and where the service does not show it. */
  readonly throughputMibps?: number | undefined;
  readonly modifiedAt?: string | undefined;
  /** Attributes that this version does not know, by the API's names. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

const [gp3] = diskRequestBody.shape.attributes.options;

/** Undefined where the answer does not tell what the disk is like. */
export function parseDisk({ attributes, last_modified_at: modifiedAt }: Answer): PresentDisk | undefined {
  if (attributes?.type == null || attributes.size_gb == null || attributes.iops == null) return undefined;
  const { type, size_gb: sizeGb, iops } = attributes;
  const throughput = "throughput_mibps" in attributes ? attributes.throughput_mibps : undefined;
  return {
    // An open enum: a type that this version does not know is shown, and written back, as it is.
    type: type as DiskType,
    sizeGb,
    iops,
    ...(throughput == null ? {} : { throughputMibps: throughput }),
    ...(modifiedAt == null ? {} : { modifiedAt }),
    unknown: pickUnknown(gp3, attributes),
  };
}

/** Whether the disk has a throughput that the service does not show: the API lets an answer omit it. */
export function isThroughputHidden({ type, throughputMibps }: PresentDisk): boolean {
  return type === "gp3" && throughputMibps === undefined;
}

/** Whether the disk shows all that is declared: one that has grown by itself has what is declared. */
export function isAsDeclared(present: PresentDisk, declared: DiskDeclaration): boolean {
  const { type, sizeGb, iops, throughputMibps } = declared;
  return (
    (type === undefined || type === present.type) &&
    (sizeGb === undefined || sizeGb <= present.sizeGb) &&
    (iops === undefined || iops === present.iops) &&
    (throughputMibps === undefined || throughputMibps === present.throughputMibps)
  );
}

/** What is declared and can be seen. */
export function pickVisible(present: PresentDisk, declared: DiskDeclaration): DiskDeclaration {
  return isThroughputHidden(present) ? { ...declared, throughputMibps: undefined } : declared;
}

/** The API takes all attributes at once: what is not declared stays as it is. Throws where it is not known how that is. */
export function toBody(present: PresentDisk, declared: DiskDeclaration): Body {
  const type = declared.type ?? present.type;
  const common = {
    ...(type === present.type ? present.unknown : {}),
    size_gb: Math.max(declared.sizeGb ?? 0, present.sizeGb),
    iops: declared.iops ?? present.iops,
  };
  if (type === "io2") return { attributes: { ...common, type } };
  if (type === present.type && isThroughputHidden(present) && declared.throughputMibps === undefined)
    throw new InvalidInputError("throughputMibps", problems.hiddenThroughput.message());
  const throughput = declared.throughputMibps ?? present.throughputMibps;
  return {
    attributes: { ...common, type, ...(throughput === undefined ? {} : { throughput_mibps: throughput }) },
  };
}
