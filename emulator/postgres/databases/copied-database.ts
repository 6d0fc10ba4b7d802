import type { Database } from "./databases";
import { dropLoginRoles } from "./login-roles";

/** Makes a copied database the branch's own: passing logins stay behind, and so do the rows when they are not wanted. */
export async function settleCopy(database: Database, { withData }: { withData: boolean }): Promise<void> {
  await dropLoginRoles(database);
  // One that SQL has set; the branch has a password of its own.
  await database.asPlatform(() => database.exec("alter role postgres password null"));
  if (!withData) {
    const historySchema = database.names("schemas", "svc_migrations");
    await database.asPlatform(() => database.exec(emptyTables(historySchema)));
  }
}

/**
 * Which migrations a schema has is part of the schema; what others keep beside the history is data. Nobody documents it. Of the
 * platform's many tables most are empty, and stay as they are.
 */
const emptyTables = (historySchema: string): string => `
do $$
declare
  candidate record;
  is_used boolean;
  tables text;
begin
  for candidate in
    select format('%I.%I', n.nspname, c.relname) as name, exists (
        select from pg_depend d join pg_class s on s.oid = d.objid
          where d.refobjid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
            and case s.relkind when 'S' then pg_sequence_last_value(s.oid) is not null end) as has_counted
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')
        and (n.nspname, c.relname) <> ('${historySchema}', 'schema_migrations')
  loop
    execute format('select exists (select from %s)', candidate.name) into is_used;
    if is_used or candidate.has_counted then tables := concat_ws(', ', tables, candidate.name); end if;
  end loop;
  if tables is not null then
    set local session_replication_role = replica;
    execute 'truncate ' || tables || ' restart identity cascade';
  end if;
  for tables in select format('%I.%I', schemaname, matviewname) from pg_matviews loop
    execute 'refresh materialized view ' || tables;
  end loop;
end $$;
`;
