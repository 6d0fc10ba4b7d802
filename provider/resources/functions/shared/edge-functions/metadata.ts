import type { z } from "zod";
import { functionStatus, type bulkUpdateFunctionBody } from "../../../../../spec/operations/functions";
import type { Context } from "../../../../define/context";
import {
  confirmWrite,
  forgetFunctions,
  listFunctionsOnce,
  patchMetadata,
  sendWrite,
  writeInTurn,
  type FunctionRecord,
  type FunctionMetadata,
} from "./calls";
import { edgeFunctionProblems } from "./problems";

type BulkRecord = z.input<typeof bulkUpdateFunctionBody>[number];

interface MetadataItem {
  readonly slug: string;
  readonly change: FunctionMetadata;
  /** What the bulk update answered for this function. */
  answer?: FunctionRecord;
}

/**
 * Changes name or `verify_jwt` without an upload. Changes of several functions leave together: a bulk update replaces
 * whole records, so it starts from a fresh listing; a single one is a PATCH, which touches nothing else. Ends with a listing that
 * shows the change; one that was lost is sent once more.
 */
export async function changeMetadata(
  ctx: Context,
  ref: string,
  slug: string,
  change: FunctionMetadata,
): Promise<FunctionRecord> {
  const item: MetadataItem = { slug, change };
  await ctx.shared.inBulk<MetadataItem>(`functions:${ref}`, {
    item,
    limits: ctx,
    send: (items, limits) => sendMetadata(ctx.within(limits), ref, items),
  });
  forgetFunctions(ctx, ref);
  const answer = item.answer ?? (await patchMetadata(ctx, ref, slug, change));
  // What the answer shows otherwise was not lost, but refused.
  if (!isShown(answer, change)) return answer;
  return confirmWrite(ctx, {
    ...{ ref, slug, answer: pickWritten(answer), lost: edgeFunctionProblems.changeLost },
    isShown: (record) => isShown(record, change),
    repeat: async () => {
      ctx.progress(`the service lost the change of ${slug}, which is sent again`);
      return pickWritten(await patchMetadata(ctx, ref, slug, change));
    },
  });
}

/** Whether a record shows a change, as far as it has what was changed. */
function isShown(record: FunctionRecord, { name, verify_jwt: verifyJwt }: FunctionMetadata): boolean {
  const isAs = (shown: unknown, wanted: unknown): boolean =>
    wanted === undefined || shown === undefined || shown === null || shown === wanted;
  return isAs(record.name, name) && isAs(record.verify_jwt, verifyJwt);
}

/** What tells a write from later ones. */
function pickWritten({
  version,
  ezbr_sha256,
}: FunctionRecord): Pick<FunctionRecord, "version" | "ezbr_sha256"> {
  return {
    ...(version == null ? {} : { version }),
    ...(ezbr_sha256 == null ? {} : { ezbr_sha256 }),
  };
}

async function sendMetadata(ctx: Context, ref: string, items: readonly MetadataItem[]): Promise<void> {
  if (items.length > 1) await writeInTurn(ctx, ref, () => sendBulk(ctx, ref, items));
}

async function sendBulk(ctx: Context, ref: string, items: readonly MetadataItem[]): Promise<void> {
  forgetFunctions(ctx, ref);
  const known = await listFunctionsOnce(ctx, ref);
  const bulk: { item: MetadataItem; record: BulkRecord }[] = [];
  for (const item of items) {
    const record = toBulkRecord(known.get(item.slug), item.change);
    if (record !== undefined) bulk.push({ item, record });
  }
  if (bulk.length === 0) return;
  const body = bulk.map(({ record }) => record);
  const { functions } = await sendWrite(ctx, ref, () => ctx.api.updateFunctions({ ref, body }));
  for (const { item } of bulk) {
    const answer = functions?.find(({ slug }) => slug === item.slug);
    if (answer !== undefined) item.answer = { ...answer, slug: item.slug };
  }
}

/**
 * The whole record as it was listed, what this version does not know included, with the change and its version raised
 * as the bulk update wants it (service, Edge functions). The time of its change is the service's own.
 */
function toBulkRecord(known: FunctionRecord | undefined, change: FunctionMetadata): BulkRecord | undefined {
  const status = functionStatus.safeParse(known?.status);
  if (!status.success || known?.id == null || known.name == null || known.version == null) return undefined;
  const isSet = ([name, value]: [string, unknown]): boolean =>
    name !== "updated_at" && value !== null && value !== undefined;
  return {
    ...Object.fromEntries(Object.entries({ ...known, ...change }).filter(isSet)),
    id: known.id,
    slug: known.slug,
    name: change.name ?? known.name,
    status: status.data,
    version: known.version + 1,
  };
}
