-- `postgres` may write policies and triggers on tables of auth, storage and realtime, as the service allows, by a membership that
-- lets it do more. This refuses the rest, in the words of Postgres. It lies in pg_catalog, where no dump and no difference
-- looks.
create function pg_catalog.refuse_platform_change(schema_name text, object_type text, object_name text, is_new boolean) returns void
  language plpgsql as $$
begin
  if is_new then
    raise exception 'permission denied for schema %', schema_name using errcode = '42501';
  end if;
  raise exception 'must be owner of % %', object_type, object_name using errcode = '42501';
end $$;

create function pg_catalog.guard_platform_objects() returns event_trigger language plpgsql set search_path = pg_catalog as $$
declare
  changed record;
begin
  if current_user in ('svc_admin', 'svc_auth_admin', 'svc_storage_admin', 'svc_realtime_admin') then return; end if;
  -- Nearly every statement ends here.
  if not exists (select from pg_event_trigger_ddl_commands() c where c.schema_name in ('auth', 'storage', 'realtime')) then
    return;
  end if;
  for changed in
    select n.nspname, c.command_tag, c.classid, c.object_type, coalesce(t.relname, p.proname, y.typname, x.stxname) as name,
        coalesce(t.relkind = 'i' or t.relkind = 'I', false) as is_index, ix.relname as indexed,
        coalesce(t.relowner, p.proowner, y.typowner, x.stxowner) = current_user::regrole as is_own
      from pg_event_trigger_ddl_commands() c
        join pg_namespace n on n.nspname = c.schema_name
        left join pg_class t on c.classid = 'pg_class'::regclass and t.oid = c.objid
        left join pg_index i on i.indexrelid = t.oid
        left join pg_class ix on ix.oid = i.indrelid
        left join pg_proc p on c.classid = 'pg_proc'::regclass and p.oid = c.objid
        left join pg_type y on c.classid = 'pg_type'::regclass and y.oid = c.objid
        left join pg_statistic_ext x on c.classid = 'pg_statistic_ext'::regclass and x.oid = c.objid
      where n.nspname in ('auth', 'storage', 'realtime') and not c.in_extension
        and c.classid not in ('pg_policy'::regclass, 'pg_trigger'::regclass)
  loop
    if changed.is_index and changed.command_tag = 'CREATE INDEX' then
      perform refuse_platform_change(changed.nspname, 'table', changed.indexed, false);
    end if;
    perform refuse_platform_change(changed.nspname, split_part(changed.object_type, ' ', 1), changed.name,
      changed.is_own or changed.command_tag ~ '^CREATE|^SELECT INTO');
  end loop;
end $$;
create event trigger guard_platform_objects on ddl_command_end
  when tag in ('ALTER AGGREGATE', 'ALTER COLLATION', 'ALTER DOMAIN', 'ALTER FUNCTION', 'ALTER INDEX', 'ALTER MATERIALIZED VIEW',
    'ALTER OPERATOR', 'ALTER PROCEDURE', 'ALTER ROUTINE', 'ALTER SEQUENCE', 'ALTER TABLE', 'ALTER TYPE', 'ALTER VIEW', 'COMMENT',
    'CREATE AGGREGATE', 'CREATE COLLATION', 'CREATE DOMAIN', 'CREATE FOREIGN TABLE', 'CREATE FUNCTION', 'CREATE INDEX',
    'CREATE MATERIALIZED VIEW', 'CREATE OPERATOR', 'CREATE PROCEDURE', 'CREATE RULE', 'CREATE SEQUENCE', 'CREATE STATISTICS',
    'CREATE TABLE', 'CREATE TABLE AS', 'CREATE TYPE', 'CREATE VIEW', 'SELECT INTO')
  execute function pg_catalog.guard_platform_objects();

create function pg_catalog.guard_platform_drops() returns event_trigger language plpgsql set search_path = pg_catalog as $$
declare
  dropped record;
begin
  if current_user in ('svc_admin', 'svc_auth_admin', 'svc_storage_admin', 'svc_realtime_admin') then return; end if;
  for dropped in
    select * from pg_event_trigger_dropped_objects() d
      where d.original and (d.schema_name in ('auth', 'storage', 'realtime') or d.address_names[1] in ('auth', 'storage', 'realtime'))
        and d.object_type not in ('policy', 'trigger', 'rule', 'schema', 'extension')
  loop
    perform refuse_platform_change(dropped.schema_name, split_part(dropped.object_type, ' ', 1),
      coalesce(dropped.address_names[2], dropped.object_name), false);
  end loop;
end $$;
create event trigger guard_platform_drops on sql_drop execute function pg_catalog.guard_platform_drops();
