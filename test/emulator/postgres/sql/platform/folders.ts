/** A folder of migrations that is applied whole to a new project's database. */
export interface Folder {
  readonly name: string;
  /** By what they need of a new database, in the order in which they are applied. */
  readonly migrations: Readonly<Record<string, string>>;
  /** What is refused afterwards, with how Postgres begins to say so. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Queries with the rows that they then give. */
  readonly gives?: Readonly<Record<string, readonly object[]>>;
}

const roles: Folder = {
  name: "roles",
  migrations: {
    "roles of the API": `
      create table notes (id int primary key);
      grant select on notes to anon, authenticated;
      grant all on notes to service_role;
      alter table notes enable row level security;
      create policy own on notes to authenticated, anon, service_role, authenticator using (true);
      revoke all on notes from anon`,
    "roles of the platform": `
      grant select on notes to dashboard_user, svc_auth_admin, svc_storage_admin, svc_realtime_admin, svc_replication_admin;
      grant select on notes to svc_etl_admin, svc_read_only_user, svc_admin, legacy_pooler, pgtle_admin;
      alter default privileges in schema public grant select on tables to dashboard_user`,
    "settings of the API's roles": `
      alter role anon set statement_timeout = '10s';
      alter role authenticator set statement_timeout = '10s';
      alter role authenticator set rest.db_aggregates_enabled = 'true'`,
    "a role of one's own": `
      create role reporter login password 'a-password' bypassrls;
      grant pg_read_all_data to reporter;
      create schema reports authorization reporter;
      grant usage on schema public to reporter;
      grant authenticated to reporter;
      grant reporter to postgres;
      alter role reporter set search_path = public`,
    "becoming a role of the API":
      "set local role authenticated; select 1; reset role; set local role service_role",
    "owners of a dump": `
      create schema app authorization postgres;
      alter schema app owner to postgres;
      comment on schema public is 'standard public schema';
      alter table notes owner to postgres;
      alter default privileges for role postgres in schema public grant all on tables to postgres, anon, authenticated, service_role`,
    "settings that the service lets its user set": `
      set session_replication_role = replica;
      set session_replication_role = origin;
      set track_io_timing = on;
      set pgaudit.log = 'write';
      alter role postgres set pgaudit.log = 'ddl';
      select set_config('session_replication_role', 'replica', true)`,
    "a dump's settings": `
      set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
      set client_encoding = 'UTF8'; set standard_conforming_strings = on;
      select pg_catalog.set_config('search_path', '', false);
      set check_function_bodies = false; set xmloption = content; set client_min_messages = warning; set row_security = off;
      set default_tablespace = ''; set default_table_access_method = "heap"`,
  },
  refused: {
    "set role svc_admin": '42501: permission denied to set role "svc_admin"',
    "set role svc_storage_admin": '42501: permission denied to set role "svc_storage_admin"',
    "alter role svc_admin nologin": "42501: permission denied to alter role",
    "alter role svc_auth_admin set search_path = public": "42501: permission denied to alter role",
    "create role mighty superuser": "42501: permission denied to create role",
    "alter role postgres superuser": "42501: permission denied to alter role",
    "alter table notes owner to svc_admin": '42501: must be able to SET ROLE "svc_admin"',
    "alter default privileges for role svc_admin in schema public grant all on tables to anon":
      "42501: permission denied to change default privileges",
    "alter database postgres set app.secret = 'x'": '42501: permission denied to set parameter "app.secret"',
    "alter system set work_mem = '1GB'": "42501: permission denied to set parameter",
    // A statement that the service allows gives the others of its script no further rights.
    "create publication everything for all tables; alter table notes owner to svc_admin":
      '42501: must be able to SET ROLE "svc_admin"',
    "create role mighty superuser; create publication everything for all tables":
      "42501: permission denied to create role",
    "create publication everything for all tables;\n select * from nowhere":
      '42P01: relation "nowhere" does not exist\nLINE 2:  select * from nowhere',
    "copy notes to program 'cat'": "42501: permission denied to COPY to or from an external program",
    "copy notes from program 'cat'": "42501: permission denied to COPY to or from an external program",
    "do $$ begin copy notes to program 'cat'; end $$ -- event trigger":
      "42501: permission denied to COPY to or from an external program",
    // What only names such a statement gives none either.
    "select pg_read_file('/etc/passwd') /* create event trigger */":
      "42501: permission denied for function pg_read_file",
    "select pg_read_file('/etc/passwd') -- create event trigger":
      "42501: permission denied for function pg_read_file",
    "select pg_read_file('/etc/passwd') as \"create event trigger\"":
      "42501: permission denied for function pg_read_file",
    "select pg_read_file('/etc/passwd'), 'create publication p for all tables'":
      "42501: permission denied for function pg_read_file",
    "with event as (select 1) select pg_read_file('/etc/passwd') from event trigger":
      "42501: permission denied for function pg_read_file",
    "do $$ begin /* create event trigger */ perform 'create event trigger', pg_read_file('/etc/passwd'); end $$":
      "42501: permission denied for function pg_read_file",
    "begin; create function f() returns text language sql as 'select 1 /* create event trigger */'; select pg_read_file('/etc/passwd')":
      "42501: permission denied for function pg_read_file",
    "copy notes to '/tmp/notes'": "42501: permission denied to COPY to a file",
    "create tablespace fast location '/tmp/fast'": '42501: permission denied to create tablespace "fast"',
    "select pg_read_file('/etc/passwd')": "42501: permission denied for function pg_read_file",
    "create function c() returns int language c as 'x'": "42501: permission denied for language c",
  },
  gives: {
    "select current_user, session_user, rolsuper from pg_roles where rolname = current_user": [
      { current_user: "postgres", session_user: "postgres", rolsuper: false },
    ],
    "select rolcanlogin, rolinherit, rolbypassrls, rolconfig from pg_roles where rolname = 'service_role'": [
      { rolcanlogin: false, rolinherit: true, rolbypassrls: true, rolconfig: null },
    ],
    "select current_setting('search_path') as path": [{ path: '"$user", public, extensions' }],
    "select current_setting('pgaudit.log') as log": [{ log: "ddl" }],
    "select current_setting('wal_level') as level": [{ level: "logical" }],
  },
};

const schemas: Folder = {
  name: "schemas and privileges",
  migrations: {
    "usage of the platform's schemas": `
      grant usage on schema storage to authenticated;
      grant usage on schema realtime to authenticated;
      grant usage on schema vault to service_role;
      grant usage on schema public to anon, authenticated, service_role;
      grant usage on schema extensions to anon`,
    "privileges that public objects begin with": `
      create table things (id serial primary key);
      create function greet() returns text language sql as $$ select 'hello' $$`,
    "a view on users": `
      create view members as select id, email, raw_user_meta_data ->> 'name' as name from auth.users;
      grant select on auth.users to service_role`,
    "what postgres makes for the extensions' schema":
      "create function extensions.own() returns int language sql as 'select 1'",
    "event triggers": `
      create function tell() returns event_trigger language plpgsql as $$ begin raise notice '%', tg_tag; end $$;
      create event trigger tell_ddl on ddl_command_end when tag in ('CREATE TABLE') execute function tell();
      alter event trigger tell_ddl owner to postgres;
      alter event trigger tell_ddl disable;
      alter event trigger tell_ddl enable;
      comment on event trigger tell_ddl is 'tells'`,
    "event triggers that a block makes": `
      do $$ begin
        if not exists (select from pg_event_trigger where evtname = 'tell_more') then
          create event trigger tell_more on sql_drop execute function tell();
        end if;
      end $$;
      drop event trigger tell_more;
      do $$ begin execute 'create event trigger tell_' || 'more on sql_drop execute function tell()'; end $$;
      do 'begin execute format(''drop event trigger %I'', ''tell_more''); end'`,
    "publications for all tables": `
      create publication everything for all tables;
      create publication partial for tables in schema public;
      drop publication everything`,
    "wrappers without a handler": `
      create foreign data wrapper nothing;
      create server nowhere foreign data wrapper nothing;
      create foreign table far (id int) server nowhere`,
    "what a user owns, renamed and dropped":
      "alter table things rename to objects; drop table objects; drop function greet()",
  },
  refused: {
    "create table auth.mine (id int)": "42501: permission denied for schema auth",
    "create table storage.mine (id int)": "42501: permission denied for schema storage",
    "create table realtime.mine as select 1 as id": "42501: permission denied for schema realtime",
    "create function storage.mine() returns int language sql as 'select 1'":
      "42501: permission denied for schema storage",
    "create or replace function auth.uid() returns uuid language sql as 'select null::uuid'":
      "42501: permission denied for schema auth",
    "create view auth.mine as select 1": "42501: permission denied for schema auth",
    "create type auth.mine as enum ('a')": "42501: permission denied for schema auth",
    "do $$ begin create table auth.mine (id int); end $$": "42501: permission denied for schema auth",
    "create table mine (id int); alter table mine set schema storage":
      "42501: permission denied for schema storage",
    "create table vault.mine (id int)": "42501: permission denied for schema vault",
    "create table graphql_public.mine (id int)": "42501: permission denied for schema graphql_public",
    "drop schema auth cascade": "42501: must be owner of schema auth",
    "alter schema storage rename to files": "42501: must be owner of schema storage",
    "insert into vault.secrets (secret) values ('x')": "42501: permission denied for table secrets",
  },
  gives: {
    [`select has_table_privilege('anon', 'public.far', 'insert') as anon, has_table_privilege('service_role', 'public.far', 'delete') as service`]:
      [{ anon: true, service: true }],
    "select evtname from pg_event_trigger where evtowner = 'postgres'::regrole": [{ evtname: "tell_ddl" }],
    "select rolsuper from pg_roles where rolname = 'postgres'": [{ rolsuper: false }],
    "select nspname, nspowner::regrole::text as owner from pg_namespace where nspname in ('public', 'auth', 'extensions') order by 1":
      [
        { nspname: "auth", owner: "svc_admin" },
        { nspname: "extensions", owner: "postgres" },
        { nspname: "public", owner: "pg_database_owner" },
      ],
  },
};

const auth: Folder = {
  name: "auth",
  migrations: {
    "a foreign key to users": `
      create table profiles (id uuid primary key references auth.users on delete cascade, name text);
      alter table profiles enable row level security`,
    "claims of the request": `
      create policy own on profiles using ((select auth.uid()) = id);
      create policy staff on profiles using (auth.jwt() ->> 'role' = 'staff' or auth.role() = 'service_role');
      create policy mail on profiles using (auth.email() = name)`,
    "a trigger on users": `
      create function public.on_user() returns trigger language plpgsql security definer set search_path = '' as $$
      begin
        insert into public.profiles (id, name) values (new.id, new.raw_user_meta_data ->> 'name');
        return new;
      end $$;
      create trigger on_user after insert on auth.users for each row execute function public.on_user();
      drop trigger if exists on_user on auth.users;
      create or replace trigger on_user after insert on auth.users for each row execute procedure public.on_user()`,
    "a trigger that a block makes": `
      do $$ begin
        drop trigger on_user on auth.users;
        create trigger on_user after insert on auth.users for each row execute function public.on_user();
      end $$`,
    "policies on tables of the service": `
      create policy "reads users" on auth.users for select to service_role using (true);
      alter policy "reads users" on auth.users using (false);
      drop policy "reads users" on auth.users;
      create policy a on auth.identities using (false);
      create policy a on auth.sessions using (false);
      create policy a on auth.refresh_tokens using (false);
      create policy a on auth.audit_log_entries using (false);
      do $$ begin create policy b on auth.users using (false); end $$`,
    "users of a seed": `
      insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
          raw_user_meta_data, created_at, updated_at, confirmation_token, email_change, email_change_token_new, recovery_token)
        values ('00000000-0000-0000-0000-000000000000', '6d7a2a1c-30cf-4b4f-9b4b-1d5b3a8c0e11', 'authenticated', 'authenticated',
          'ada@example.com', crypt('a-password', gen_salt('bf')), now(), '{"provider": "email", "providers": ["email"]}',
          '{"name": "Ada"}', now(), now(), '', '', '', '');
      insert into auth.identities (id, user_id, provider_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
        values (gen_random_uuid(), '6d7a2a1c-30cf-4b4f-9b4b-1d5b3a8c0e11', 'ada', '{"email": "Ada@example.com"}', 'email', now(), now(),
          now());
      update auth.users set phone = '1' where email = 'ada@example.com'`,
    "every table": `
      select from auth.audit_log_entries, auth.custom_oauth_providers, auth.flow_state, auth.instances, auth.mfa_amr_claims,
        auth.mfa_challenges, auth.mfa_factors, auth.oauth_authorizations, auth.oauth_client_states, auth.oauth_clients,
        auth.oauth_consents, auth.one_time_tokens, auth.refresh_tokens, auth.saml_providers, auth.saml_relay_states,
        auth.schema_migrations, auth.sessions, auth.sso_domains, auth.sso_providers, auth.webauthn_challenges,
        auth.webauthn_credentials;
      select 'aal1'::auth.aal_level, 'totp'::auth.factor_type, 'verified'::auth.factor_status, 's256'::auth.code_challenge_method,
        'recovery_token'::auth.one_time_token_type`,
  },
  refused: {
    "alter table auth.users add column nick text": "42501: must be owner of table users",
    "alter table auth.users enable row level security": "42501: must be owner of table users",
    "alter table auth.users disable trigger user": "42501: must be owner of table users",
    "create index on auth.users (created_at)": "42501: must be owner of table users",
    "create unique index one on auth.users (email)": "42501: must be owner of table users",
    "comment on table auth.users is 'mine'": "42501: must be owner of table users",
    "comment on column auth.users.email is 'mine'": "42501: must be owner of table users",
    "drop table auth.users cascade": "42501: must be owner of table users",
    "drop function auth.email() cascade": "42501: must be owner of function email",
    "drop type auth.factor_type cascade": "42501: must be owner of type factor_type",
    "alter table auth.users drop constraint users_phone_key": "42501: must be owner of table users",
    "alter type auth.factor_type add value 'face'": "42501: must be owner of type factor_type",
    "alter function auth.uid() volatile": "42501: must be owner of function uid",
    "insert into auth.schema_migrations values ('1')": "42501: permission denied for table schema_migrations",
    "insert into auth.users (email) values ('x')": "23502: null value in column",
  },
  gives: {
    "select name from profiles": [{ name: "Ada" }],
    "select email, confirmed_at is not null as confirmed, is_sso_user, email_change_confirm_status from auth.users":
      [{ email: "ada@example.com", confirmed: true, is_sso_user: false, email_change_confirm_status: 0 }],
    "select email from auth.identities": [{ email: "ada@example.com" }],
    "select auth.uid() as uid, auth.jwt() as jwt, auth.role() as role, auth.email() as email": [
      { uid: null, jwt: null, role: null, email: null },
    ],
    [`select set_config('request.jwt.claims', '{"sub": "6d7a2a1c-30cf-4b4f-9b4b-1d5b3a8c0e11", "role": "anon"}', false)
      is null as unset; select auth.uid()::text as uid, auth.role() as role`]: [
      { uid: "6d7a2a1c-30cf-4b4f-9b4b-1d5b3a8c0e11", role: "anon" },
    ],
    "select tableowner, rowsecurity from pg_tables where schemaname = 'auth' and tablename = 'users'": [
      { tableowner: "svc_auth_admin", rowsecurity: true },
    ],
  },
};

const storage: Folder = {
  name: "storage",
  migrations: {
    "buckets of a migration": `
      insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
        values ('avatars', 'avatars', true, 1048576, array['image/png']) on conflict (id) do nothing;
      insert into storage.buckets (id, name) values ('files', 'files');
      update storage.buckets set public = false where id = 'files'`,
    "policies on objects": `
      create policy "own folder" on storage.objects for insert to authenticated
        with check (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text);
      create policy "images" on storage.objects for select using (storage.extension(name) = 'png' and storage.filename(name) <> '');
      create policy "listing" on storage.objects for select using (storage.operation() = 'object.list'
        or storage.allow_only_operation('object.list') or storage.allow_any_operation(array['object.list', 'object.get']));
      create policy "owned" on storage.objects for delete using (owner_id = (select auth.uid())::text);
      alter policy "images" on storage.objects to authenticated;
      drop policy if exists "listing" on storage.objects;
      create policy "buckets" on storage.buckets for select using (true);
      create policy "uploads" on storage.s3_multipart_uploads using (true);
      create policy "parts" on storage.s3_multipart_uploads_parts using (true)`,
    "a trigger on objects": `
      create function public.count_object() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger count_object after insert on storage.objects for each row execute function public.count_object();
      drop trigger count_object on storage.objects`,
    "objects of a seed": `
      insert into storage.objects (bucket_id, name, owner, metadata) values
        ('files', 'reports/2026/a.pdf', null, '{"size": 10}'), ('files', 'b.txt', null, '{"size": 5}')`,
    "a table that refers to objects":
      "create table uploads (object_id uuid references storage.objects (id) on delete cascade)",
    "every table": `
      select from storage.buckets_analytics, storage.buckets_vectors, storage.iceberg_namespaces, storage.iceberg_tables,
        storage.migrations, storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts, storage.vector_indexes;
      select 'STANDARD'::storage.buckettype`,
    "an insert that is only tried": "select storage.can_insert_object('files', 'c.txt', null, '{}')",
    "a delete that is allowed": `
      set storage.allow_delete_query = 'true';
      delete from storage.objects where name = 'nothing';
      reset storage.allow_delete_query`,
  },
  refused: {
    "alter table storage.objects enable row level security": "42501: must be owner of table objects",
    "alter table storage.objects add column note text": "42501: must be owner of table objects",
    "create index on storage.objects (owner)": "42501: must be owner of table objects",
    "comment on table storage.buckets is 'mine'": "42501: must be owner of table buckets",
    "delete from storage.objects": "42501: Direct deletion from storage tables is not allowed",
    "delete from storage.buckets where id = 'files'":
      "42501: Direct deletion from storage tables is not allowed",
    "drop function storage.foldername(text) cascade": "42501: must be owner of function foldername",
    "drop trigger protect_objects_delete on storage.objects; drop index storage.bname":
      "42501: must be owner of index bname",
    "insert into storage.migrations values (1, 'a', 'b')": "42501: permission denied for table migrations",
    [`insert into storage.buckets (id, name) values ('long', repeat('x', 101))`]: "P0001: bucket name",
    [`select storage.can_insert_object('nowhere', 'c.txt', null, '{}')`]: "23503:",
  },
  gives: {
    [`select storage.foldername('a/b/c.png') as folders, storage.filename('a/b/c.png') as file, storage.extension('a/b/c.tar.gz') as ext,
      storage.foldername('c.png') as none`]: [{ folders: ["a", "b"], file: "c.png", ext: "gz", none: [] }],
    "select name, id is null as is_folder from storage.search('', 'files')": [
      { name: "reports", is_folder: true },
      { name: "b.txt", is_folder: false },
    ],
    "select bucket_id, size from storage.get_size_by_bucket()": [{ bucket_id: "files", size: 15 }],
    "select path_tokens from storage.objects where name like 'reports%'": [
      { path_tokens: ["reports", "2026", "a.pdf"] },
    ],
    "select count(*) from storage.objects": [{ count: 2 }],
    "truncate storage.objects cascade; select count(*) from storage.objects": [{ count: 0 }],
  },
};

const realtime: Folder = {
  name: "realtime",
  migrations: {
    "tables of the publication": `
      create table chats (id int primary key, text text);
      alter publication svc_realtime add table public.chats;
      alter publication svc_realtime owner to postgres`,
    "a publication that is made anew": `
      begin;
      drop publication if exists svc_realtime;
      create publication svc_realtime;
      commit;
      alter publication svc_realtime add table chats`.replaceAll(/\b(?:begin|commit);/g, ""),
    "a table that is there already": `
      do $$ begin
        alter publication svc_realtime add table chats;
      exception when duplicate_object then null;
      end $$`,
    "policies on messages": `
      create policy "may listen" on realtime.messages for select to authenticated using (realtime.topic() = 'room'
        and realtime.messages.extension in ('broadcast', 'presence'));
      create policy "may speak" on realtime.messages for insert to authenticated with check (true);
      alter policy "may speak" on realtime.messages with check (realtime.topic() like 'room:%');
      drop policy "may speak" on realtime.messages`,
    "changes that are broadcast": `
      create function tell_chats() returns trigger language plpgsql security definer as $$
      begin
        perform realtime.broadcast_changes('chats:' || new.id, tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
        return null;
      end $$;
      create trigger tell after insert on chats for each row execute function tell_chats();
      insert into chats values (1, 'hello');
      select realtime.send('{"a": 1}', 'event', 'room', false)`,
    "every table": "select from realtime.messages, realtime.subscription, realtime.schema_migrations",
  },
  refused: {
    "alter publication svc_realtime add table chats":
      '42710: relation "chats" is already member of publication',
    "alter table realtime.messages enable row level security": "42501: must be owner of table messages",
    "create index on realtime.messages (topic)": "42501: must be owner of table messages",
    "drop function realtime.topic() cascade": "42501: must be owner of function topic",
  },
  gives: {
    "select pubname, tablename from pg_publication_tables": [{ pubname: "svc_realtime", tablename: "chats" }],
    "select topic, event, extension, private, payload ->> 'operation' as operation from realtime.messages order by inserted_at, topic":
      [
        { topic: "chats:1", event: "INSERT", extension: "broadcast", private: true, operation: "INSERT" },
        { topic: "room", event: "event", extension: "broadcast", private: false, operation: null },
      ],
  },
};

const preinstalled: Folder = {
  name: "extensions that are there",
  migrations: {
    "created again": `
      create extension if not exists pgcrypto;
      create extension if not exists "uuid-ossp" with schema extensions;
      create extension if not exists "pg_stat_statements" with schema "extensions";
      create extension if not exists svc_vault with schema vault;
      create extension if not exists plpgsql with schema pg_catalog;
      comment on extension pgcrypto is 'cryptographic functions'`,
    "functions with and without their schema": `
      create table tokens (id uuid primary key default uuid_generate_v4(), code text default encode(gen_random_bytes(8), 'hex'));
      alter table tokens alter id set default extensions.uuid_generate_v4();
      insert into tokens default values;
      select digest('a', 'sha256'), extensions.digest('a', 'sha256'), crypt('a', gen_salt('bf')), extensions.gen_random_uuid()`,
    statistics:
      "select count(*) from pg_stat_statements; select extensions.pg_stat_statements_reset() is null",
    secrets: `
      select vault.create_secret('s3cret', 'api', 'of the API');
      select vault.update_secret((select id from vault.secrets where name = 'api'), 'n3w');
      create function api_key() returns text language sql security definer as
        $$ select decrypted_secret from vault.decrypted_secrets where name = 'api' $$;
      grant select on vault.decrypted_secrets to service_role`,
    "graphql that is not installed": "select graphql_public.graphql(query => '{ a }')",
    "extensions that move": `
      create extension unaccent with schema public;
      alter extension unaccent set schema extensions;
      do $$ begin alter extension unaccent set schema public; end $$;
      drop extension unaccent`,
    "extensions that are dropped and come back": `
      drop extension if exists pgcrypto cascade;
      create extension pgcrypto with schema extensions`,
  },
  refused: {
    "create extension pgcrypto": '42710: extension "pgcrypto" already exists',
    "select vault.create_secret('x', 'api')": "23505:",
    "create extension nowhere": '0A000: extension "nowhere" is not available',
    "create extension timescaledb": '0A000: extension "timescaledb" is not available',
    "create extension pg_logicalinspect": '0A000: extension "pg_logicalinspect" is not available',
    "create extension postgis": '0A000: extension "postgis" is not available',
    "create extension pg_net version '0.1'":
      '22023: extension "pg_net" has no installation script nor update path for version "0.1"',
  },
  gives: {
    "select extname, extnamespace::regnamespace::text as schema from pg_extension order by 1": [
      { extname: "pg_stat_statements", schema: "extensions" },
      { extname: "pgcrypto", schema: "extensions" },
      { extname: "plpgsql", schema: "pg_catalog" },
      { extname: "svc_vault", schema: "vault" },
      { extname: "uuid-ossp", schema: "extensions" },
    ],
    "select api_key(), secret = 'n3w' as is_clear, description from vault.secrets": [
      { api_key: "n3w", is_clear: false, description: "of the API" },
    ],
    "select graphql_public.graphql(query => '{ a }') -> 'errors' -> 0 ->> 'message' is not null as refused": [
      { refused: true },
    ],
  },
};

const declared: Folder = {
  name: "extensions of SQL alone",
  migrations: {
    jobs: `
      create extension if not exists pg_cron with schema extensions;
      grant usage on schema cron to postgres;
      grant all privileges on all tables in schema cron to postgres;
      select cron.schedule('nightly', '0 3 * * *', $$ select 1 $$);
      select cron.schedule('nightly', '0 4 * * *', 'select 2');
      select cron.schedule('*/5 * * * *', 'vacuum');
      select cron.schedule('often', '30 seconds', 'select 3');
      select cron.unschedule('often');
      select cron.alter_job((select jobid from cron.job where jobname = 'nightly'), active => false);
      comment on extension pg_cron is 'Job scheduler for PostgreSQL'`,
    "jobs in a schema that is not there": `
      drop extension pg_cron cascade;
      create extension pg_cron with schema cron;
      do $$ begin
        perform cron.unschedule(jobid) from cron.job;
        perform cron.schedule('weekly', '@weekly', 'select 1');
      end $$`,
    requests: `
      create extension if not exists pg_net with schema extensions version '0.7.1';
      select net.http_post('https://example.com/hook', '{"a": 1}'::jsonb, '{"q": "a b"}', '{}', 1000);
      select net.http_get(url := 'https://example.com', headers := '{"x": "y"}');
      select net.http_delete('https://example.com/1');
      grant execute on function net.http_post to service_role`,
    "a trigger that requests": `
      create table orders (id int primary key);
      create function tell_order() returns trigger language plpgsql security definer as $$
      begin
        perform net.http_post(url := 'https://example.com', body := to_jsonb(new));
        return new;
      end $$;
      create trigger tell after insert on orders for each row execute function tell_order();
      insert into orders values (1)`,
    "requests that wait": `
      create extension http with schema extensions version '1.5';
      select extensions.urlencode('a b&c'), extensions.http_header('a', 'b'), extensions.text_to_bytea('a'),
        extensions.http_set_curlopt('CURLOPT_TIMEOUT', '1');
      grant all on function extensions.http(extensions.http_request) to dashboard_user;
      grant all on function extensions.http_get(uri varchar), extensions.http_post(uri varchar, content varchar, content_type varchar)
        to anon`,
    graphql: `
      create extension if not exists pg_graphql with schema graphql;
      select graphql.resolve('{ a }'), graphql_public.graphql(null, '{ a }', null, null);
      comment on schema public is e'@graphql({"inflect_names": true})'`,
    tokens: `
      create extension if not exists pgjwt with schema extensions;
      select extensions.sign('{"sub": "1"}', 'secret'), valid from extensions.verify(extensions.sign('{"sub": "1"}', 'secret'), 'secret')`,
    keys: `
      create schema if not exists crypto_ext;
      create extension if not exists crypto_ext with schema crypto_ext;
      select id from crypto_ext.create_key(name => 'main')`,
    "schemas of JSON": `
      create extension pg_jsonschema with schema extensions;
      create table documents (body json check (extensions.json_matches_schema('{"type": "object"}', body)))`,
    "what only has to be there": `
      create extension if not exists hypopg; create extension if not exists index_advisor; create extension if not exists pgaudit;
      create extension if not exists plpgsql_check; create extension if not exists pg_stat_monitor;
      create extension if not exists pg_repack; create extension if not exists pg_partman; create extension if not exists pg_tle;
      create extension if not exists wrappers with schema extensions; create extension if not exists pgroonga;
      create extension if not exists pgroonga_database; create extension if not exists rum; create extension if not exists pgrouting;
      create extension if not exists dblink; create extension if not exists pg_prewarm; create extension if not exists pgstattuple;
      create extension if not exists pgrowlocks; create extension if not exists sslinfo; create extension if not exists xml2;
      create extension if not exists intagg; create extension if not exists address_standardizer;
      create extension if not exists address_standardizer_data_us; create extension if not exists wal2json`,
    "foreign servers": `
      create extension postgres_fdw;
      create server other foreign data wrapper postgres_fdw options (host 'example.com');
      create user mapping for postgres server other options (user 'a', password 'b');
      create foreign table other_things (id int) server other`,
    "what goes again":
      "drop extension hypopg cascade; drop extension if exists pgaudit, wrappers; alter extension rum update",
  },
  refused: {
    "select cron.schedule('bad', 'every day', 'select 1')": "P0001: invalid schedule: every day",
    "select cron.schedule('bad', '61 * * * *', 'select 1')": "P0001: invalid schedule: 61 * * * *",
    "select cron.unschedule('nothing')": "P0001: could not find valid entry for job 'nothing'",
    "select extensions.http_get('https://example.com')": "P0001: Could not resolve host: example.com",
    "create index on orders using rum (id)": '42704: access method "rum" does not exist',
    "insert into cron.job (schedule, command) values ('* * * * *', 'x')":
      "42501: permission denied for table job",
  },
  gives: {
    "select jobname, schedule, command, username, active, database from cron.job": [
      {
        jobname: "weekly",
        schedule: "@weekly",
        command: "select 1",
        username: "postgres",
        active: true,
        database: "postgres",
      },
    ],
    "select method, url, timeout_milliseconds from net.http_request_queue order by id": [
      { method: "POST", url: "https://example.com/hook?q=a%20b", timeout_milliseconds: 1000 },
      { method: "GET", url: "https://example.com", timeout_milliseconds: 5000 },
      { method: "DELETE", url: "https://example.com/1", timeout_milliseconds: 5000 },
      { method: "POST", url: "https://example.com", timeout_milliseconds: 5000 },
    ],
    "select extname, extversion, extnamespace::regnamespace::text as schema from pg_extension where extname in ('pg_cron', 'pg_net', 'http') order by 1":
      [
        { extname: "http", extversion: "1.5", schema: "extensions" },
        { extname: "pg_cron", extversion: "1.6", schema: "pg_catalog" },
        { extname: "pg_net", extversion: "0.7.1", schema: "extensions" },
      ],
    "select has_schema_privilege('anon', 'net', 'usage') as net": [{ net: true }],
  },
};

const built: Folder = {
  name: "extensions with a build",
  migrations: {
    vectors: `
      create extension if not exists vector with schema extensions version '0.8.0';
      create table pages (id int primary key, embedding vector(3), small extensions.halfvec(3), sparse extensions.sparsevec(3));
      create index on pages using hnsw (embedding vector_cosine_ops);
      create index on pages using ivfflat (embedding vector_l2_ops) with (lists = 1);
      insert into pages (id, embedding) values (1, '[1,2,3]')`,
    queues: `
      create extension if not exists pgmq version '1.4.4';
      select pgmq.create('jobs');
      select pgmq.send('jobs', '{"a": 1}');
      alter table pgmq.q_jobs enable row level security;
      create schema pgmq_public;
      create function pgmq_public.pop(queue_name text) returns setof pgmq.message_record language sql as
        $$ select * from pgmq.pop(queue_name) $$`,
    "tests and ids": `
      create extension pgtap with schema extensions;
      create extension pg_hashids with schema extensions;
      select extensions.id_encode(1)`,
    "those of Postgres": `
      create extension pg_trgm; create extension citext with schema extensions; create extension hstore; create extension ltree;
      create extension unaccent; create extension btree_gin; create extension btree_gist; create extension fuzzystrmatch;
      create extension moddatetime with schema extensions; create extension intarray; create extension cube;
      create extension earthdistance; create extension tablefunc; create extension bloom; create extension seg;
      create extension isn; create extension lo; create extension dict_int; create extension dict_xsyn; create extension tcn;
      create extension amcheck; create extension pageinspect; create extension pg_buffercache; create extension pg_freespacemap;
      create extension pg_surgery; create extension pg_visibility; create extension pg_walinspect;
      create extension tsm_system_rows; create extension tsm_system_time; create extension autoinc;
      create extension insert_username; create extension refint; create extension file_fdw`,
    "what they offer":
      `
      create table names (id int, name extensions.citext, changed timestamptz, tags hstore, path ltree, exclude using gist (id with =));
      create index on names using gin (unaccent(name::text) gin_trgm_ops);`.replace(
        "unaccent(name::text)",
        "(name::text)",
      ) +
      `
      create trigger changed before update on names for each row execute function extensions.moddatetime(changed);
      select similarity('a', 'b'), levenshtein('a', 'b'), earth_distance(ll_to_earth(0, 0), ll_to_earth(1, 1))`,
  },
  gives: {
    "select embedding <-> '[1,2,4]' as distance from pages": [{ distance: 1 }],
    "select message from pgmq_public.pop('jobs')": [{ message: { a: 1 } }],
    "select queue_name from pgmq.list_queues()": [{ queue_name: "jobs" }],
    "select extversion from pg_extension where extname in ('vector', 'pgmq') order by extname": [
      { extversion: "1.4.4" },
      { extversion: "0.8.0" },
    ],
  },
};

export const folders: readonly Folder[] = [
  roles,
  schemas,
  auth,
  storage,
  realtime,
  preinstalled,
  declared,
  built,
];
