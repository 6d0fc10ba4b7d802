-- What the storage service keeps. It does not run here: no file is stored, but buckets, objects and policies are rows.
set session authorization svc_storage_admin;

create function storage.update_updated_at_column() returns trigger language plpgsql as $$
begin
  new.updated_at = now();
  return new;
end $$;
create function storage.enforce_bucket_name_length() returns trigger language plpgsql as $$
declare
  service_now timestamptz = coalesce(nullif(current_setting('emulator.now', true), '')::timestamptz, now());
begin
  -- What is not given is the time of the service, not of its machine: the default stays as the service has it.
  if tg_op = 'INSERT' and new.created_at = now() then new.created_at = service_now; end if;
  if tg_op = 'INSERT' and new.updated_at = now() then new.updated_at = service_now; end if;
  if length(new.name) > 100 then
    raise exception 'bucket name "%" is too long (% characters). Max is 100.', new.name, length(new.name);
  end if;
  return new;
end $$;
create function storage.protect_delete() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using errcode = '42501', hint = 'This prevents accidental data loss from orphaned objects.';
  end if;
  return null;
end $$;

create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');

create table storage.buckets (
  id text not null,
  name text not null,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  owner_id text,
  type storage.buckettype default 'STANDARD'::storage.buckettype not null,
  versioning_status text default 'DISABLED'::text not null,
  constraint buckets_pkey primary key (id),
  constraint buckets_versioning_dark_check check ((versioning_status = 'DISABLED'::text)),
  constraint buckets_versioning_standard_only_check check (((type = 'STANDARD'::storage.buckettype) or (versioning_status = 'DISABLED'::text))),
  constraint buckets_versioning_status_check check ((versioning_status = any (array['DISABLED'::text, 'ENABLED'::text, 'SUSPENDED'::text])))
);
create unique index bname on storage.buckets using btree (name);
alter table storage.buckets enable row level security;
create trigger enforce_bucket_name_length_trigger before insert or update of name on storage.buckets for each row execute function storage.enforce_bucket_name_length();
create trigger protect_buckets_delete before delete on storage.buckets for each statement execute function storage.protect_delete();

create table storage.buckets_analytics (
  name text not null,
  type storage.buckettype default 'ANALYTICS'::storage.buckettype not null,
  format text default 'ICEBERG'::text not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  id uuid default gen_random_uuid() not null,
  deleted_at timestamptz,
  constraint buckets_analytics_pkey primary key (id)
);
create unique index buckets_analytics_unique_name_idx on storage.buckets_analytics using btree (name) where (deleted_at is null);
alter table storage.buckets_analytics enable row level security;

create table storage.buckets_vectors (
  id text not null,
  type storage.buckettype default 'VECTOR'::storage.buckettype not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint buckets_vectors_pkey primary key (id)
);
alter table storage.buckets_vectors enable row level security;

create table storage.iceberg_namespaces (
  id uuid default gen_random_uuid() not null,
  bucket_name text not null,
  name text not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  catalog_id uuid not null,
  constraint iceberg_namespaces_pkey primary key (id),
  constraint iceberg_namespaces_catalog_id_fkey foreign key (catalog_id) references storage.buckets_analytics(id) on delete cascade
);
create unique index idx_iceberg_namespaces_bucket_id on storage.iceberg_namespaces using btree (bucket_name, name);
alter table storage.iceberg_namespaces enable row level security;

create table storage.iceberg_tables (
  id uuid default gen_random_uuid() not null,
  namespace_id uuid not null,
  bucket_name text not null,
  name text not null,
  location text not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  catalog_id uuid not null,
  constraint iceberg_tables_pkey primary key (id),
  constraint iceberg_tables_catalog_id_fkey foreign key (catalog_id) references storage.buckets_analytics(id) on delete cascade,
  constraint iceberg_tables_namespace_id_fkey foreign key (namespace_id) references storage.iceberg_namespaces(id) on delete cascade
);
create unique index idx_iceberg_tables_location on storage.iceberg_tables using btree (location);
create unique index idx_iceberg_tables_namespace_id on storage.iceberg_tables using btree (namespace_id, name);
alter table storage.iceberg_tables enable row level security;

create table storage.migrations (
  id integer not null,
  name varchar(100) not null,
  hash varchar(40) not null,
  executed_at timestamp default CURRENT_TIMESTAMP,
  constraint migrations_name_key unique (name),
  constraint migrations_pkey primary key (id)
);
alter table storage.migrations enable row level security;

create table storage.objects (
  id uuid default gen_random_uuid() not null,
  bucket_id text,
  name text,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/'::text)) stored,
  version text,
  owner_id text,
  user_metadata jsonb,
  archived_at timestamptz,
  is_delete_marker boolean default false not null,
  is_versioned boolean default false not null,
  constraint objects_pkey primary key (id),
  constraint "objects_bucketId_fkey" foreign key (bucket_id) references storage.buckets(id)
);
create index idx_objects_bucket_id_name_lower on storage.objects using btree (bucket_id, lower(name) collate "C");
create unique index bucketid_objname on storage.objects using btree (bucket_id, name);
create index idx_objects_bucket_id_name on storage.objects using btree (bucket_id, name collate "C");
create index name_prefix_search on storage.objects using btree (name text_pattern_ops);
alter table storage.objects enable row level security;
create trigger update_objects_updated_at before update on storage.objects for each row execute function storage.update_updated_at_column();
create trigger protect_objects_delete before delete on storage.objects for each statement execute function storage.protect_delete();

create table storage.s3_multipart_uploads (
  id text not null,
  in_progress_size bigint default 0 not null,
  upload_signature text not null,
  bucket_id text not null,
  key text not null,
  version text not null,
  owner_id text,
  created_at timestamptz default now() not null,
  user_metadata jsonb,
  metadata jsonb,
  constraint s3_multipart_uploads_pkey primary key (id),
  constraint s3_multipart_uploads_bucket_id_fkey foreign key (bucket_id) references storage.buckets(id)
);
create index idx_multipart_uploads_list on storage.s3_multipart_uploads using btree (bucket_id, key, created_at);
alter table storage.s3_multipart_uploads enable row level security;

create table storage.s3_multipart_uploads_parts (
  id uuid default gen_random_uuid() not null,
  upload_id text not null,
  size bigint default 0 not null,
  part_number integer not null,
  bucket_id text not null,
  key text not null,
  etag text not null,
  owner_id text,
  version text not null,
  created_at timestamptz default now() not null,
  constraint s3_multipart_uploads_parts_pkey primary key (id),
  constraint s3_multipart_uploads_parts_bucket_id_fkey foreign key (bucket_id) references storage.buckets(id),
  constraint s3_multipart_uploads_parts_upload_id_fkey foreign key (upload_id) references storage.s3_multipart_uploads(id) on delete cascade
);
alter table storage.s3_multipart_uploads_parts enable row level security;

create table storage.vector_indexes (
  id text default gen_random_uuid() not null,
  name text not null,
  bucket_id text not null,
  data_type text not null,
  dimension integer not null,
  distance_metric text not null,
  metadata_configuration jsonb,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint vector_indexes_pkey primary key (id),
  constraint vector_indexes_bucket_id_fkey foreign key (bucket_id) references storage.buckets_vectors(id)
);
create unique index vector_indexes_name_bucket_id_idx on storage.vector_indexes using btree (name, bucket_id);
alter table storage.vector_indexes enable row level security;

create function storage.foldername(name text) returns text[] language sql immutable as $$
  select (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1]
$$;
create function storage.filename(name text) returns text language sql immutable as $$
  select (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))]
$$;
create function storage.extension(name text) returns text language sql immutable as $$
  select (string_to_array(storage.filename(name), '.'))[nullif(cardinality(string_to_array(storage.filename(name), '.')), 1)]
$$;
create function storage.operation() returns text language sql stable as $$
  select nullif(current_setting('storage.operation', true), '')
$$;
create function storage.allow_only_operation(expected_operation text) returns boolean language sql stable as $$
  select coalesce(regexp_replace(storage.operation(), '^storage\.', '') = regexp_replace(expected_operation, '^storage\.', ''), false)
$$;
create function storage.allow_any_operation(expected_operations text[]) returns boolean language sql stable as $$
  select coalesce(bool_or(storage.allow_only_operation(expected)), false) from unnest(expected_operations) expected
$$;
create function storage.can_insert_object(bucketid text, name text, owner uuid, metadata jsonb) returns void language plpgsql as $$
begin
  insert into storage.objects (bucket_id, name, owner, metadata) values (bucketid, name, owner, metadata);
  raise sqlstate 'PT200';
exception when sqlstate 'PT200' then
  null;
end $$;
create function storage.get_size_by_bucket() returns table (size bigint, bucket_id text) language sql stable as $$
  select sum((o.metadata ->> 'size')::bigint)::bigint, o.bucket_id from storage.objects o group by o.bucket_id
$$;
create function storage.get_common_prefix(p_key text, p_prefix text, p_delimiter text) returns text language sql immutable as $$
  select case when position(p_delimiter in substr(p_key, length(p_prefix) + 1)) > 0
    then left(p_key, length(p_prefix) + position(p_delimiter in substr(p_key, length(p_prefix) + 1)) + length(p_delimiter) - 1) end
$$;

-- A folder is one row without an id, however many objects are in it.
create function storage.search(prefix text, bucketname text, limits integer default 100, levels integer default 1,
  offsets integer default 0, search text default '', sortcolumn text default 'name', sortorder text default 'asc')
  returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language plpgsql stable as $$
begin
  return query execute format($query$
    select f.name, f.id, f.updated_at, f.created_at, f.last_accessed_at, f.metadata from (
      select distinct o.path_tokens[$1] as name, null::uuid as id, null::timestamptz as updated_at, null::timestamptz as created_at,
          null::timestamptz as last_accessed_at, null::jsonb as metadata
        from storage.objects o where o.bucket_id = $2 and starts_with(lower(o.name), lower($3 || $4)) and cardinality(o.path_tokens) > $1
      union all
      select o.path_tokens[$1], o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
        from storage.objects o where o.bucket_id = $2 and starts_with(lower(o.name), lower($3 || $4)) and cardinality(o.path_tokens) = $1
    ) f order by f.id is not null, f.%I %s limit $5 offset $6
  $query$, case when sortcolumn in ('name', 'updated_at', 'created_at', 'last_accessed_at') then sortcolumn else 'name' end,
    case when lower(sortorder) = 'desc' then 'desc' else 'asc' end)
  using levels, bucketname, prefix, search, limits, offsets;
end $$;
create function storage.search_v2(prefix text, bucket_name text, limits integer default 100, levels integer default 1,
  start_after text default '', sort_order text default 'asc', sort_column text default 'name', sort_column_after text default '')
  returns table (key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language sql stable as $$
  select regexp_replace(prefix, '[^/]*$', '') || s.name, s.name || case when s.id is null then '/' else '' end, s.id, s.updated_at,
      s.created_at, s.last_accessed_at, s.metadata
    from storage.search(prefix, bucket_name, limits, levels, 0, '', sort_column, sort_order) s
    where start_after = '' or case when lower(sort_order) = 'desc' then s.name < start_after else s.name > start_after end
$$;
create function storage.search_by_timestamp(p_prefix text, p_bucket_id text, p_limit integer, p_level integer, p_start_after text,
  p_sort_order text, p_sort_column text, p_sort_column_after text)
  returns table (key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
  language sql stable as $$
  select * from storage.search_v2(p_prefix, p_bucket_id, p_limit, p_level, p_start_after, p_sort_order, p_sort_column, p_sort_column_after)
$$;
create function storage.list_objects_with_delimiter(_bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100,
  start_after text default '', next_token text default '', sort_order text default 'asc')
  returns table (name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz)
  language sql stable as $$
  select distinct on (f.name) f.name, f.id, f.metadata, f.updated_at, f.created_at, f.last_accessed_at from (
    select coalesce(p.folder, o.name) as name, case when p.folder is null then o.id end as id,
        case when p.folder is null then o.metadata end as metadata, case when p.folder is null then o.updated_at end as updated_at,
        case when p.folder is null then o.created_at end as created_at,
        case when p.folder is null then o.last_accessed_at end as last_accessed_at
      from storage.objects o, lateral (select storage.get_common_prefix(o.name, prefix_param, delimiter_param) as folder) p
      where o.bucket_id = _bucket_id and starts_with(o.name, prefix_param)
  ) f where f.name > greatest(start_after, next_token) order by f.name limit max_keys
$$;
create function storage.list_multipart_uploads_with_delimiter(bucket_id text, prefix_param text, delimiter_param text,
  max_keys integer default 100, next_key_token text default '', next_upload_token text default '')
  returns table (key text, id text, created_at timestamptz) language sql as $$
  select u.key, u.id, u.created_at from storage.s3_multipart_uploads u
    where u.bucket_id = $1 and starts_with(u.key, prefix_param) and (u.key, u.id) > (next_key_token, next_upload_token)
    order by u.key, u.id limit max_keys
$$;

grant all on storage.buckets, storage.objects to postgres with grant option;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
grant select on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts, storage.iceberg_namespaces, storage.iceberg_tables,
  storage.buckets_analytics, storage.buckets_vectors, storage.vector_indexes to anon, authenticated;
grant all on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts, storage.iceberg_namespaces, storage.iceberg_tables,
  storage.buckets_analytics, storage.buckets_vectors, storage.vector_indexes to service_role;

-- Or `postgres` could by its membership.
revoke insert, update, delete, truncate on storage.migrations from svc_storage_admin;

set session authorization svc_admin;
