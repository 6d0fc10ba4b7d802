-- What triggers call to send a row to an address: `svc_functions.http_request(url, method, headers, params, timeout)`. Requests are
-- queued as those of pg_net are, and nothing is sent.
do $$ begin
  if not exists (select from pg_roles where rolname = 'svc_functions_admin') then
    create role svc_functions_admin login noinherit createrole;
    alter role svc_functions_admin set search_path = svc_functions;
  end if;
end $$;
create extension if not exists pg_net with schema extensions;
create schema if not exists svc_functions;
grant usage on schema svc_functions to postgres, anon, authenticated, service_role;
grant all on schema svc_functions to svc_functions_admin;
grant svc_functions_admin to postgres with inherit true, set false;
create table if not exists svc_functions.migrations (
  version text primary key,
  inserted_at timestamptz not null default now()
);
create table if not exists svc_functions.hooks (
  id bigserial primary key,
  hook_table_id integer not null,
  hook_name text not null,
  created_at timestamptz not null default now(),
  request_id bigint
);
create index if not exists hooks_request_id_idx on svc_functions.hooks (request_id);
create index if not exists hooks_h_table_id_h_name_idx on svc_functions.hooks (hook_table_id, hook_name);

create or replace function svc_functions.http_request() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  url text := tg_argv[0];
  method text := upper(coalesce(nullif(tg_argv[1], 'null'), 'POST'));
  headers jsonb := coalesce(nullif(tg_argv[2], 'null'), '{"Content-Type": "application/json"}');
  params jsonb := coalesce(nullif(tg_argv[3], 'null'), '{}');
  timeout integer := coalesce(nullif(tg_argv[4], 'null'), '1000');
  request bigint;
begin
  if url is null or url in ('', 'null') then raise exception 'url argument is missing'; end if;
  if method not in ('GET', 'POST') then raise exception 'method argument % is invalid', method; end if;
  if method = 'GET' then
    request := net.http_get(url, params, headers, timeout);
  else
    request := net.http_post(url, jsonb_build_object('old_record', old, 'record', new, 'type', tg_op, 'table', tg_table_name,
      'schema', tg_table_schema), params, headers, timeout);
  end if;
  insert into svc_functions.hooks (hook_table_id, hook_name, request_id) values (tg_relid, tg_name, request);
  return new;
end $$;

do $$
declare
  made record;
begin
  for made in select oid::regclass as name from pg_class where relnamespace = 'svc_functions'::regnamespace and relkind = 'r' loop
    execute format('alter table %s owner to svc_functions_admin', made.name);
  end loop;
end $$;
alter function svc_functions.http_request() owner to svc_functions_admin;
revoke all on function svc_functions.http_request() from public;
grant execute on function svc_functions.http_request() to postgres, anon, authenticated, service_role;
