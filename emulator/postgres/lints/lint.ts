import type { Database } from "../databases/databases";
import { platformSchemas } from "../sql/platform/new-database";

/** A query of the catalog for one kind of fault. */
export interface SqlLint<Name extends string = string> {
  readonly name: Name;
  readonly title: string;
  readonly level: "ERROR" | "WARN" | "INFO";
  readonly description: string;
  readonly remediation: string;
  /**
   * Gives one row per `Finding`. Beside the catalog it can ask `own` and `exposed` (oid and name of the schemas that are
   * the user's, and of those that the REST layer offers), `members` (classid and objid of what extensions brought),
   * `reached` (oid of each relation that `anon` or `authenticated` may read) and `policies` (of the user's tables).
   */
  readonly sql: string;
}

/** One thing that a lint found. */
export interface Finding {
  readonly schema: string;
  /** Name of the table, view, function or extension. */
  readonly name: string;
  readonly type: "table" | "view" | "function" | "extension";
  readonly detail: string;
  /** Tells it from other findings about the same thing. */
  readonly part?: string;
  readonly fkey_name?: string;
  readonly fkey_columns?: readonly number[];
}

export interface LintResult<Lint extends SqlLint> {
  readonly lint: Lint;
  readonly finding: Finding;
}

/** Runs one lint after the other; what they find comes in a fixed order. */
export async function runLints<Lint extends SqlLint>(
  database: Database,
  lints: readonly Lint[],
  exposedSchemas: readonly string[],
): Promise<LintResult<Lint>[]> {
  const othersSchemas = platformSchemas(database.names);
  // With an empty path the catalog gives every name qualified.
  await database.exec("set search_path = ''");
  const found: LintResult<Lint>[] = [];
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

/** What the queries of several lints begin with. */
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
), policies as (
  select s.name as schema, c.relname as "table", c.relrowsecurity as "rowSecurity", p.polname as name,
      p.polpermissive as permissive, p.polcmd::text as command, p.polroles as roles,
      concat_ws(' ', pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid)) as expressions
    from pg_policy p
      join pg_class c on c.oid = p.polrelid
      join own s on s.oid = c.relnamespace
    where ('pg_class'::regclass, c.oid) not in (select classid, objid from members)
)
`;
