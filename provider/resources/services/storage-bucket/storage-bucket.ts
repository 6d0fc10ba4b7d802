import { z } from "zod";
import { isRefusal, ResponseSchemaError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { quoteServiceMessage, replaceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { asSet, formed, replaces, resets, stable } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { formatCodeList } from "../../../define/format-code-list";
import { defineResource, NotListedError } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { callWhenReady } from "../../../waiting/project-health";
import type { DatabaseRow } from "../../database/shared/database-records";
import {
  addToListing,
  explainPartErrors,
  ignoreMissingPart,
  parsePostgresCode,
  runQuery,
  runReadOnlyQuery,
  sendChange,
  sendRepeatable,
  toIsoTime,
  type PartMessages,
} from "../../database/shared/parameter-queries";
import {
  BUCKET_COLUMNS,
  buildBucketDelete,
  buildBucketInsert,
  buildBucketUpdate,
  BUCKETS,
  MOST_COUNTED,
  listSettings,
  type BucketSettings,
} from "./bucket-sql";
import {
  bookkeeping,
  NEW_BUCKET,
  pickSettings,
  planReturn,
  recallTakenOver,
  toBookkeeping,
  type KnownTime,
  type SettingsReturn,
} from "./taken-over";

const inputs = z.strictObject({
  projectRef,
  name: replaces(
    formed(
      z
        .string()
        .max(100)
        .regex(/^[^\0\r\n]+$/),
      "a name on one line of at most 100 characters",
      "avatars",
    ).describe(
      "Name and identifier of the bucket, at most 100 characters. A change replaces a bucket without objects, and is refused for one that has some.",
    ),
    "delete-first",
  ),
  public: resets(
    z
      .boolean()
      .describe(
        "Whether everybody who knows the URL of an object may read it. Removed from the program, it returns to `false`. A bucket that was adopted or imported returns to what was found, unless that opens it: it then stays closed, with a warning.",
      ),
  ).optional(),
  fileSizeLimit: resets(
    z
      // More than the 32 bits of an integer in Pulumi's schema.
      .number()
      .min(0)
      .multipleOf(1)
      .describe(
        "Size of the largest file that the bucket takes, in bytes. Without it, the limit of the project applies. Removed from the program, it returns to what was found, unless somebody has changed it since.",
      ),
  ).optional(),
  allowedMimeTypes: resets(
    asSet(
      z
        .array(formed(z.string().regex(/^[^\0]+$/), "a type of files", "image/png"))
        .min(1)
        .describe(
          "Types of files that the bucket takes, as `image/png` or `image/*`. Without it, all. Removed from the program, it returns to what was found, unless somebody has changed it since.",
        ),
    ),
  ).optional(),
  ...everyResource,
});

const outputs = z.object({
  createdAt: stable(z.string().describe("Creation time, ISO 8601.")),
  hasObjects: z
    .boolean()
    .describe(
      "Whether the bucket had objects at the last read. A bucket with objects is neither deleted nor replaced.",
    ),
});

const problems = {
  closed: defineProblem({
    says: "The service denied access to the storage tables of {ref}{answer}. {remedy}.",
    means: "The token may not run the query, or the query ran as a role that may not use the tables.",
    remedy: "Use a token with the permissions `database_read` and `database_write`",
  }),
  noStorage: defineProblem({
    says: "The database of {ref} has no storage tables{answer}. {remedy}.",
    means: "The storage service has not prepared the database yet, or its schema was removed.",
    remedy: "Wait until `storage` is healthy in the service's console, then run again",
  }),
  noColumn: defineProblem({
    says: "The storage of {ref} is older than {settings}{answer}. {remedy}.",
    means: "The project's storage service lacks the column of a declared setting.",
    remedy: "Upgrade the project in the service's console, or remove the setting from the program",
  }),
  nameTaken: defineProblem({
    says: 'The project {ref} has a bucket that bears the name "{name}"{answer}. {remedy}.',
    means:
      "Somebody created the bucket during the run, or a bucket of another type or with another identifier bears the name.",
    remedy: "Declare another name, or run again to read what is known of that bucket",
  }),
  goneMeanwhile: defineProblem({
    says: 'The project {ref} no longer has a bucket named "{name}". {remedy}.',
    means: "Somebody removed the bucket since the last refresh.",
    remedy: "Run `pulumi up --refresh`, which creates it again",
  }),
  replacedSince: defineProblem({
    says: 'the bucket "{name}" of {ref} that Pulumi had is gone. Somebody created another bucket under the name, at {time}. It is left alone. {remedy}.',
    means:
      "Warning. Somebody deleted the bucket and created one of the same name. A refresh removes the resource from Pulumi's state.",
    remedy:
      "To manage the new bucket, run `pulumi up`, which says how to adopt it. To leave it alone, remove the resource from the program",
  }),
  replacedMeanwhile: defineProblem({
    says: 'The bucket "{name}" of {ref} is another one than Pulumi had: it was created at {time}. Nothing was changed. {remedy}.',
    means: "Somebody deleted the bucket since the last refresh and created one of the same name.",
    remedy: "Run `pulumi up --refresh`, which says how to adopt the new bucket",
  }),
  staysClosed: defineProblem({
    says: '`public` of the bucket "{name}" of {ref} stays `false`. It was `true` before Pulumi had the bucket, and that would let everybody read its objects again. {remedy}.',
    means: "Warning. The program no longer declares `public: false` of an adopted or imported bucket.",
    remedy: "To open the bucket, declare `public: true`, or make it public in the service's console",
  }),
  changedSince: defineProblem({
    says: 'somebody has changed {settings} of the bucket "{name}" of {ref} since this program set it, so it stays as it is. {remedy}.',
    means:
      "The program no longer declares a setting of an adopted or imported bucket. It returns to what was found only while it has the program's value.",
    remedy: "To have another value, declare it or set it in the service's console",
  }),
  notEmpty: defineProblem({
    says: 'The bucket "{name}" of {ref} was not deleted, because it has {content}. {remedy}.',
    means:
      "A bucket with objects, or with uploads that have not ended, is never deleted. A query can only delete the records of objects, and their files would stay in the store.",
    remedy:
      "To delete it, first delete its objects in the service's console or with the storage API. To keep it, remove it from the state with `pulumi state delete '{urn}'`. To destroy its project with everything in it, set the resource option `deletedWith`",
  }),
  leftAsFound: defineProblem({
    says: 'the bucket "{name}" of {ref} existed before Pulumi had it, so it stays on the service. {remedy}.',
    means: "An adopted or imported bucket was removed from the program.",
    remedy: "If nobody needs it, delete it in the service's console",
  }),
};

/** A bucket of a project's storage. */
export const storageBucket = defineResource({
  type: "StorageBucket",
  description:
    "A bucket of a project's or branch's storage. The API cannot create buckets, so each step is a query. Only the settings you declare are managed. A bucket with objects is never deleted. One that was adopted or imported stays on the service when the resource is deleted, and declared settings return to what was found, except that a closed bucket is not opened and what somebody has changed since stays. For the settings of the whole storage, use `StorageConfig`.",
  inputs,
  outputs,
  bookkeeping,
  timeouts: { create: 300, update: 300, delete: 300 },
  isRepeatable: true,
  uniqueBy: ["name"],
  importId: {
    ...inProject("name", "`getBuckets`", "avatars"),
    alsoDeclares: ["public", "fileSizeLimit", "allowedMimeTypes"],
    // As a new bucket is.
    declares: (observed) => ({ ...observed, public: observed["public"] === true ? true : undefined }),
  },
  list: listInProject(
    async (ctx, ref) => Array.from((await listBucketsOnce(ctx, ref)).keys(), (name) => ({ id: name, name })),
    /^[^\0\r\n]+$/,
  ),
  problems,

  explainKept: ({ hasObjects }) =>
    hasObjects === true
      ? "The bucket has objects. Declare a second bucket with the new name and move the objects. If it was emptied since, run `pulumi refresh` first."
      : undefined,

  diff: (state, declared) => ({
    listStaying: () => {
      const { found } = recallTakenOver(state, {}) ?? {};
      const isToOpen = found?.public === true && state.public === false;
      return isToOpen && declared.public === undefined ? ["public"] : [];
    },
  }),

  async find(ctx, { projectRef: ref, name }) {
    const record = await findBucket(ctx, { ref, name });
    if (record === undefined) return [];
    const { createdAt, hasObjects } = record;
    const label = `created ${createdAt ?? "at an unknown time"}${hasObjects ? ", with objects" : ""}`;
    return [{ id: name, label, createdAt }];
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const record = (await listBucketsOnce(ctx, ref)).get(id);
    if (record === undefined) return undefined;
    const { createdAt, hasObjects, settings } = record;
    if (isAnother(record, state)) {
      ctx.warn(problems.replacedSince.message({ ref, name: id, time: createdAt ?? "" }));
      return undefined;
    }
    // An import knows no name yet.
    const isTakenOver = state.createdAt === undefined && (ctx.ledger.isAdopted || state.name === undefined);
    const known =
      recallTakenOver(state, ctx.ledger.kept, record) ??
      (isTakenOver ? { found: settings, written: settings } : undefined);
    return {
      inputs: { projectRef: ref, name: id, ...settings },
      outputs: { createdAt, hasObjects, ...toBookkeeping(known) },
    };
  },

  async create(ctx, { projectRef: ref, name, ...declared }) {
    const settings = pickSettings(declared);
    const { text, parameters } = buildBucketInsert(name, settings);
    const send = () => runQuery(ctx, ref, text, parameters);
    const createdAt = requireTime(await changeBucket(ctx, { ref, name, settings }, send));
    const record = { createdAt, hasObjects: false, settings: { ...NEW_BUCKET, ...settings } };
    await addToListing(listBucketsOnce(ctx, ref), name, record);
    return { id: name, outputs: { createdAt, hasObjects: false } };
  },

  async update(ctx, { state, inputs: { projectRef: ref, name, ...declared }, changed }) {
    const bucket = { ref, name };
    const known = recallTakenOver(state, ctx.ledger.kept);
    const removed = listSettings(NEW_BUCKET).filter(
      (setting) => changed.has(setting) && declared[setting] === undefined,
    );
    const back =
      known === undefined || removed.length === 0
        ? { ...NOTHING_LEFT, settings: pickSettings(NEW_BUCKET, (setting) => removed.includes(setting)) }
        : planReturn(removed, (await requireBucket(ctx, bucket, state)).settings, known);
    const settings = { ...back.settings, ...pickSettings(declared, (setting) => changed.has(setting)) };
    const written = known && { ...known, written: { ...known.written, ...settings } };
    let { createdAt } = state;
    if (listSettings(settings).length > 0) {
      if (written !== undefined) ctx.ledger.keep(name, { createdAt, ...toBookkeeping(written) });
      const rows = await writeSettings(ctx, { ...bucket, settings }, createdAt);
      if (rows.length === 0) throw await explainUnchanged(ctx, bucket, state);
      createdAt = requireTime(rows);
    }
    reportLeft(ctx, bucket, back);
    return { outputs: { createdAt, ...toBookkeeping(written) } };
  },

  async delete(ctx, { id: name, state }) {
    const ref = requireProjectRef(state);
    if (ctx.ledger.isAdopted) return restoreFound(ctx, { ref, name }, state);
    const { text, parameters } = buildBucketDelete(name, state.createdAt);
    const send = () => sendRepeatable(ctx, () => runQuery(ctx, ref, text, parameters));
    const withoutStorage = [{ deleted: 0, was_there: false, objects: 0 }];
    const deleting = changeBucket(ctx, { ref, name }, () => ignoreMissingPart(send, withoutStorage));
    const left = parseDeleteAnswer(await deleting.finally(() => forgetListing(ctx, ref)));
    if (left.was_there && left.deleted === 0)
      throw new Error(
        problems.notEmpty.message({ ref, name, content: formatCount(left.objects), urn: ctx.urn }),
      );
  },
});

/** Leaves a bucket that was taken over on the service, its declared settings as they were found where they are still this program's. */
async function restoreFound(
  ctx: Context,
  { ref, name }: BucketChange,
  state: BucketSettings & KnownTime,
): Promise<void> {
  const record = await findBucket(ctx, { ref, name });
  if (record === undefined || isAnother(record, state))
    throw new NotListedError(`no bucket ${name} is listed`);
  const known = recallTakenOver(state, ctx.ledger.kept, record);
  const back = known === undefined ? NOTHING_LEFT : planReturn(listSettings(state), record.settings, known);
  if (listSettings(back.settings).length > 0)
    await writeSettings(ctx, { ref, name, settings: back.settings }, state.createdAt);
  reportLeft(ctx, { ref, name }, back);
  ctx.info(problems.leftAsFound.message({ ref, name }));
}

const NOTHING_LEFT: SettingsReturn = { settings: {}, changedSince: [], staysClosed: false };

/** Says what did not return to what was found. */
function reportLeft(
  ctx: Context,
  { ref, name }: BucketChange,
  { changedSince, staysClosed }: SettingsReturn,
): void {
  if (staysClosed) ctx.warn(problems.staysClosed.message({ ref, name }));
  if (changedSince.length === 0) return;
  ctx.info(problems.changedSince.message({ ref, name, settings: formatCodeList(changedSince) }));
}

/** The bucket of the state; throws where it is gone, or another one has its name. */
async function requireBucket(ctx: Context, bucket: BucketChange, state: KnownTime): Promise<BucketRecord> {
  const record = await findBucket(ctx, bucket);
  if (record === undefined || isAnother(record, state)) throw await explainUnchanged(ctx, bucket, state);
  return record;
}

/** Why a change found no bucket of the state. */
async function explainUnchanged(ctx: Context, bucket: BucketChange, state: KnownTime): Promise<Error> {
  const { ref, name } = bucket;
  const record = await findBucket(ctx, bucket);
  if (record === undefined || !isAnother(record, state))
    return new Error(problems.goneMeanwhile.message({ ref, name }));
  return new Error(problems.replacedMeanwhile.message({ ref, name, time: record.createdAt ?? "" }));
}

async function findBucket(ctx: Context, { ref, name }: BucketChange): Promise<BucketRecord | undefined> {
  return (await callWhenReady(ctx, ref, ["db"], () => listBucketsOnce(ctx, ref))).get(name);
}

/** Whether somebody deleted the bucket of the state and created another one under its name. */
function isAnother(record: KnownTime, { createdAt }: KnownTime): boolean {
  const known = toIsoTime(createdAt);
  return known !== undefined && record.createdAt !== undefined && record.createdAt !== known;
}

/** A bucket as the database shows it. */
interface BucketRecord {
  /** ISO 8601. */
  readonly createdAt: string | undefined;
  readonly hasObjects: boolean;
  /** Without those that the project's storage has no column of. */
  readonly settings: BucketSettings;
}

const listKey = (ref: string): string => `storage-buckets:${ref}`;

/** The buckets of a project by identifier, listed once in a run by a query that may only read. */
function listBucketsOnce(ctx: Context, ref: string): Promise<Map<string, BucketRecord>> {
  const read = () => explainPartErrors(messagesOf(ref), runReadOnlyQuery(ctx, ref, BUCKETS));
  return ctx.shared.list(listKey(ref), async () => parseRecords(await ignoreMissingPart(read, [])));
}

const shownRows = z.array(
  z.object({
    id: z.string(),
    bucket: z.object({
      public: z.boolean().nullish(),
      file_size_limit: z.number().nullish(),
      allowed_mime_types: z.array(z.string()).nullish(),
      created_at: z.string().nullish(),
    }),
    has_objects: z.boolean(),
  }),
);

function parseRecords(rows: readonly DatabaseRow[]): Map<string, BucketRecord> {
  const shown = shownRows.safeParse(rows);
  if (!shown.success) {
    const message =
      "The answer of the database has buckets without `id`, `bucket` or `has_objects`. All buckets are treated as still present. Run again.";
    throw new ResponseSchemaError(message, "runReadOnlyQuery", "id");
  }
  return new Map(
    shown.data.map(({ id, bucket, has_objects: hasObjects }) => [
      id,
      { createdAt: toIsoTime(bucket.created_at), hasObjects, settings: toSettings(bucket) },
    ]),
  );
}

/** A column that is absent cannot be read; an empty list of types takes all. */
function toSettings(bucket: z.output<typeof shownRows>[number]["bucket"]): BucketSettings {
  const { public: isPublic, file_size_limit: limit, allowed_mime_types: types } = bucket;
  return {
    ...(isPublic === undefined ? {} : { public: isPublic ?? false }),
    ...(limit === undefined || (limit !== null && !Number.isSafeInteger(limit))
      ? {}
      : { fileSizeLimit: limit }),
    ...(types === undefined ? {} : { allowedMimeTypes: types?.length === 0 ? null : types }),
  };
}

function forgetListing(ctx: Context, ref: string): void {
  ctx.shared.forget(listKey(ref));
}

/** What a change is about, for its messages. */
interface BucketChange {
  readonly ref: string;
  readonly name: string;
  readonly settings?: BucketSettings;
}

async function writeSettings(
  ctx: Context,
  change: BucketChange & Required<Pick<BucketChange, "settings">>,
  createdAt: string | undefined,
): Promise<DatabaseRow[]> {
  const { ref, name, settings } = change;
  const { text, parameters } = buildBucketUpdate(name, createdAt, settings);
  const send = () => sendRepeatable(ctx, () => runQuery(ctx, ref, text, parameters));
  return changeBucket(ctx, change, send).finally(() => forgetListing(ctx, ref));
}

/** Sends a change once the database can take it, with what Postgres refuses in words of ours. */
async function changeBucket(
  ctx: Context,
  { ref, name, settings = {} }: BucketChange,
  send: () => Promise<DatabaseRow[]>,
): Promise<DatabaseRow[]> {
  const forget = (): void => forgetListing(ctx, ref);
  try {
    return await sendChange(ctx, ref, { messages: messagesOf(ref), forget }, send);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const answer = quoteServiceMessage(error);
    switch (parsePostgresCode(error)) {
      case UNIQUE_VIOLATION:
        throw replaceMessage(error, problems.nameTaken.message({ ref, name, answer }));
      case FOREIGN_KEY_VIOLATION:
        throw replaceMessage(
          error,
          problems.notEmpty.message({ ref, name, content: "uploads under way", urn: ctx.urn }),
        );
      case UNDEFINED_COLUMN:
        throw replaceMessage(
          error,
          problems.noColumn.message({ ref, settings: formatMissing(settings, error.serviceMessage), answer }),
        );
      default:
        throw error;
    }
  }
}

const UNIQUE_VIOLATION = "23505";
const FOREIGN_KEY_VIOLATION = "23503";
const UNDEFINED_COLUMN = "42703";

/** The settings whose column the refusal names; all that were written where it names none. */
function formatMissing(settings: BucketSettings, says: string): string {
  const all = listSettings(settings);
  const named = all.filter((name) => says.includes(`"${BUCKET_COLUMNS[name].column}"`));
  return (named.length === 0 ? all : named).map((name) => `\`${name}\``).join(", ");
}

/** What is said of storage tables that are closed, and of a database without them. */
function messagesOf(ref: string): PartMessages {
  return {
    closed: (answer) => problems.closed.message({ ref, answer }),
    missing: (answer) => problems.noStorage.message({ ref, answer }),
  };
}

function requireTime([row]: readonly DatabaseRow[]): string {
  const at = row?.["created_at"];
  const time = typeof at === "string" ? toIsoTime(at) : undefined;
  if (time !== undefined) return time;
  throw new ResponseSchemaError(
    "The answer of the database has no `created_at` of the bucket. Run again.",
    "runQuery",
    "created_at",
  );
}

const deleteAnswer = z.object({ deleted: z.number(), was_there: z.boolean(), objects: z.number() });

/** The query answers one row, whatever it found. */
function parseDeleteAnswer([row]: readonly DatabaseRow[]): z.output<typeof deleteAnswer> {
  const { data } = deleteAnswer.safeParse(row);
  if (data !== undefined) return data;
  throw new ResponseSchemaError(
    "The answer of the database does not say whether the bucket was deleted. Run again.",
    "runQuery",
    "deleted",
  );
}

function formatCount(objects: number): string {
  if (objects > MOST_COUNTED) return `more than ${MOST_COUNTED} objects`;
  return objects === 1 ? "1 object" : `${objects} objects`;
}
