-- Schemas of a new project, who may use them, and what is granted on what will be made in them.
create schema extensions authorization postgres;
create schema auth;
create schema storage;
create schema realtime;
create schema vault;
create schema graphql;
create schema graphql_public;
create schema legacy_pooler authorization "role:legacy_pooler";

grant usage on schema public to postgres, anon, authenticated, service_role;
grant usage on schema extensions to anon, authenticated, service_role, dashboard_user;
grant usage on schema auth to postgres, anon, authenticated, service_role;
grant all on schema auth to svc_auth_admin, dashboard_user;
grant usage on schema storage, realtime, vault to postgres with grant option;
grant usage on schema storage, realtime to anon, authenticated, service_role;
grant all on schema storage to svc_storage_admin;
grant all on schema realtime to svc_realtime_admin;
grant usage on schema vault to service_role;
grant usage on schema graphql, graphql_public to postgres, anon, authenticated, service_role;

alter default privileges for role postgres, svc_admin in schema public
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres, svc_admin in schema public
  grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role postgres, svc_admin in schema public
  grant all on sequences to postgres, anon, authenticated, service_role;
alter default privileges for role svc_auth_admin in schema auth grant all on tables to postgres, dashboard_user;
alter default privileges for role svc_auth_admin in schema auth grant all on functions to postgres, dashboard_user;
alter default privileges for role svc_auth_admin in schema auth grant all on sequences to postgres, dashboard_user;
alter default privileges for role postgres in schema storage
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema storage
  grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema storage
  grant all on sequences to postgres, anon, authenticated, service_role;
alter default privileges for role svc_admin in schema realtime grant all on tables to postgres, dashboard_user;
alter default privileges for role svc_admin in schema realtime grant all on functions to postgres, dashboard_user;
alter default privileges for role svc_admin in schema realtime grant all on sequences to postgres, dashboard_user;
alter default privileges for role svc_admin in schema graphql, graphql_public
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role svc_admin in schema graphql, graphql_public
  grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role svc_admin in schema graphql, graphql_public
  grant all on sequences to postgres, anon, authenticated, service_role;
alter default privileges for role svc_admin in schema extensions grant all on tables to postgres with grant option;
alter default privileges for role svc_admin in schema extensions grant all on functions to postgres with grant option;
alter default privileges for role svc_admin in schema extensions grant all on sequences to postgres with grant option;

set session authorization postgres;
create extension pgcrypto with schema extensions;
create extension "uuid-ossp" with schema extensions;
create extension pg_stat_statements with schema extensions;
create extension svc_vault with schema vault;
create publication svc_realtime;
set session authorization svc_admin;

create function legacy_pooler.get_auth(p_usename text) returns table (username text, password text)
  language sql security definer set search_path = '' as
  $$ select usename::text, passwd::text from pg_catalog.pg_shadow where usename = p_usename $$;
revoke all on function legacy_pooler.get_auth(text) from public;
grant execute on function legacy_pooler.get_auth(text) to "role:legacy_pooler";
