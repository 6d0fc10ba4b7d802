/** Settings of a bucket; `null` is one that is not set. */
export interface BucketSettings {
  readonly public?: boolean | null | undefined;
  readonly fileSizeLimit?: number | null | undefined;
  readonly allowedMimeTypes?: string[] | null | undefined;
}

export type SettingName = keyof BucketSettings;

/** The column of each setting, and its value within `given.settings`. A project's storage may lack the column. */
export const BUCKET_COLUMNS: Readonly<
  Record<SettingName, { readonly column: string; readonly value: string }>
> = {
  public: { column: "public", value: "(given.settings ->> 'public')::boolean" },
  fileSizeLimit: { column: "file_size_limit", value: "(given.settings ->> 'fileSizeLimit')::bigint" },
  allowedMimeTypes: {
    column: "allowed_mime_types",
    value:
      "case when jsonb_typeof(given.settings -> 'allowedMimeTypes') = 'array' then array(select jsonb_array_elements_text(given.settings -> 'allowedMimeTypes')) end",
  },
};

/** The settings that are given, `null` included. */
export function listSettings(settings: BucketSettings): SettingName[] {
  const names: readonly SettingName[] = ["public", "fileSizeLimit", "allowedMimeTypes"];
  return names.filter((name) => settings[name] !== undefined);
}

/** A statement and what its `$1`, `$2` … stand for. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Buckets of analytics and vectors are other things; older storage has no type. */
const IS_OF_FILES = "coalesce(to_jsonb(b) ->> 'type', 'STANDARD') = 'STANDARD'";

const HAS_OBJECTS = "exists (select from storage.objects o where o.bucket_id = b.id)";

/** All buckets of files, with the columns that there are. */
export const BUCKETS = `select b.id, to_jsonb(b) as bucket, ${HAS_OBJECTS} as has_objects from storage.buckets b where ${IS_OF_FILES}`;

const CREATED_AT = "to_jsonb(b) ->> 'created_at' as created_at";

export function buildBucketInsert(name: string, settings: BucketSettings): Statement {
  const columns = listSettings(settings).map((setting) => BUCKET_COLUMNS[setting]);
  const into = ["id", "name", ...columns.map(({ column }) => column)].join(", ");
  const values = ["$1::text", "$1::text", ...columns.map(({ value }) => value)].join(", ");
  return {
    text: `insert into storage.buckets as b (${into}) select ${values} from (select $2::text::jsonb as settings) given returning ${CREATED_AT}`,
    parameters: [name, JSON.stringify(settings)],
  };
}

/** Changes a bucket, unless somebody created another one under its name since. */
export function buildBucketUpdate(
  name: string,
  createdAt: string | undefined,
  settings: BucketSettings,
): Statement {
  const columns = listSettings(settings).map((setting) => BUCKET_COLUMNS[setting]);
  const sets = columns.map(({ column, value }) => `${column} = ${value}`).join(", ");
  return {
    text: `update storage.buckets b set ${sets} from (select $2::text::jsonb as settings) given where b.id = $1 and (b.created_at is null or ${isOfTime("$3")}) and ${IS_OF_FILES} returning ${CREATED_AT}`,
    parameters: [name, JSON.stringify(settings), createdAt ?? null],
  };
}

/** Whether a bucket was created at the time of a parameter, to milliseconds; each was where that is null. */
function isOfTime(parameter: string): string {
  const time = "date_trunc('milliseconds', b.created_at)";
  return `${time} is not distinct from coalesce(${parameter}::timestamptz, ${time})`;
}

/** Objects are counted up to here. */
export const MOST_COUNTED = 1000;

/**
 * Deletes a bucket that has no objects, unless somebody created another one under its name since. The service's trigger refuses it
 * where a setting is not on, so `allowed` sets that for this transaction; it is read before the delete begins, as each of its rows needs it.
 * An object that is added meanwhile makes the delete fail by its foreign key.
 */
export function buildBucketDelete(name: string, createdAt: string | undefined): Statement {
  const isOurs = `b.id = $1::text and ${isOfTime("$2")} and ${IS_OF_FILES}`;
  return {
    text: `with allowed as materialized (select set_config('storage.allow_delete_query', 'true', true) as is_on),
gone as (delete from storage.buckets b where ${isOurs} and not ${HAS_OBJECTS} returning b.id)
select (select count(*) from gone where allowed.is_on = 'true')::int as deleted,
  exists (select from storage.buckets b where ${isOurs}) as was_there,
  (select count(*) from (select from storage.objects o where o.bucket_id = $1::text limit ${MOST_COUNTED + 1}) counted)::int as objects
from allowed`,
    parameters: [name, createdAt ?? null],
  };
}
