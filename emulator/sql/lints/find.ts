import type { Database } from "../databases";
import { platformSchemas } from "../platform/new-database";
import type { Finding, SqlLint } from "./lint";

export interface Found<Lint extends SqlLint> {
  readonly lint: Lint;
  readonly finding: Finding;
}

/** Runs one lint after the other; what they find comes in a fixed order. */
export async function find<Lint extends SqlLint>(
  database: Database,
  lints: readonly Lint[],
  exposedSchemas: readonly string[],
): Promise<Found<Lint>[]> {
  const othersSchemas = platformSchemas(database.names);
  // With an empty path the catalog gives every name qualified.
  await database.exec("set search_path = ''");
  const found: Found<Lint>[] = [];
  for (const lint of lints) {
    const { rows } = await database.query<{ finding: Finding }>(
      `${common} select to_jsonb(found) as finding from (${lint.sql}) found
        order by found.schema collate "C", found.name collate "C", to_jsonb(found)::text`,
      [othersSchemas, exposedSchemas],
    );
    found.push(...rows.map(({ finding }) => ({ lint, finding })));
  }
  return found;
}

const common = `
with own as (
  select oid, nspname as name from pg_namespace
    where nspname !~ '^pg_' and nspname <> 'information_schema' and nspname <> all($1::text[])
), exposed as (
  select oid, name from own where name = any($2::text[])
), members as (
  select classid, objid from pg_depend where deptype = 'e'
), reached as (
  select oid from pg_class
    where relkind in ('r', 'p', 'v', 'm', 'f')
      and (has_table_privilege('anon', oid, 'select') or has_table_privilege('authenticated', oid, 'select'))
)
`;
