-- What the realtime service keeps. It does not run here: `send` adds a row, and nobody receives it.
set session authorization svc_realtime_admin;

create type realtime.action as enum ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'ERROR');
create type realtime.equality_op as enum ('eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'like', 'ilike', 'is', 'match', 'imatch', 'isdistinct');
create type realtime.user_defined_filter as (column_name text, op realtime.equality_op, value text, negate boolean);
create type realtime.wal_column as (name text, type_name text, type_oid oid, value jsonb, is_pkey boolean, is_selectable boolean);
create type realtime.wal_rls as (wal jsonb, is_rls_enabled boolean, subscription_ids uuid[], errors text[]);

create function realtime.to_regrole(role_name text) returns regrole language sql immutable as
  $$ select role_name::regrole $$;
create function realtime."cast"(val text, type_ regtype) returns jsonb language plpgsql immutable as $$
declare
  result jsonb;
begin
  execute format('select to_jsonb(%L::%s)', val, type_::text) into result;
  return result;
end $$;
create function realtime.subscription_check_filters() returns trigger language plpgsql as $$
declare
  filter realtime.user_defined_filter;
  column_type regtype;
begin
  foreach filter in array new.filters loop
    select a.atttypid into column_type from pg_catalog.pg_attribute a
      where a.attrelid = new.entity and a.attname = filter.column_name and a.attnum > 0 and not a.attisdropped;
    if column_type is null then raise exception 'invalid column for filter %', filter.column_name; end if;
    if filter.op <> 'in' then perform realtime."cast"(filter.value, column_type); end if;
  end loop;
  return new;
end $$;

create table realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp default now() not null,
  inserted_at timestamp default now() not null,
  id uuid default gen_random_uuid() not null,
  binary_payload bytea,
  constraint messages_pkey primary key (id, inserted_at)
) partition by range (inserted_at);
alter table realtime.messages add constraint messages_payload_exclusive check (((payload is null) or (binary_payload is null))) not valid;
create index messages_inserted_at_topic_index on only realtime.messages using btree (inserted_at desc, topic) where ((extension = 'broadcast'::text) and (private is true));
alter table realtime.messages enable row level security;

create table realtime.schema_migrations (
  version bigint not null,
  inserted_at timestamp(0) default now(),
  constraint schema_migrations_pkey primary key (version)
);

create table realtime.subscription (
  id bigint generated always as identity,
  subscription_id uuid not null,
  entity regclass not null,
  filters realtime.user_defined_filter[] default '{}'::realtime.user_defined_filter[] not null,
  claims jsonb not null,
  claims_role regrole generated always as (realtime.to_regrole((claims ->> 'role'::text))) stored not null,
  created_at timestamp default timezone('utc'::text, now()) not null,
  action_filter text default '*'::text,
  selected_columns text[],
  constraint pk_subscription primary key (id),
  constraint subscription_action_filter_check check ((action_filter = any (array['*'::text, 'INSERT'::text, 'UPDATE'::text, 'DELETE'::text])))
);
create index ix_realtime_subscription_entity on realtime.subscription using btree (entity);
create unique index subscription_subscription_id_entity_filters_action_filter_selec on realtime.subscription using btree (subscription_id, entity, filters, action_filter, coalesce(selected_columns, '{}'::text[]));
create trigger tr_check_filters before insert or update on realtime.subscription for each row execute function realtime.subscription_check_filters();

create function realtime.topic() returns text language sql stable as
  $$ select nullif(current_setting('realtime.topic', true), '') $$;

-- The service makes a partition for each day when somebody connects, which nobody does here.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  id uuid := gen_random_uuid();
begin
  execute format('create table if not exists realtime.%I partition of realtime.messages for values from (%L) to (%L)',
    to_char(now(), '"messages_"YYYY_MM_DD'), now()::date, now()::date + 1);
  insert into realtime.messages (id, payload, event, topic, private, extension)
    values (id, case jsonb_typeof(payload) when 'object' then jsonb_build_object('id', id) || payload else payload end,
      event, topic, private, 'broadcast');
exception when others then
  raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
end $$;
create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  execute format('create table if not exists realtime.%I partition of realtime.messages for values from (%L) to (%L)',
    to_char(now(), '"messages_"YYYY_MM_DD'), now()::date, now()::date + 1);
  insert into realtime.messages (binary_payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
exception when others then
  raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
end $$;
create function realtime.broadcast_changes(topic_name text, event_name text, operation text, table_name text, table_schema text,
  new record, old record, level text default 'ROW') returns void language plpgsql as $$
begin
  if level = 'STATEMENT' then raise exception 'function can only be triggered for each row, not for each statement'; end if;
  perform realtime.send(jsonb_build_object('operation', operation, 'table', table_name, 'schema', table_schema,
    'record', to_jsonb(new), 'old_record', to_jsonb(old)), event_name, topic_name);
end $$;

-- Functions by which the service reads the write-ahead log for its subscribers.
create function realtime.check_equality_op(op realtime.equality_op, type_ regtype, val_1 text, val_2 text) returns boolean
  language plpgsql immutable as $$
declare
  result boolean;
begin
  execute format('select %L::%3$s %s %L::%3$s', val_1, case op when 'eq' then '=' when 'neq' then '<>' when 'lt' then '<'
    when 'lte' then '<=' when 'gt' then '>' when 'gte' then '>=' when 'like' then '~~' when 'ilike' then '~~*'
    when 'match' then '~' when 'imatch' then '~*' when 'isdistinct' then 'is distinct from' when 'is' then 'is not distinct from' end,
    type_::text, val_2) into result;
  return result;
end $$;
create function realtime.check_equality_op(op realtime.equality_op, type_ regtype, val_1 text, val_2 text, negate boolean)
  returns boolean language sql stable as $$ select realtime.check_equality_op(op, type_, val_1, val_2) <> negate $$;
create function realtime.quote_wal2json(entity regclass) returns text language sql immutable as $$
  select format('%s.%s', quote_ident(n.nspname), quote_ident(c.relname))
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = entity
$$;
create function realtime.wal2json_escape_identifier(name text) returns text language sql immutable as
  $$ select regexp_replace(name, '([\\,. ])', '\\\1', 'g') $$;
create function realtime.build_prepared_statement_sql(prepared_statement_name text, entity regclass, columns realtime.wal_column[])
  returns text language sql as $$
  select format('prepare %s as select true from %s where %s', prepared_statement_name, entity,
    string_agg(format('%I = %L', c.name, c.value #>> '{}'), ' and ')) from unnest(columns) c where c.is_pkey
$$;
create function realtime.is_visible_through_filters(columns realtime.wal_column[], filters realtime.user_defined_filter[])
  returns boolean language sql stable as $$
  select coalesce(bool_and(realtime.check_equality_op(f.op, c.type_oid::regtype, c.value #>> '{}', f.value, coalesce(f.negate, false))), true)
    from unnest(filters) f join unnest(columns) c on c.name = f.column_name
$$;
create function realtime.apply_rls(wal jsonb, max_record_bytes integer default 1024 * 1024) returns setof realtime.wal_rls
  language sql as $$ select null::jsonb, null::boolean, null::uuid[], null::text[] where false $$;
create function realtime.list_changes(publication name, slot_name name, max_changes integer, max_record_bytes integer)
  returns table (wal jsonb, is_rls_enabled boolean, subscription_ids uuid[], errors text[], slot_changes_count bigint)
  language sql as $$ select null::jsonb, null::boolean, null::uuid[], null::text[], null::bigint where false $$;

grant all on realtime.messages, realtime.subscription to postgres, dashboard_user;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
grant select on realtime.subscription to anon, authenticated, service_role;
-- Or `postgres` could by its membership.
revoke insert, update, delete, truncate on realtime.schema_migrations from svc_realtime_admin;

set session authorization svc_admin;
