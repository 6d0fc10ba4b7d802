import type { Database } from "./databases";
import { dropLoginRoles } from "./login-roles";

/** Makes a copied database the branch's own: passing logins stay behind, and so do the rows when they are not wanted. */
export async function settleCopy(database: Database, { withData }: { withData: boolean }): Promise<void> {
  await dropLoginRoles(database);
  if (!withData) await database.exec(emptyTables(database.historySchema));
}

/** Schema of the history of migrations where no names file names it (service, Migrations). */
export const HISTORY_SCHEMA = "svc_migrations";

/** Which migrations a schema has is part of the schema; what others keep beside the history is data. Nobody documents it. */
const emptyTables = (historySchema: string): string => `
do $$
declare tables text;
begin
  select string_agg(format('%I.%I', schemaname, tablename), ', ') into tables from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')
      and (schemaname, tablename) <> ('${historySchema}', 'schema_migrations');
  if tables is not null then
    set local session_replication_role = replica;
    execute 'truncate ' || tables || ' restart identity cascade';
  end if;
  for tables in select format('%I.%I', schemaname, matviewname) from pg_matviews loop
    execute 'refresh materialized view ' || tables;
  end loop;
end $$;
`;
