import { z } from "zod";
import { isRefusal, ResponseSchemaError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { quoteServiceMessage, replaceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { asSet, formed, replaces, resets, stable } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
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
        "Whether everybody who knows the URL of an object may read it. Removed from the program, it returns to what was found, in a new bucket to `false`.",
      ),
  ).optional(),
  fileSizeLimit: resets(
    z
      // More than the 32 bits of an integer in Pulumi's schema.
      .number()
      .min(0)
      .multipleOf(1)
      .describe(
        "Size of the largest file that the bucket takes, in bytes. Without it, the limit of the project applies. Removed from the program, it returns to what was found.",
      ),
  ).optional(),
  allowedMimeTypes: resets(
    asSet(
      z
        .array(formed(z.string().regex(/^[^\0]+$/), "a type of files", "image/png"))
        .min(1)
        .describe(
          "Types of files that the bucket takes, as `image/png` or `image/*`. Without it, all. Removed from the program, it returns to what was found.",
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

const settingsFound = z.object({
  public: z.boolean().nullish(),
  fileSizeLimit: z.number().nullish(),
  allowedMimeTypes: z.array(z.string()).nullish(),
});

/** No program's, as its name begins with `__`. */
const bookkeeping = z.object({
  /** What a bucket had that was taken over. */
  __found: settingsFound.optional(),
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
  notEmpty: defineProblem({
    says: 'The bucket "{name}" of {ref} was not deleted, because it has {content}. {remedy}.',
    means:
      "A bucket with objects, or with uploads that have not ended, is never deleted. A query can only delete the records of objects, and their files would stay in the store.",
    remedy:
      "To delete it, first delete its objects in the service's console or with the storage API. To keep it, remove it from the state with `pulumi state delete`. To destroy its project with everything in it, set the resource option `deletedWith`",
  }),
  leftAsFound: defineProblem({
    says: 'the bucket "{name}" of {ref} existed before Pulumi had it, so it stays on the service, with the settings that were found. {remedy}.',
    means: "An adopted or imported bucket was removed from the program.",
    remedy: "If nobody needs it, delete it in the service's console",
  }),
};

/** A bucket of a project's storage. */
export const storageBucket = defineResource({
  type: "StorageBucket",
  description:
    "A bucket of a project's or branch's storage. The API cannot create buckets, so each step is a query. Only the settings you declare are managed. A bucket with objects is never deleted. One that was adopted or imported stays on the service when the resource is deleted, and declared settings return to what was found. For the settings of the whole storage, use `StorageConfig`.",
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

  async find(ctx, { projectRef: ref, name }) {
    const record = (await callWhenReady(ctx, ref, ["db"], () => listBucketsOnce(ctx, ref))).get(name);
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
    // An import knows no name yet.
    const isTakenOver = state.createdAt === undefined && (ctx.ledger.isAdopted || state.name === undefined);
    const found = readFound(state) ?? readFound(ctx.ledger.kept) ?? (isTakenOver ? settings : undefined);
    return {
      inputs: { projectRef: ref, name: id, ...settings },
      outputs: { createdAt, hasObjects, ...toBookkeeping(found) },
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
    const found = readFound(state) ?? readFound(ctx.ledger.kept);
    const wanted: BucketSettings = { ...NEW_BUCKET, ...found, ...pickSettings(declared) };
    const settings = pickOf(wanted, (setting) => changed.has(setting));
    if (listSettings(settings).length === 0) return {};
    if (found !== undefined) ctx.ledger.keep(name, toBookkeeping(found));
    const rows = await writeSettings(ctx, { ref, name, settings });
    if (rows.length === 0) throw new Error(problems.goneMeanwhile.message({ ref, name }));
    return { outputs: { createdAt: requireTime(rows) } };
  },

  async delete(ctx, { id: name, state }) {
    const ref = requireProjectRef(state);
    if (ctx.ledger.isAdopted) return restoreFound(ctx, { ref, name }, state);
    const { text, parameters } = buildBucketDelete(name, state.createdAt);
    const send = () => sendRepeatable(ctx, () => runQuery(ctx, ref, text, parameters));
    const deleting = changeBucket(ctx, { ref, name }, () => ignoreMissingPart(send, []));
    const [row] = await deleting.finally(() => forgetListing(ctx, ref));
    const left = row === undefined ? undefined : deleteAnswer.parse(row);
    if (left?.was_there === true && left.deleted === 0)
      throw new Error(problems.notEmpty.message({ ref, name, content: formatCount(left.objects) }));
  },
});

/** Leaves a bucket that was taken over on the service, its declared settings as they were found. */
async function restoreFound(ctx: Context, { ref, name }: BucketChange, state: BucketSettings): Promise<void> {
  const record = (await callWhenReady(ctx, ref, ["db"], () => listBucketsOnce(ctx, ref))).get(name);
  if (record === undefined) throw new NotListedError(`no bucket ${name} is listed`);
  const found = readFound(state) ?? readFound(ctx.ledger.kept) ?? {};
  const settings = pickOf(
    found,
    (setting) => state[setting] !== undefined && isDifferent(record.settings[setting], found[setting]),
  );
  if (listSettings(settings).length > 0) await writeSettings(ctx, { ref, name, settings });
  ctx.info(problems.leftAsFound.message({ ref, name }));
}

/** What a new bucket has that nothing is declared of. */
const NEW_BUCKET: Required<BucketSettings> = { public: false, fileSizeLimit: null, allowedMimeTypes: null };

/** A bucket as the database shows it. */
interface BucketRecord {
  /** ISO 8601. */
  readonly createdAt: string | undefined;
  readonly hasObjects: boolean;
  /** Without those that the project's storage has no column of. */
  readonly settings: BucketSettings;
}

function pickOf(settings: BucketSettings, isPicked: (name: keyof BucketSettings) => boolean): BucketSettings {
  return Object.fromEntries(
    listSettings(settings).flatMap((name) => (isPicked(name) ? [[name, settings[name]]] : [])),
  );
}

/** The settings within inputs or a state. */
function pickSettings(values: BucketSettings): BucketSettings {
  return pickOf(values, () => true);
}

/** Whether a setting is another one than was found; types of files have no order. */
function isDifferent(shown: unknown, found: unknown): boolean {
  const asText = (value: unknown): string =>
    JSON.stringify(Array.isArray(value) ? value.map(String).toSorted() : value);
  return shown !== undefined && asText(shown) !== asText(found);
}

/** What was found of a bucket that was taken over, by a state or the ledger. */
function readFound(values: object): BucketSettings | undefined {
  return bookkeeping.catch({}).parse(values).__found;
}

function toBookkeeping(found: BucketSettings | undefined): { readonly __found?: BucketSettings } {
  return found === undefined ? {} : { __found: found };
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
): Promise<DatabaseRow[]> {
  const { ref, name, settings } = change;
  const { text, parameters } = buildBucketUpdate(name, settings);
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
        throw replaceMessage(error, problems.notEmpty.message({ ref, name, content: "uploads under way" }));
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

function formatCount(objects: number): string {
  if (objects > MOST_COUNTED) return `more than ${MOST_COUNTED} objects`;
  return objects === 1 ? "1 object" : `${objects} objects`;
}
