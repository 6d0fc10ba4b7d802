import type { SqlLint } from "./lint";

/**
 * `unused_index` is not among them: the embedded Postgres forgets its statistics whenever it sleeps, so that every index
 * would look unused.
 */
export const performanceLints = [
  {
    name: "unindexed_foreign_keys",
    title: "Unindexed foreign keys",
    level: "INFO",
    description:
      "Finds foreign keys without an index that begins with their columns, which slows joins and deletes.",
    remediation: "Create an index on the columns of the foreign key.",
    sql: `
      select s.name as schema, c.relname as name, 'table' as type, f.conname as fkey_name, f.conkey as fkey_columns,
          f.conname as part,
          format('Table \`%s.%s\` has a foreign key \`%s\` without a covering index.', s.name, c.relname, f.conname)
            as detail
        from pg_constraint f
          join pg_class c on c.oid = f.conrelid
          join own s on s.oid = c.relnamespace
        where f.contype = 'f' and f.conparentid = 0
          and ('pg_class'::regclass, c.oid) not in (select classid, objid from members)
          and not exists (
            select from pg_index i where i.indrelid = c.oid and i.indisvalid and i.indpred is null
              and f.conkey @> (i.indkey::smallint[])[0:cardinality(f.conkey) - 1]
              and f.conkey <@ (i.indkey::smallint[])[0:cardinality(f.conkey) - 1])`,
  },
  {
    name: "no_primary_key",
    title: "No primary key",
    level: "INFO",
    description:
      "Finds tables without a primary key, whose rows cannot be told apart by the tools that work on them.",
    remediation: "Add a primary key to the table.",
    sql: `
      select s.name as schema, c.relname as name, 'table' as type,
          format('Table \`%s.%s\` does not have a primary key.', s.name, c.relname) as detail
        from pg_class c join own s on s.oid = c.relnamespace
        where c.relkind in ('r', 'p') and not c.relispartition
          and ('pg_class'::regclass, c.oid) not in (select classid, objid from members)
          and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`,
  },
  {
    name: "duplicate_index",
    title: "Duplicate index",
    level: "WARN",
    description:
      "Finds indexes that are the same but for their name, each of which every write has to keep up.",
    remediation: "Drop all but one of the indexes.",
    sql: `
      select s.name as schema, c.relname as name, 'table' as type,
          string_agg(x.relname, '_' order by x.relname collate "C") as part,
          format('Table \`%s.%s\` has identical indexes {%s}. Drop all except one of them.', s.name, c.relname,
            string_agg(x.relname, ', ' order by x.relname collate "C")) as detail
        from pg_index i
          join pg_class x on x.oid = i.indexrelid
          join pg_class c on c.oid = i.indrelid
          join own s on s.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'm')
          and ('pg_class'::regclass, c.oid) not in (select classid, objid from members)
        group by s.name, c.relname, x.relam, i.indisunique, i.indnkeyatts, i.indkey, i.indclass, i.indcollation,
          i.indoption, pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid)
        having count(*) > 1`,
  },
  {
    name: "multiple_permissive_policies",
    title: "Multiple permissive policies",
    level: "WARN",
    description:
      "Finds tables where several permissive policies apply to one role and action: each is run for every row.",
    remediation: "Merge the policies into one.",
    sql: `
      select p.schema, p.table as name, 'table' as type,
          format('%s_%s', r.rolname, a.action) as part,
          format('Table \`%s.%s\` has multiple permissive policies for role \`%s\` for action \`%s\`. Policies include {%s}',
            p.schema, p.table, r.rolname, a.action, string_agg(p.name, ', ' order by p.name collate "C")) as detail
        from policies p
          join pg_roles r on p.roles = '{0}' or r.oid = any(p.roles)
          cross join (values ('SELECT', 'r'), ('INSERT', 'a'), ('UPDATE', 'w'), ('DELETE', 'd')) a(action, command)
        where p.permissive and p.command in ('*', a.command) and p."rowSecurity"
          and r.rolname !~ '^pg_' and not r.rolsuper and not r.rolbypassrls
        group by p.schema, p.table, r.rolname, a.action
        having count(*) > 1`,
  },
  {
    name: "auth_rls_initplan",
    title: "Row security runs a function for every row",
    level: "WARN",
    description: "Finds policies that call auth.<function>() or current_setting() anew for every row.",
    remediation: "Write (select auth.<function>()) in place of auth.<function>().",
    // A call within a subquery is deparsed as ( SELECT auth.uid() AS uid): what is left was not wrapped.
    sql: `
      select p.schema, p.table as name, 'table' as type, p.name as part,
          format('Table \`%s.%s\` has a row level security policy \`%s\` that calls an auth function or current_setting() for each row.',
            p.schema, p.table, p.name) as detail
        from policies p
        where p."rowSecurity"
          and regexp_replace(p.expressions, 'SELECT (auth\\.(uid|jwt|role|email)|current_setting)\\(', '', 'gi')
            ~ '(auth\\.(uid|jwt|role|email)|current_setting)\\('`,
  },
] as const satisfies readonly SqlLint[];
