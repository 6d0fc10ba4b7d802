import { InvalidInputError, QuotaError, ResponseSchemaError } from "../../../client/errors/errors";
import { poll } from "../../../waiting/poll";
import { callWhenReady } from "../../../waiting/project-health";
import { writeOnce } from "../../../waiting/write-once";
import type { Api, Context } from "../../../define/context";
import { problems } from "./problems";
import { isAsDeclared, parseDisk, pickVisible, toBody, type DiskDeclaration, type PresentDisk } from "./wire";

type Answer = Awaited<ReturnType<Api["getDisk"]>>;

const HOUR_MS = 3_600_000;
/** One change in four hours; older documents say six (service, Disk). */
const [FIRST_HOURS, LAST_HOURS] = [4, 6];

const listKey = (ref: string): string => `disk:${ref}`;

/** The disk as it was last seen in this run. */
export async function readDiskOnce(ctx: Context, ref: string): Promise<PresentDisk> {
  return ctx.shared.list(listKey(ref), () => readDisk(ctx, ref));
}

async function readDisk(ctx: Context, ref: string): Promise<PresentDisk> {
  const answer: Answer = await ctx.api.ofEveryProject(ref, () => ctx.api.getDisk({ ref }));
  const present = parseDisk(answer);
  if (present !== undefined) return present;
  throw new ResponseSchemaError(
    "getDisk failed: the answer has no attributes. Run again.",
    "getDisk",
    "attributes",
  );
}

/** Changes the disk where it is not as declared; `leastGb` is the size below which `sizeGb` asks it to shrink. */
export async function changeDisk(
  ctx: Context,
  ref: string,
  declared: DiskDeclaration,
  leastGb: (present: PresentDisk) => number,
): Promise<void> {
  await ctx.shared.exclusively(listKey(ref), async () => {
    const before = await readDisk(ctx, ref);
    const least = leastGb(before);
    if (declared.sizeGb !== undefined && declared.sizeGb < least) {
      throw new InvalidInputError(
        "sizeGb",
        problems.cannotShrink.message({ present: least, declared: declared.sizeGb }),
      );
    }
    if (isAsDeclared(before, declared)) return;
    await modifyDisk(ctx, ref, before, declared);
  });
}

async function modifyDisk(
  ctx: Context,
  ref: string,
  before: PresentDisk,
  declared: DiskDeclaration,
): Promise<void> {
  const body = toBody(before, declared);
  try {
    await writeOnce(ctx, {
      send: async () => {
        await callWhenReady(ctx, ref, ["db"], () => ctx.api.updateDisk({ ref, body }));
        return true;
      },
      // The change shows a while later than the time at which it was made.
      findResult: async () => {
        const now = await readDisk(ctx, ref);
        const isModified = now.modifiedAt !== undefined && now.modifiedAt !== before.modifiedAt;
        return isAsDeclared(now, declared) || isModified || undefined;
      },
    });
  } catch (error) {
    throw error instanceof QuotaError ? createTooEarlyError(ref, before, error) : error;
  } finally {
    ctx.shared.forget(listKey(ref));
  }
}

function createTooEarlyError(ref: string, { modifiedAt }: PresentDisk, refusal: QuotaError): Error {
  const changedMs = Date.parse(modifiedAt ?? "");
  const timeAfter = (hours: number): string => new Date(changedMs + hours * HOUR_MS).toISOString();
  const when = Number.isNaN(changedMs)
    ? ""
    : `, and the last one was at ${modifiedAt ?? ""}. The next one is possible between ${timeAfter(FIRST_HOURS)} and ${timeAfter(LAST_HOURS)}`;
  return new Error(problems.tooEarly.message({ ref, when, answer: refusal.serviceMessage }), {
    cause: refusal,
  });
}

/** Waits until the service shows what was asked for. */
export async function waitUntilChanged(
  ctx: Context,
  ref: string,
  declared: DiskDeclaration,
): Promise<PresentDisk> {
  return poll<PresentDisk, PresentDisk>(ctx, {
    what: `the change of the disk of ${ref}`,
    look: () => readDiskOnce(ctx, ref),
    judge: (present) => {
      if (isAsDeclared(present, pickVisible(present, declared))) return { kind: "done", value: present };
      // The next look asks the service.
      ctx.shared.forget(listKey(ref));
      const { type, sizeGb, iops, throughputMibps: throughput } = present;
      const speed = throughput === undefined ? "" : ` and ${throughput} MiB/s`;
      return { kind: "waiting", reason: `it is ${type} with ${sizeGb} GB, ${iops} IOPS${speed}` };
    },
  });
}
