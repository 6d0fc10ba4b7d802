-- Roles of a new project (service, A new database). `postgres` is what users run SQL as, and no superuser.
create role postgres login createrole createdb replication bypassrls;
create role anon;
create role authenticated;
create role service_role bypassrls;
create role authenticator login noinherit;
create role dashboard_user createrole createdb replication;
create role svc_auth_admin login noinherit;
create role svc_storage_admin login noinherit createrole;
create role svc_realtime_admin login noinherit createrole replication;
create role svc_replication_admin login replication;
create role svc_etl_admin login replication;
create role svc_read_only_user login bypassrls;
create role "role:legacy_pooler" login;
create role pgtle_admin;

grant anon, authenticated, service_role to authenticator;
grant authenticator to svc_storage_admin;
grant pg_read_all_data to svc_etl_admin, svc_read_only_user;
grant anon, authenticated, service_role, authenticator to postgres with admin option;
-- With the right to grant them on, which every role that creates roles has up to Postgres 15.
grant pg_monitor, pg_read_all_data, pg_signal_backend, pg_create_subscription to postgres with admin option;
grant pgtle_admin to postgres;
-- The service lets `postgres` write policies and drop triggers on tables of these roles. Whoever owns them may do more than
-- that, which `7-guard.sql` refuses.
grant svc_auth_admin, svc_storage_admin, svc_realtime_admin to postgres with inherit true, set false;

alter role svc_admin set search_path = "$user", public, auth, extensions;
alter role svc_admin set log_statement = none;
alter role postgres set search_path = "$user", public, extensions;
alter role postgres set safeupdate.enabled = '0';
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
alter role authenticator set session_preload_libraries = safeupdate;
alter role svc_auth_admin set search_path = auth;
alter role svc_auth_admin set idle_in_transaction_session_timeout = '60000';
alter role svc_auth_admin set log_statement = none;
alter role svc_storage_admin set search_path = storage;
alter role svc_storage_admin set log_statement = none;
alter role svc_realtime_admin set search_path = realtime;

alter database postgres owner to postgres;
alter database postgres set search_path = "$user", public, extensions;

-- Settings of a superuser that the service lets `postgres` set.
grant set on parameter session_replication_role, track_io_timing, log_statement, log_min_messages, log_min_duration_statement,
  log_lock_waits, log_temp_files, log_replication_commands, wal_compression, safeupdate.enabled, auto_explain.log_min_duration,
  auto_explain.log_analyze, auto_explain.log_nested_statements, pg_stat_statements.track, pg_stat_statements.max,
  pgaudit.log, pgaudit.log_catalog, pgaudit.log_client, pgaudit.log_level, pgaudit.log_parameter, pgaudit.log_relation,
  pgaudit.log_rows, pgaudit.log_statement, pgaudit.log_statement_once, pgaudit.role
  to postgres;
