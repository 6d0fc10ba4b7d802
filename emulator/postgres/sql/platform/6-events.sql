-- What the platform does when an extension comes or goes. The REST layer, which the last two would tell to reload, does not run here.
create function graphql_public.graphql("operationName" text default null, query text default null, variables jsonb default null,
  extensions jsonb default null) returns jsonb language plpgsql set search_path = '' as $$
declare
  answer jsonb;
begin
  if to_regproc('graphql.resolve') is null then
    return jsonb_build_object('errors', jsonb_build_array(jsonb_build_object('message', 'pg_graphql extension is not enabled.')));
  end if;
  execute 'select graphql.resolve(query => $1, variables => coalesce($2, ''{}''), "operationName" => $3, extensions => $4)'
    into answer using query, variables, "operationName", extensions;
  return answer;
end $$;

create function extensions.grant_pg_cron_access() returns event_trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from pg_event_trigger_ddl_commands() c where c.object_identity = 'pg_cron') then
    grant usage on schema cron to postgres with grant option;
    grant all on all functions in schema cron to postgres with grant option;
    grant all on all sequences in schema cron to postgres with grant option;
    grant all on all tables in schema cron to postgres with grant option;
    revoke all on cron.job from postgres;
    grant select on cron.job to postgres with grant option;
    alter default privileges for role svc_admin in schema cron grant all on tables to postgres with grant option;
    alter default privileges for role svc_admin in schema cron grant all on functions to postgres with grant option;
    alter default privileges for role svc_admin in schema cron grant all on sequences to postgres with grant option;
  end if;
end $$;
create event trigger issue_pg_cron_access on ddl_command_end when tag in ('CREATE EXTENSION')
  execute function extensions.grant_pg_cron_access();

create function extensions.grant_pg_net_access() returns event_trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from pg_event_trigger_ddl_commands() c where c.object_identity = 'pg_net') then
    -- As webhooks do, which may come first.
    if not exists (select from pg_roles where rolname = 'svc_functions_admin') then
      create role svc_functions_admin login noinherit createrole;
      alter role svc_functions_admin set search_path = svc_functions;
    end if;
    grant usage on schema net to postgres, anon, authenticated, service_role, svc_functions_admin;
    grant execute on all functions in schema net to postgres, anon, authenticated, service_role, svc_functions_admin;
    grant all on all tables in schema net to postgres;
  end if;
end $$;
create event trigger issue_pg_net_access on ddl_command_end when tag in ('CREATE EXTENSION')
  execute function extensions.grant_pg_net_access();

create function extensions.grant_pg_graphql_access() returns event_trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from pg_event_trigger_ddl_commands() c where c.object_identity = 'pg_graphql') then
    grant usage on schema graphql to postgres, anon, authenticated, service_role with grant option;
    grant all on function graphql.resolve to postgres, anon, authenticated, service_role;
  end if;
end $$;
create event trigger issue_pg_graphql_access on ddl_command_end when tag in ('CREATE EXTENSION')
  execute function extensions.grant_pg_graphql_access();

create function extensions.set_graphql_placeholder() returns event_trigger language plpgsql as $$ begin end $$;
create event trigger issue_graphql_placeholder on sql_drop when tag in ('DROP EXTENSION')
  execute function extensions.set_graphql_placeholder();
create function extensions.rest_ddl_watch() returns event_trigger language plpgsql as $$ begin end $$;
create event trigger rest_ddl_watch on ddl_command_end execute function extensions.rest_ddl_watch();
create function extensions.rest_drop_watch() returns event_trigger language plpgsql as $$ begin end $$;
create event trigger rest_drop_watch on sql_drop execute function extensions.rest_drop_watch();
