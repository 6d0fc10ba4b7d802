import type { Database } from "./databases";

export const webhooksSchema = "webhooks";

/**
 * Makes what triggers call to send a row to a URL: `webhooks.http_request(url, method, headers, params, timeout_ms)`. An
 * embedded database has no network: what would be sent is written to `webhooks.requests`.
 */
export async function installWebhooks(database: Database): Promise<void> {
  await database.transaction(() => database.exec(installation));
}

const installation = `
create schema if not exists ${webhooksSchema};
create table if not exists ${webhooksSchema}.requests (
  id bigint generated always as identity primary key,
  hook_table_id integer not null,
  hook_name text not null,
  method text not null,
  url text not null,
  headers jsonb not null,
  params jsonb not null,
  timeout_ms integer not null,
  payload jsonb,
  created_at timestamptz not null default now()
);
create index if not exists requests_hook on ${webhooksSchema}.requests (hook_table_id, hook_name);
alter table ${webhooksSchema}.requests enable row level security;

create or replace function ${webhooksSchema}.http_request() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  url text := tg_argv[0];
  method text := upper(coalesce(tg_argv[1], 'POST'));
begin
  if url is null or url in ('', 'null') then raise exception 'url argument is missing'; end if;
  if method not in ('GET', 'POST') then raise exception 'method argument % is invalid', method; end if;
  insert into ${webhooksSchema}.requests
      (hook_table_id, hook_name, method, url, headers, params, timeout_ms, payload)
    values (
      tg_relid, tg_name, method, url,
      coalesce(nullif(tg_argv[2], 'null'), '{"Content-Type": "application/json"}')::jsonb,
      coalesce(nullif(tg_argv[3], 'null'), '{}')::jsonb,
      coalesce(nullif(tg_argv[4], 'null'), '1000')::integer,
      case method when 'POST' then jsonb_build_object(
        'type', tg_op, 'schema', tg_table_schema, 'table', tg_table_name,
        'record', to_jsonb(new), 'old_record', to_jsonb(old)) end
    );
  return coalesce(new, old);
end $$;

grant usage on schema ${webhooksSchema} to anon, authenticated, service_role;
revoke all on function ${webhooksSchema}.http_request() from public;
grant execute on function ${webhooksSchema}.http_request() to anon, authenticated, service_role;
`;
